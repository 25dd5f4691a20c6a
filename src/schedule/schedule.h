// Many properties at once: the order in which they are tried, and how the time is shared. Budgets
// double over what is still open, so that nothing easy waits for something hard:
//
//   auto      simulation; then jobs in worker processes (jobs.h): groups of open properties with
//             similar cones, small cones first, one unrolling for each part of the model, one
//             configuration of an engine more in every round
//   an engine for budget b, 2b, 4b, ...: for every group one run for all of it, then one for each
//             that is still open
//
// What is proved strengthens what is left. Docs: docs/properties.md.
// Tests: tests/unit/schedule/schedule_test.cpp, tests/fuzz/properties_fuzz_test.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "base/context.h"
#include "base/growth.h"
#include "base/result.h"
#include "check/certify.h"
#include "engine/engine.h"
#include "model/problem.h"
#include "portfolio/prove.h"

namespace lem::schedule {

using engine::EngineInfo;

struct Hooks {
  /// A problem with one property through transforms, engine and certification.
  std::function<Result<portfolio::Decision>(const Problem& problem, const Context& ctx)> prove;
  /// Called once for each property, in any order. `by`: the engine or method that answered.
  std::function<Status(std::size_t property, check::Certified outcome, std::string_view by)> settle;
  check::Native native = check::Native::Sandbox;  // how runs of C programs are certified
  Growth* growth = nullptr;                       // where jobs report what they count; borrowed
};

/// `engine`: the one that the user asked for, no other method answers under its name; nullptr under
/// `auto`, where every method may.
///   require: at least one property, ascending; ctx.options has portfolio_options() and those of
///            all engines   ensure: every one was settled, unless an error is returned
Status check_all(const Problem& problem, std::span<const std::size_t> properties,
                 const EngineInfo* engine, const Hooks& hooks, const Context& ctx);

}  // namespace lem::schedule
