// Some properties by one configuration of an engine: in one run where the engine takes several,
// else as one disjunction, again for those that are left after a counterexample. Runs in workers
// and in this process alike. Tests: tests/unit/schedule/joint_test.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "base/context.h"
#include "engine/engine.h"
#include "model/problem.h"
#include "portfolio/worker.h"
#include "schedule/joint.h"
#include "transform/cfa/dependence.h"

namespace lem::schedule {

using engine::Found;
using engine::OnFound;

/// What is found is about the problem, with its numbers of properties, and not certified yet.
/// `dependence`: of a program, whose slice for the members is tried first; nullptr: it is not.
///   require: at least one member   ensure: why the run ended
Reason check_together(const Problem& problem, const std::vector<std::size_t>& members,
                      const std::vector<Proved>& proved, const portfolio::Member& member,
                      const OnFound& found, const Context& ctx,
                      const transform::Dependence* dependence = nullptr);

}  // namespace lem::schedule
