// Predecessors of cubes [004 sections 4.2.1, 4.3.3].
#include <algorithm>
#include <cassert>

#include "engine/ic3cfa/search.h"
#include "term/implicant.h"
#include "term/traverse.h"

namespace lem {

/// require: the last query along the step was satisfiable
///   ensure: every state of the result has a successor in the cube; all such states, if exact
Ic3cfaSearch::Preimage Ic3cfaSearch::predecessor(StepId step, std::span<const Lit> cube) {
  std::vector<Term> parts = steps_[step].guards;
  for (Lit lit : cube)
    for (Term part : conjuncts(terms_, steps_.before(step, literals_.formula(lit))))
      if (!terms_.is_true(part) && std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
  const std::vector<Term>& fresh = steps_[step].fresh;
  std::vector<Term> used = variables_of(terms_, parts);
  bool is_cube = std::all_of(parts.begin(), parts.end(),
                             [&](Term part) { return literals_.is_literal(part); }) &&
                 std::none_of(fresh.begin(), fresh.end(), [&](Term open) {
                   return std::binary_search(used.begin(), used.end(), open);
                 });
  if (is_cube) return {std::move(parts), true};
  ++approximate_;
  return {around_model(step, parts), false};
}

/// Literals that hold in the model and imply all parts, without what the step leaves open.
std::vector<Term> Ic3cfaSearch::around_model(StepId step, const std::vector<Term>& parts) {
  TermMap model;
  std::vector<Term> known(cfa_.variables().begin(), cfa_.variables().end());
  known.insert(known.end(), steps_[step].fresh.begin(), steps_[step].fresh.end());
  for (Term variable : known)
    if (auto value = inductivity_.value(step, variable)) model[variable] = *value;
  std::optional<std::vector<Term>> literals;
  if (model.size() == known.size()) literals = implicant(terms_, terms_.make_and(parts), model);
  if (!literals) {  // a value the model could not tell
    gave_up_ = true;
    return {};
  }
  std::vector<Term> open, kept, about_open;
  for (Term variable : steps_[step].fresh)
    if (terms_.kind(variable) != SortKind::Bool) open.push_back(variable);
  for (Term literal : *literals) {
    std::vector<Term> used = variables_of(terms_, literal);
    bool selector = used.size() == 1 && terms_.atom_of(literal) == used.front() &&
                    std::find(steps_[step].fresh.begin(), steps_[step].fresh.end(), used.front()) !=
                        steps_[step].fresh.end();
    if (selector) continue;  // it is in no other literal: every Ite is decided
    bool mentions = std::any_of(open.begin(), open.end(), [&](Term variable) {
      return std::binary_search(used.begin(), used.end(), variable);
    });
    (mentions ? about_open : kept).push_back(literal);
  }
  if (about_open.empty()) return kept;
  if (auto projected = inductivity_.projector(step)->project(terms_.make_and(about_open), open)) {
    kept.insert(kept.end(), projected->begin(), projected->end());
    return kept;
  }
  std::vector<Term> point;
  for (Term variable : cfa_.variables()) point.push_back(terms_.make_eq(variable, model[variable]));
  return point;
}

}  // namespace lem
