// Relations between an Ite and a value, pushed to the leaves of the Ite.
#pragma once

#include <vector>

#include "term/term_store.h"

namespace lem {

/// ite(c, a, b) op value where a or b is a value, as a choice between formulas: no term-level
/// choice is left at that place. A loop, since chains of choices (tables, switches) can be long.
///   require: op is Eq, Le or Lt
inline Term relation_of_ite(TermStore& terms, Op op, Term ite, Term value) {
  auto value_branch = [&](Term term) -> std::size_t {
    if (terms.op(term) != Op::Ite) return 0;
    return terms.is_value(terms.arg(term, 1)) ? 1 : terms.is_value(terms.arg(term, 2)) ? 2 : 0;
  };
  std::vector<Term> chain;
  Term rest = ite;
  while (std::size_t i = value_branch(rest)) {
    chain.push_back(rest);
    rest = terms.arg(rest, 3 - i);
  }
  Term formula = terms.make(op, {rest, value});
  for (; !chain.empty(); chain.pop_back()) {
    Term choice = chain.back();
    std::size_t i = value_branch(choice);
    Term folded = terms.make(op, {terms.arg(choice, i), value});
    formula = i == 1 ? terms.make_ite(terms.arg(choice, 0), folded, formula)
                     : terms.make_ite(terms.arg(choice, 0), formula, folded);
  }
  return formula;
}

}  // namespace lem
