// FOR loops between constants, turn by turn: without a loop in the automaton, one cycle is one step
// of it, and elements of arrays are known where the loop's variable is their index.
// Tests: tests/unit/frontend/st/unrolled_loops_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frontend/st/translate/context.h"

namespace lem::st {

/// Values of variables of loops that are being unrolled.
class LoopValues {
 public:
  void set(Term variable, Term value) { values_[variable] = value; }
  void forget(Term variable) { values_.erase(variable); }
  bool knows(Term variable) const { return values_.contains(variable); }
  /// The value of a variable that is known now, else the variable.
  Term read(Term variable) {
    auto known = values_.find(variable);
    if (known == values_.end()) return variable;
    ++reads_;
    return known->second;
  }
  /// Values are constants of the program as long as no variable of a loop is read.
  void begin_expression() { before_ = reads_; }
  bool none_read() const { return reads_ == before_; }

 private:
  std::map<Term, Term> values_;
  std::size_t reads_ = 0, before_ = 0;
};

/// Values of the variable of a FOR loop in each turn and after the last one; none if they are not
/// known, too many, or if the body may change the variable.
std::optional<std::vector<mpz_class>> loop_turns(TermStore& t, const Frame& here,
                                                 const Statement& loop, const Type& type, Term from,
                                                 Term last, Term step);

}  // namespace lem::st
