#include "engine/parts/cfa/preimage.h"

#include <algorithm>
#include <cassert>

#include "base/assert.h"
#include "engine/parts/cfa/contracts.h"
#include "term/implicant.h"
#include "term/traverse.h"

namespace lem::engine {

std::vector<Term> preimage_parts(CfaSteps& steps, const CfaLiterals& literals, StepId step,
                                 std::span<const Lit> cube) {
  TermStore& terms = steps.terms();
  std::vector<Term> parts = steps[step].guards;
  for (Lit lit : cube)
    for (Term part : conjuncts(terms, steps.before(step, literals.formula(lit))))
      if (!terms.is_true(part) && std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
  return parts;
}

std::optional<std::vector<Term>> preimage_around(
    TermStore& terms, std::span<const Term> variables, const CfaStep& step,
    const std::vector<Term>& parts, const std::function<std::optional<Term>(Term)>& value,
    smt::Projector* projector) {
  assert(projector != nullptr && "the factory's solvers project");
  TermMap model;
  std::vector<Term> known(variables.begin(), variables.end());
  known.insert(known.end(), step.fresh.begin(), step.fresh.end());
  for (Term variable : known) {
    std::optional<Term> found = value(variable);
    if (!found) return {};
    model[variable] = *found;
  }
  auto literals = implicant(terms, terms.make_and(parts), model);
  if (!literals) return {};
  std::vector<Term> open, kept, about_open;
  for (Term variable : step.fresh)
    if (terms.kind(variable) != SortKind::Bool) open.push_back(variable);
  for (Term literal : *literals) {
    std::vector<Term> used = variables_of(terms, literal);
    bool selector =
        used.size() == 1 && terms.atom_of(literal) == used.front() &&
        std::find(step.fresh.begin(), step.fresh.end(), used.front()) != step.fresh.end();
    if (selector) continue;  // it is in no other literal: every Ite is decided
    bool mentions = std::any_of(open.begin(), open.end(), [&](Term variable) {
      return std::binary_search(used.begin(), used.end(), variable);
    });
    (mentions ? about_open : kept).push_back(literal);
  }
  std::optional<std::vector<Term>> projected{std::in_place};
  if (!about_open.empty()) projected = projector->project(terms.make_and(about_open), open);
  if (projected) {
    kept.insert(kept.end(), projected->begin(), projected->end());
  } else {
    kept.clear();
    for (Term variable : variables) kept.push_back(terms.make_eq(variable, model[variable]));
  }
  LEM_CHECKED(in_preimage(terms, step, parts, kept), "the cube has states that do not lead on");
  return kept;
}

}  // namespace lem::engine
