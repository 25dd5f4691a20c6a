// Many properties at once: the order in which they are tried, and how the time is shared. First
// what is cheap for all of them, then proofs, with budgets that double over what is still open:
//
//   simulation, then for each part of the model one unrolling (bounded search and k-induction)
//   for budget b, 2b, 4b, ...
//     for every group of open properties with similar cones, small cones first
//       one run of the engine for the whole group, then one for each that is still open
//
// What is proved strengthens what is left. Docs: docs/properties.md.
// Tests: tests/unit/schedule/schedule_test.cpp, tests/fuzz/properties_fuzz_test.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"

namespace lem::schedule {

struct Hooks {
  /// A problem with one property through transforms, engine and certification.
  std::function<Result<check::Certified>(const Problem& problem, const Context& ctx)> prove;
  /// Called once for each property, in any order. `method`: what answered, if not the engine.
  std::function<Status(std::size_t property, check::Certified outcome, std::string_view method)>
      settle;
};

/// Whether other methods than the engine may answer: they may under `auto`, and never under the
/// name of an engine that the user asked for.
enum class Shortcuts : std::uint8_t { No, Yes };

/// require: at least one property   ensure: every one was settled, unless an error is returned
Status check_all(const Problem& problem, std::span<const std::size_t> properties,
                 Shortcuts shortcuts, const Hooks& hooks, const Context& ctx);

}  // namespace lem::schedule
