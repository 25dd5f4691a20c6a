// One unwinding of an automaton: forward along its weak topological order, each loop up to its
// bound, states merged wherever paths meet. What was executed is kept, so that a model of an error
// is a run. Tests: tests/unit/engine/bmc/program_search_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "base/context.h"
#include "engine/bmc/executor.h"
#include "model/cfa_components.h"

namespace lem::engine {

class Unwinding {
 public:
  /// Whether the path can be taken; true if that is not known.
  using Feasible = std::function<bool(PathId)>;

  Unwinding(const Cfa& cfa, const Context& ctx, Feasible feasible);

  enum class VisitId : std::uint32_t { None = ~std::uint32_t{0} };
  struct Arrival {
    VisitId from;
    EdgeId edge;
    SymbolicState state;
  };
  struct Visit {
    LocationId at;
    SymbolicState state;
    std::vector<Arrival> arrivals;  // none at the start
  };

  /// Each loop at most as often as `bounds` says, by head; rounds that decide nothing are free.
  void run(const std::vector<std::uint32_t>& bounds);

  /// Of the last run: ends at the error location, and heads of loops that can go on.
  const std::vector<Arrival>& errors() const { return errors_; }
  const std::vector<LocationId>& unfinished() const { return unfinished_; }
  /// The most rounds that a loop needed, by head.
  const std::vector<std::uint32_t>& rounds() const { return rounds_; }
  const Visit& visit(VisitId id) const { return visits_[static_cast<std::uint32_t>(id)]; }
  std::size_t num_visits() const { return visits_.size(); }
  const std::vector<Term>& inputs() const { return inputs_; }
  Executor& executor() { return executor_; }
  Arrays& arrays() { return arrays_; }

 private:
  void run(const std::vector<CfaElement>& elements);
  void run_loop(const CfaElement& loop);
  bool again(const CfaElement& loop, std::uint32_t counted);
  VisitId pass(LocationId here, VisitId before);
  struct End {
    EdgeId edge;
    SymbolicState state;
  };
  void drop_infeasible(LocationId here, PathId start, std::vector<End>& ends);
  Term fresh(Sort sort);
  std::uint32_t context_of(LocationId head, std::uint32_t round);

  const Cfa& cfa_;
  const Context& ctx_;
  Feasible feasible_;
  CfaComponents components_;
  Arrays arrays_;
  Executor executor_;

  const std::vector<std::uint32_t>* bounds_ = nullptr;
  std::vector<std::vector<Arrival>> pending_;  // by location
  std::vector<Visit> visits_;
  std::vector<Arrival> errors_;
  std::vector<LocationId> unfinished_;
  std::vector<std::uint32_t> rounds_;

  // Values from outside have the same names in every run, so that formulas are shared.
  std::uint32_t context_ = 0;  // which round of which loops
  std::uint32_t round_ = 0;    // of the innermost one
  EdgeId edge_{};
  std::uint32_t ordinal_ = 0;  // of the value, on this edge
  std::map<std::tuple<std::uint32_t, LocationId, std::uint32_t>, std::uint32_t> contexts_;
  std::map<std::tuple<std::uint32_t, EdgeId, std::uint32_t>, Term> named_;
  std::vector<Term> inputs_;
};

}  // namespace lem::engine
