// Symbolic execution of commands. Where paths join, a variable whose value depends on the path gets
// a fresh name, and each path defines it, so that formulas are linear in the size of the commands,
// not in the number of their paths. Tests: tests/unit/model/command_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "model/command.h"
#include "term/traverse.h"

namespace lem {

class SymbolicRun {
 public:
  struct State {
    TermMap values;  // of variables that were written; others are themselves
    Term path;       // what was assumed
    Term operator[](Term variable) const {
      auto at = values.find(variable);
      return at == values.end() ? variable : at->second;
    }
  };

  /// Variables that it makes are existentially quantified and are added to `fresh`.
  SymbolicRun(TermStore& terms, std::vector<Term>& fresh) : terms_(terms), fresh_(fresh) {}

  void execute(const Command& command, State& state);
  Term value(Term term, const State& state) const;

  struct Meeting {
    State state;
    std::vector<Term> ways;  // by end: that it was taken, and what values it gives
  };
  /// One of the ends; the path says so.
  ///   require: ends differ in values of `variables` alone
  Meeting meet(std::span<const State> ends, std::span<const Term> variables);

 private:
  Term fresh(const char* name, Term like);

  TermStore& terms_;
  std::vector<Term>& fresh_;
};

}  // namespace lem
