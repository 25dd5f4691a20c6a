// Arrays of a symbolic execution, without a theory of arrays: elements written at known indices
// are kept apart like variables, writes at unknown indices are cases of later reads, and elements
// of an array that was never written are variables of their own (equal where indices are).
// Tests: tests/unit/engine/bmc/arrays_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/bmc/persistent_vector.h"
#include "term/term_store.h"

namespace lem::engine {

struct ArrayNode;
using ArrayRef = std::shared_ptr<const ArrayNode>;

class Arrays {
 public:
  explicit Arrays(TermStore& terms) : terms_(terms) {}

  /// What the array variable has at the start.
  ArrayRef unknown(Term variable);
  ArrayRef constant(Sort array, Term element);
  Term read(const ArrayRef& array, Term index);
  ArrayRef write(const ArrayRef& array, Term index, Term value);
  ArrayRef choose(Term condition, const ArrayRef& a, const ArrayRef& b);

  /// What holds of elements that were read since the last call: at equal indices they are equal.
  std::vector<Term> take_facts() { return std::exchange(facts_, {}); }

  /// Variables that stand for elements.
  const std::vector<Term>& elements() const { return all_elements_; }

  /// The array as a value, where `value` gives the values of scalar terms. `before`: an array and
  /// its value from which this one may differ little.
  struct Valued {
    ArrayRef array;
    Term value{};
  };
  Valued evaluate(const ArrayRef& array, const Valued& before,
                  const std::function<Term(Term)>& value);

 private:
  Term read_unknown(Term variable, Term index);
  Term read_entries(const ArrayNode& node, Term index, Term otherwise);
  std::uint32_t number_of(Term index);
  Term value_of(const ArrayNode& node, const std::function<Term(Term)>& value);

  TermStore& terms_;
  std::unordered_map<Term, std::uint32_t> numbers_;  // of indices that are values
  std::vector<Term> indices_;                        // by number
  struct Element {
    Term index, element;
  };
  std::unordered_map<Term, std::vector<Element>> read_;                // by array variable
  std::unordered_map<Term, std::unordered_map<Term, Term>> elements_;  // likewise, by index
  std::vector<Term> facts_, all_elements_;
};

}  // namespace lem::engine
