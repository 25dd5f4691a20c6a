// Answers about automata whose evidence is checked.
#pragma once

#include <gtest/gtest.h>

#include "check/cfa.h"
#include "engine/parts/cfa/run.h"

namespace lem::test {

/// Whether the answer says that the error location is reached; it must say so or the opposite, with
/// evidence.
inline bool is_reached(const Cfa& cfa, const engine::CfaAnswer& answer) {
  EXPECT_FALSE(std::holds_alternative<Unknown>(answer));
  if (const auto* run = std::get_if<CfaTrace>(&answer)) {
    EXPECT_EQ(check::replay(cfa, *run, {}), std::nullopt);
  }
  if (const auto* proof = std::get_if<LocationInvariants>(&answer)) {
    check::TermFinding finding = check::check_invariants(cfa, *proof, {});
    EXPECT_EQ(finding.holds, check::TermHolds::Yes) << finding.failed;
  }
  return std::holds_alternative<CfaTrace>(answer);
}

}  // namespace lem::test
