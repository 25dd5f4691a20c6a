#include "term/traverse.h"
#include "transform/passes.h"

namespace lem::transform {

std::string why_no_bits(const Problem& problem) {
  const TransitionSystem& system = problem.system();
  const TermStore& terms = system.terms();
  std::vector<Term> roots{system.init_relation(), system.trans_relation(), system.constraint()};
  for (const StateVar& state : system.states()) {
    roots.push_back(state.current);
    if (state.init) roots.push_back(state.init);
    if (state.update) roots.push_back(state.update);
  }
  roots.insert(roots.end(), system.inputs().begin(), system.inputs().end());
  for (const Property& property : problem.properties) roots.push_back(property.bad_term());
  std::string why;
  for_each_subterm(terms, roots, [&](Term term) {
    if (!why.empty()) return;
    SortKind kind = terms.kind(term);
    if (kind == SortKind::Int) why = "the model has integers";
    if (kind == SortKind::Real) why = "the model has reals";
    if (kind == SortKind::Float) why = "the model has floats";
    if (kind == SortKind::Array) why = "the model has arrays that are too large to expand";
  });
  return why;
}

}  // namespace lem::transform
