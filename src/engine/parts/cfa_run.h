// Answers about control-flow automata, and runs along given edges. The formulas of edges at the
// positions of a run are made once and kept. Tests: tests/fuzz/cfa_fuzz_test.cpp.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "model/cfa_evidence.h"
#include "model/verdict.h"
#include "smt/smt_solver.h"

namespace lem {

using CfaAnswer = std::variant<LocationInvariants, CfaTrace, Unknown>;

Verdict verdict_of(CfaAnswer answer);

/// A run without edges, for an automaton whose error location is the initial one.
CfaTrace run_of_no_edges(const Cfa& cfa);

class CfaRuns {
 public:
  /// Borrows the automaton.
  CfaRuns(const Cfa& cfa, std::stop_token stop);

  struct Found {
    smt::Answer answer;
    CfaTrace run;  // after Sat
  };
  /// Whether the edges can be taken one after the other, from any values.
  Found along(std::span<const EdgeId> edges);

 private:
  const std::vector<Term>& values_at(std::size_t position);
  Term taken(EdgeId edge, std::size_t position);

  const Cfa& cfa_;
  TermStore& terms_;
  std::unique_ptr<smt::SmtSolver> solver_;  // nothing asserted
  std::vector<Term> next_;                  // X'
  std::vector<std::vector<Term>> values_;   // by position
  std::map<std::pair<EdgeId, std::size_t>, Term> taken_;
};

}  // namespace lem
