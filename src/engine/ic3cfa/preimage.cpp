// Predecessors of cubes [Lange18 4.2.1, 4.3.3].
#include <algorithm>

#include "engine/ic3cfa/search.h"
#include "engine/parts/cfa/preimage.h"
#include "term/traverse.h"

namespace lem::engine {

/// require: the last query along the step was satisfiable
///   ensure: every state of the result has a successor in the cube; all such states, if exact
Ic3cfaSearch::Preimage Ic3cfaSearch::predecessor(StepId step, std::span<const Lit> cube) {
  std::vector<Term> parts = preimage_parts(steps_, literals_, step, cube);
  const std::vector<Term>& fresh = steps_[step].fresh;
  std::vector<Term> used = variables_of(terms_, parts);
  bool is_cube = std::all_of(parts.begin(), parts.end(),
                             [&](Term part) { return literals_.is_literal(part); }) &&
                 std::none_of(fresh.begin(), fresh.end(), [&](Term open) {
                   return std::binary_search(used.begin(), used.end(), open);
                 });
  if (is_cube) return {step, std::move(parts), true};
  ++stats_.approximate;
  return {step, around_model(step, parts), false};
}

/// Literals that hold in the model and imply all parts, without what the step leaves open.
std::vector<Term> Ic3cfaSearch::around_model(StepId step, const std::vector<Term>& parts) {
  auto found = preimage_around(
      terms_, cfa_.variables(), steps_[step], parts,
      [&](Term term) { return inductivity_.value(step, term); }, inductivity_.projector(step));
  if (!found) gave_up_ = true;
  return found.value_or(std::vector<Term>());
}

}  // namespace lem::engine
