// Answers about control-flow automata, and runs along given steps. The formulas of steps at the
// positions of a run are made once and kept. Tests: tests/unit/engine/treeic3/treeic3_test.cpp.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/context.h"
#include "engine/parts/cfa/steps.h"
#include "model/evidence/cfa.h"
#include "model/verdict.h"
#include "smt/smt_solver.h"

namespace lem::engine {

using CfaAnswer = std::variant<LocationInvariants, CfaTrace, Unknown>;

Verdict verdict_of(CfaAnswer answer);

/// A run without edges, for an automaton whose error location is the initial one.
CfaTrace run_of_no_edges(const Cfa& cfa);

class CfaRuns {
 public:
  /// Borrows the automaton and its steps.
  CfaRuns(const Cfa& cfa, const CfaSteps& steps, const Context& ctx);

  struct Found {
    smt::Answer answer;
    CfaTrace run;                         // after Sat
    std::vector<std::vector<Term>> core;  // after Unsat, by step: conjuncts over X, locals, X'
  };
  /// Whether the steps can be taken one after the other, from any values.
  Found along(std::span<const StepId> steps);

  std::span<const Term> next() const { return next_; }  // X'

 private:
  struct Taken {
    std::vector<Term> parts, here;  // as conjuncts of the step, and at the position
  };
  const std::vector<Term>& values_at(std::size_t position);
  const Taken& taken(StepId step, std::size_t position);
  std::vector<std::vector<Term>> core_of(std::span<const StepId> steps);

  const Cfa& cfa_;
  const CfaSteps& steps_;
  TermStore& terms_;
  std::unique_ptr<smt::SmtSolver> solver_;  // nothing asserted
  std::vector<Term> next_;
  std::vector<std::vector<Term>> values_;  // by position
  std::map<std::pair<StepId, std::size_t>, Taken> taken_;
};

}  // namespace lem::engine
