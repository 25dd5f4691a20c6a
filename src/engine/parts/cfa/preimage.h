// Predecessors of cubes along steps of an automaton [Lange18 4.2.1, 4.3.3]: the conjuncts of
// wep(step, cube), and the part of it around a model as literals.
// Tests: tests/unit/engine/ic3cfa/*_test.cpp, tests/fuzz/cfa_fuzz_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/parts/cfa/literals.h"
#include "engine/parts/cfa/steps.h"
#include "smt/smt_solver.h"

namespace lem::engine {

/// Conjuncts over the variables and what the step leaves open: guards, and the cube before it.
std::vector<Term> preimage_parts(CfaSteps& steps, const CfaLiterals& literals, StepId step,
                                 std::span<const Lit> cube);

/// Literals over the variables that hold in the model and imply that the step leads on as the parts
/// say, for some values of what it leaves open. Nothing if the model could not tell a value.
///   require: the parts hold in the model that `value` and the projector speak of
std::optional<std::vector<Term>> preimage_around(
    TermStore& terms, std::span<const Term> variables, const CfaStep& step,
    const std::vector<Term>& parts, const std::function<std::optional<Term>(Term)>& value,
    smt::Projector* projector);

}  // namespace lem::engine
