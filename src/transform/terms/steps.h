// Shared by the transforms on transition systems: steps of a trace as maps, and back-translators
// for evidence that needs no translation. A transformed system is over the terms of its original:
// variables that stay keep their handles, so invariants mean the same in both.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/problem.h"
#include "term/traverse.h"
#include "transform/transform.h"

namespace lem::transform {

/// The values of a step by variable.
TermMap values_at(const TransitionSystem& system, const TermTrace::Step& step);

/// The values of all states and inputs, in the system's order; default values for those missing.
TermTrace::Step step_of(const TransitionSystem& system, const TermMap& values);

/// A builder with the same states (without init and update), inputs and no formula.
TransitionSystemBuilder same_variables(const TransitionSystem& system);

/// Where each property fails.
std::vector<Term> bads_of(const Problem& problem);

/// The same properties and source with another model; `bads` has one term for each property.
///   require: the builder has what they mention
Problem with_system(const Problem& old, TransitionSystemBuilder builder,
                    std::span<const Term> bads);
/// The same for one property.
Problem with_system(const Problem& old, TransitionSystemBuilder builder, Term bad);

/// For transforms that keep all variables and all runs.
std::unique_ptr<BackTranslator> keep_evidence();

/// For transforms that found nothing to do.
Transformed unchanged(const Problem& problem);

}  // namespace lem::transform
