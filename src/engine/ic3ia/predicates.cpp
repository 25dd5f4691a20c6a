#include "engine/ic3ia/predicates.h"

#include <cassert>

namespace lem::engine {

sat::Var Predicates::add(Term atom) {
  assert(terms_.kind(atom) == SortKind::Bool && terms_.op(atom) != Op::Not &&
         "predicates are formulas without a sign");
  assert(!contains(atom) && "a predicate is added once");
  sat::Var p = atoms_.literal(atom).var();
  bool own = terms_.is_variable(atom);
  Term label = own ? atom : terms_.fresh("p", terms_.bool_sort());
  Term next = own ? system_.prime(atom) : terms_.fresh("p'", terms_.bool_sort());
  labels_.insert(labels_.end(), {label, terms_.make_not(label)});
  next_labels_.insert(next_labels_.end(), {next, terms_.make_not(next)});
  assert(labels_.size() == atoms_.codes() && "every literal has a label");
  return p;
}

Term Predicates::definition(sat::Var p) const {
  return terms_.make_eq(label(Lit(p, false)), atoms_[p]);
}

Term Predicates::next_definition(sat::Var p) const {
  return terms_.make_eq(next_label(Lit(p, false)), system_.prime(atoms_[p]));
}

}  // namespace lem::engine
