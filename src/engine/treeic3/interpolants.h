// Interpolants of infeasible paths, from the sources of smt/interpolate/interpolator.h. They are
// candidates only: the caller asks along the step into a node before it uses a formula there. Backs
// off from sources that keep failing.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/context.h"
#include "engine/parts/query/back_off.h"
#include "smt/interpolate/interpolator.h"

namespace lem::engine {

class PathInterpolants {
 public:
  /// Borrows what the spans speak of; each source may take so many milliseconds.
  PathInterpolants(TermStore& terms, std::span<const Term> current, std::span<const Term> next,
                   std::uint32_t milliseconds, const Context& ctx);

  /// Whether a source is to be asked about the next path, which is counted.
  bool due();
  /// Candidates for the formulas after each step, the last of which would be false.
  ///   require: due() for this path; by step, conjuncts that contradict each other
  std::optional<smt::Sequence> along(const std::vector<std::vector<Term>>& core);
  /// Time that along() has taken.
  double seconds() const { return time_.seconds; }

 private:
  struct Asked {
    std::unique_ptr<smt::Interpolator> interpolator;
    BackOff back_off{0, 8};
    bool due = true;  // for the path at hand
  };
  void collect_sources();
  std::vector<std::size_t> mentioned(const std::vector<std::vector<Term>>& core) const;

  TermStore& terms_;
  std::span<const Term> current_, next_;
  std::uint32_t milliseconds_;
  const Context& ctx_;
  std::vector<Asked> sources_;
  Counter &asked_, &served_;
  Timer& time_;
};

}  // namespace lem::engine
