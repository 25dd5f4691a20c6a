// Evidence about AIGs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/aig.h"
#include "model/evidence/simple_path.h"
#include "model/rung.h"

namespace lem {

/// A finite run: values of all latches at step 0, then the inputs of every step. The property
/// fails at the last step; `inputs` is never empty.
struct Trace {
  std::vector<bool> initial;
  std::vector<std::vector<bool>> inputs;

  static constexpr Rung kRung = Rung::Bits;
  std::size_t length() const { return inputs.size(); }
  std::size_t depth() const { return inputs.size() - 1; }
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// A disjunction of signals. Literals may name any signal of the model, gates and inputs included
/// (equivalences found by sequential sweeping are pairs of such clauses).
using SignalClause = std::vector<AigLit>;

/// Inv = not bad & all clauses, over the signals of one step, with C the constraints:
///   initiation   reset(X) & C(X,I)                        => Inv(X,I)
///   consecution  Inv(X,I) & C(X,I) & X'=next(X,I) & C(X',I') => Inv(X',I')
struct InductiveInvariant {
  std::vector<SignalClause> clauses;

  static constexpr Rung kRung = Rung::Bits;
  std::optional<std::uint32_t> induction_depth() const { return {}; }
  friend bool operator==(const InductiveInvariant&, const InductiveInvariant&) = default;
};

/// k-induction: with Q = not bad & all clauses, no trace of length < k from reset violates Q, and
/// k consecutive Q-steps (if `simple_path`, of pairwise different states, where only latches that Q
/// and the constraints depend on count) are followed by a Q-step.
struct KInductive {
  std::uint32_t k = 1;
  SimplePath simple_path = SimplePath::No;
  std::vector<SignalClause> clauses;

  static constexpr Rung kRung = Rung::Bits;
  std::optional<std::uint32_t> induction_depth() const { return k; }
  friend bool operator==(const KInductive&, const KInductive&) = default;
};

}  // namespace lem
