// Candidate equivalences: a partition of signals, each up to complement, that counterexamples only
// ever refine.
#pragma once

#include <span>
#include <vector>

#include "transform/bits/sweep/simulation.h"

namespace lem::transform {

class Classes {
 public:
  /// One class of the constant and all `candidates` (ascending). The lowest lane of `first`, a
  /// simulation of one step, says which of them are complemented.
  Classes(std::uint32_t num_vars, std::span<const std::uint32_t> candidates,
          std::span<const SimWord> first);

  /// The literal that `var` is assumed equal to: over the smallest variable of its class.
  AigLit representative(std::uint32_t var) const { return representative_[var]; }
  bool is_member(std::uint32_t var) const { return representative_[var].var() != var; }
  std::span<const AigLit> representatives() const { return representative_; }

  /// Splits every class by the values of its signals on the lanes of `lanes`.
  void refine(std::span<const SimWord> words, SimWord lanes);
  /// Removes a signal from its class.
  ///   require: it is a member, not a representative
  void isolate(std::uint32_t var);

  /// Signals that are not their own representative.
  std::size_t num_members() const { return num_members_; }
  /// Grows with every change.
  std::uint64_t version() const { return version_; }

 private:
  void split(std::vector<std::uint32_t>& group, std::span<const SimWord> words, SimWord lanes);
  void elect(const std::vector<std::uint32_t>& group);

  std::vector<std::vector<std::uint32_t>> groups_;  // of two or more, ascending
  std::vector<bool> complemented_;
  std::vector<AigLit> representative_;
  std::size_t num_members_ = 0;
  std::uint64_t version_ = 0;
  // Scratch of split().
  std::vector<std::pair<SimWord, std::uint32_t>> keyed_;
  std::vector<std::vector<std::uint32_t>> fresh_;
};

}  // namespace lem::transform
