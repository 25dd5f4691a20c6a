// Narrows the intervals of variables by a guard.
#pragma once

#include <functional>
#include <optional>

#include "transform/cfa/range.h"

namespace lem::transform {

class RangeGuards {
 public:
  /// `set` narrows a variable and resets the evaluator.
  RangeGuards(TermStore& terms, RangeEvaluator& evaluator,
              std::function<void(Term, const Range&)> set)
      : terms_(terms), evaluator_(evaluator), set_(std::move(set)) {}

  /// False if the guard cannot hold.
  bool assume(Term guard) { return assume(guard, true); }

 private:
  bool assume(Term formula, bool holds);
  bool one_of(Term formula, bool holds);
  bool equal(Term a, Term b);
  bool different(Term a, Term b);
  bool different_from(Term term, const Range& value);
  bool below(Term a, Term b, Interval Range::*reading, Wide gap);
  bool narrow(Term term, const Range& target);
  bool narrow_sum(Term term, const Range& target);
  bool narrow_bits(Term term, const Range& target);
  Range range(Term term) { return *evaluator_.range(term); }

  TermStore& terms_;
  RangeEvaluator& evaluator_;
  std::function<void(Term, const Range&)> set_;
};

}  // namespace lem::transform
