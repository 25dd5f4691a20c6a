// Arrays. An array value is a constant array under stores at ascending indices with values other
// than the constant's, so that equal arrays are the same term.
#include <algorithm>
#include <cassert>
#include <map>

#include "term/rewrite.h"

namespace lem {

Term Rewriter::make_select(Term array, Term index) {
  assert(t_.index_sort(t_.sort(array)) == t_.sort(index) && "the index must fit the array");
  while (t_.op(array) == Op::Store) {
    Term at = t_.arg(array, 1);
    if (at == index) return t_.arg(array, 2);
    if (!t_.is_value(at) || !t_.is_value(index)) break;
    array = t_.arg(array, 0);
  }
  if (t_.op(array) == Op::ConstArray) return t_.arg(array, 0);
  return intern(Op::Select, {array, index});
}

Term Rewriter::make_store(Term array, Term index, Term value) {
  assert(t_.index_sort(t_.sort(array)) == t_.sort(index) && "the index must fit the array");
  assert(t_.element_sort(t_.sort(array)) == t_.sort(value) && "the value must fit the array");
  if (t_.op(array) == Op::Store && t_.arg(array, 1) == index) array = t_.arg(array, 0);
  if (t_.op(value) == Op::Select && t_.arg(value, 0) == array && t_.arg(value, 1) == index)
    return array;
  if (t_.is_value(array) && t_.is_value(index) && t_.is_value(value))
    return canonical_array_value(intern(Op::Store, {array, index, value}));
  return intern(Op::Store, {array, index, value});
}

/// Over a small index domain nearly every element may be written; the constant is then the strict
/// majority, or else the element at index 0, whatever the array was built from.
Term Rewriter::canonical_array_value(Term store) {
  Sort sort = t_.sort(store);
  std::map<Term, Term> written;
  Term base = store;
  for (; t_.op(base) == Op::Store; base = t_.arg(base, 0))
    written.try_emplace(t_.arg(base, 1), t_.arg(base, 2));
  Term fallback = t_.arg(base, 0);
  Sort index = t_.index_sort(sort);
  if (t_.kind(index) == SortKind::Bool || t_.kind(index) == SortKind::BitVec) {
    std::uint32_t width = t_.kind(index) == SortKind::Bool ? 1 : t_.width(index);
    if (width < 32 && written.size() * 2 >= (std::size_t{1} << width)) {
      std::size_t domain = std::size_t{1} << width;
      std::map<Term, std::size_t> count;
      count[fallback] = domain - written.size();
      for (const auto& [at, value] : written) ++count[value];
      Term zero = t_.default_value(index);
      Term chosen = written.contains(zero) ? written[zero] : fallback;
      for (const auto& [value, times] : count)
        if (times * 2 > domain) chosen = value;
      for (std::size_t i = 0; i < domain; ++i) {
        Term at = t_.kind(index) == SortKind::Bool
                      ? t_.boolean(i != 0)
                      : t_.bv(mpz_class(static_cast<unsigned long>(i)), width);
        written.try_emplace(at, fallback);
      }
      fallback = chosen;
    }
  }
  Term array = t_.make_const_array(sort, fallback);
  for (const auto& [at, value] : written)
    if (value != fallback) array = intern(Op::Store, {array, at, value});
  return array;
}

}  // namespace lem
