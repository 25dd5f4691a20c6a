// Runs of a program with values from outside that are chosen at random: constants of the program,
// what lies beside and between them, small and arbitrary numbers. Where a question about all runs
// is hard, as often about floats and products, many programs still fail on some run that is easy to
// come by. Tests: tests/unit/engine/bmc/simulation_test.cpp.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "base/context.h"
#include "engine/bmc/executor.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::engine {

class Simulation {
 public:
  using Seconds = std::chrono::duration<double>;

  /// Borrows both. The same runs each time.
  Simulation(const Cfa& cfa, const Context& ctx);

  /// A run to the error location, if one is met within the time.
  std::optional<CfaTrace> search(Seconds time);
  std::uint64_t num_runs() const { return runs_; }

 private:
  struct Step {
    EdgeId edge;
    SymbolicState after;
  };
  std::optional<CfaTrace> run_once(std::size_t most_steps);
  bool execute(const Command& command, SymbolicState& state);
  SymbolicState start();
  Term any(Sort sort);
  mpq_class any_number(const std::vector<mpq_class>& constants);
  std::size_t below(std::size_t limit) { return random_() % limit; }
  CfaTrace trace(const SymbolicState& first, const std::vector<Step>& steps);
  void find_constants();

  const Cfa& cfa_;
  TermStore& terms_;
  const Context& ctx_;
  std::mt19937_64 random_{1};
  Arrays arrays_;
  Executor executor_;
  std::map<Sort, std::vector<mpq_class>> constants_;  // in the commands
  std::uint64_t runs_ = 0;
};

}  // namespace lem::engine
