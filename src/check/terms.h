// Evidence about transition systems: traces are replayed by evaluation, invariants are checked with
// fresh SMT solvers on the formulas of the system. Tests: tests/unit/check/terms_test.cpp.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "model/transition_system.h"
#include "model/verdict.h"

namespace lem::check {

/// What is wrong with the trace; nullopt if it is a run that ends in `bad`.
std::optional<std::string> replay(const TransitionSystem& system, Term bad, const TermTrace& trace);

enum class TermHolds : std::uint8_t { Yes, No, Undecided, Stopped };

struct TermFinding {
  TermHolds holds;
  std::string failed{};  // "initiation", "consecution", "the base case" ... of a No
};

/// k-induction of Q = claim.invariant & !bad: at the first k steps of every run, and after k steps.
///   require: claim.k > 0, the invariant is over states and inputs of the system
TermFinding check_induction(const TransitionSystem& system, Term bad, const TermInvariant& claim,
                            std::stop_token stop);

/// Whether the invariant alone excludes `bad` at steps that keep the constraints.
///   require: the invariant is over states and inputs of the system
TermFinding check_safety(const TransitionSystem& system, Term bad, Term invariant,
                         std::stop_token stop);

/// Whether the formula is over states and inputs of the system alone.
bool is_over_step(const TransitionSystem& system, Term formula);

}  // namespace lem::check
