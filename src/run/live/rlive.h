// rlive [Xia24]: states that end a round are blocked depth first. A blocked state cannot reach
// another one but through a shoal, a set of states from which only boundedly many rounds end; a
// state that recurs on the stack closes a lasso. Every shoal is shown to be closed before it is
// used: the invariant of the query with its first-step latch replaced by its value in all later
// steps, not with the clauses dropped that mention it.
// Deviation: the blocked state is generalised to the cube of states whose successors are all in
// shoals. Tests: tests/unit/run/live_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "base/context.h"
#include "engine/engine.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::run {

class Rlive {
 public:
  /// Borrows all. `problem`: an AIG with one safety property, a literal over a latch, that is to
  /// hold boundedly often; `ic3`: an engine that takes it.
  Rlive(const Problem& problem, const engine::EngineInfo& ic3, const Context& ctx)
      : problem_(problem), ic3_(ic3), ctx_(ctx) {}

  /// Layers of states of `problem`; or a run in which a state occurs twice with the property
  /// violated between, the second time at its end; or why there is neither.
  std::variant<Layers, Trace, Reason> run();

 private:
  using State = std::vector<bool>;
  struct Node {
    State state;  // violates the property
    Trace path;   // from the node below, or from an initial state
  };
  Verdict ask() const;
  Problem query() const;
  bool push(Trace path);
  std::optional<StateSet> states_of(const Certificate& proof) const;
  bool pop(StateSet shoal);
  bool add_layer(StateSet layer);
  bool add_cube(const State& state);
  Trace whole_run() const;

  const Problem& problem_;
  const engine::EngineInfo& ic3_;
  const Context& ctx_;
  std::vector<Node> stack_;
  std::vector<StateSet> layers_;
};

}  // namespace lem::run
