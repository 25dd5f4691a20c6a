#include "smt/theories.h"

namespace lem::smt {

Theories theories_of(const TermStore& terms) {
  Theories found;
  for (std::uint32_t id = 1; id < terms.size(); ++id) {
    Term term = terms.term_of_id(id);
    if (terms.is_value(term)) continue;  // to_real 1 does not make a problem one about integers
    switch (terms.kind(term)) {
      case SortKind::Bool:
        break;
      case SortKind::BitVec:
        found.bit_vectors = true;
        break;
      case SortKind::Int:
        found.integers = true;
        break;
      case SortKind::Real:
        found.reals = true;
        break;
      case SortKind::Float:
        found.floats = true;
        break;
      case SortKind::Array:
        found.arrays = true;
        if (!terms.is_numeric(terms.index_sort(terms.sort(term)))) found.finite_arrays = true;
        break;
    }
    if (terms.op(term) == Op::Mul && !terms.is_value(terms.arg(term, 0))) found.nonlinear = true;
  }
  return found;
}

}  // namespace lem::smt
