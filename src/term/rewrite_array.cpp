// Arrays. An array value is a constant array under stores at ascending indices with values other
// than the constant's, so that equal arrays are the same term.
#include <algorithm>
#include <cassert>
#include <map>
#include <optional>

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

/// All values of a sort, 0 first, if there are at most `limit`.
static std::optional<std::vector<Term>> small_domain(TermStore& terms, Sort sort,
                                                     std::size_t limit) {
  switch (terms.kind(sort)) {
    case SortKind::Bool:
      if (limit < 2) return {};
      return std::vector{terms.boolean(false), terms.boolean(true)};
    case SortKind::BitVec: {
      std::uint32_t width = terms.width(sort);
      if (width >= 32 || std::size_t{1} << width > limit) return {};
      std::vector<Term> all;
      for (unsigned long i = 0; i < 1UL << width; ++i) all.push_back(terms.bv(i, width));
      return all;
    }
    case SortKind::Float: {  // many encodings of NaN are one value
      FloatFormat format = terms.format(sort);
      if (format.bits() >= 32) return {};
      std::size_t encodings = std::size_t{1} << format.bits();
      if (encodings - (std::size_t{1} << format.significand) + 3 > limit) return {};
      std::vector<Term> all;
      for (unsigned long i = 0; i < encodings; ++i) {
        Term value = terms.floating({format, i});
        if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
      }
      return all;
    }
    case SortKind::Int:
    case SortKind::Real:
      return {};
    case SortKind::Array: {  // a sort has two values or more, so indices are fewer than arrays
      auto indices = small_domain(terms, terms.index_sort(sort), limit);
      auto elements = small_domain(terms, terms.element_sort(sort), limit);
      if (!indices || !elements) return {};
      std::vector<Term> all{terms.make_const_array(sort, elements->front())};
      for (Term index : *indices) {
        if (all.size() * elements->size() > limit) return {};
        std::vector<Term> more;
        for (Term array : all)
          for (Term element : *elements) more.push_back(terms.make_store(array, index, element));
        all = std::move(more);
      }
      return all;
    }
  }
  return {};
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
  if (auto domain = small_domain(t_, t_.index_sort(sort), written.size() * 2)) {
    std::map<Term, std::size_t> count;
    count[fallback] = domain->size() - written.size();
    for (const auto& [at, value] : written) ++count[value];
    auto first = written.find(domain->front());
    Term chosen = first != written.end() ? first->second : fallback;
    for (const auto& [value, times] : count)
      if (times * 2 > domain->size()) chosen = value;
    for (Term at : *domain) written.try_emplace(at, fallback);
    fallback = chosen;
  }
  Term array = t_.make_const_array(sort, fallback);
  for (const auto& [at, value] : written)
    if (value != fallback) array = intern(Op::Store, {array, at, value});
  return array;
}

}  // namespace lem
