// From Horn clauses to a small graph of predicates: nonlinear clauses are made linear by inlining,
// irrelevant predicates disappear, and predicates without a loop of their own are resolved away as
// long as the number of edges does not grow (large blocks, as in software model checking).
// Tests: tests/unit/frontend/chc_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "frontend/chc/edge.h"
#include "frontend/chc/horn.h"
#include "model/problem.h"

namespace lem::chc {

struct Reduced {
  EdgeMaker maker;
  std::vector<Edge> edges;        // at most one for each pair; all are on a path to the query
  std::vector<PredicateId> kept;  // predicates with edges, in order of declaration
  // For each predicate that is not kept, what it means in terms of others; params are those of the
  // maker's frame. Predicates mentioned are kept, or were inlined later.
  std::vector<std::vector<HornRule>> rules;
};

/// nullopt if a clause stays nonlinear.
std::optional<Reduced> reduce(const HornSystem& system);

}  // namespace lem::chc
