// Evidence about control-flow automata, checked edge by edge on the automaton as it is. Tests:
// tests/unit/check/cfa_test.cpp.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "check/terms.h"
#include "model/evidence/cfa.h"

namespace lem::check {

/// What is wrong with the run; nullopt if it leads from the initial to the error location.
std::optional<std::string> replay(const Cfa& cfa, const CfaTrace& trace, std::stop_token stop);

/// Whether the invariants hold: true at the initial location, false at the error location, and
/// preserved along every path from one location with a claim to the next. A loop without a claim is
/// refused if the claim has no `rounds`, and unwound if it has.
TermFinding check_invariants(const Cfa& cfa, const LocationInvariants& claim, std::stop_token stop);

/// The same where loops are unwound: no run may go around more often than was looked at. Undecided
/// if they can be unwound much further than `rounds` says.
TermFinding check_unwinding(const Cfa& cfa, const LocationInvariants& claim, std::stop_token stop);
/// The same without any claim or hint: all loops are unwound.
TermFinding check_unwinding(const Cfa& cfa, std::stop_token stop);

}  // namespace lem::check
