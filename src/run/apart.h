// Properties of different kinds in one problem: safety properties are proved together, each justice
// property by itself. Tests: tests/unit/run/live_test.cpp.
#pragma once

#include <cstddef>
#include <span>

#include "base/context.h"
#include "base/result.h"
#include "model/problem.h"
#include "run/open.h"
#include "run/selection.h"

namespace lem::run {

/// The parts in turns, with budgets that double: a part that is not settled starts again. The last
/// one has all the time. A part is a problem of its own, with safety properties alone or with one
/// justice property.
///   require: several properties in the problem; the selected engine takes the kinds of those asked
Status prove_apart(const Problem& problem, std::span<const std::size_t> properties,
                   const Selectable& selected, const Settings& settings,
                   const OnSettled& on_settled, const Context& ctx);

}  // namespace lem::run
