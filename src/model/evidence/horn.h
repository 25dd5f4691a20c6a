// Evidence about Horn systems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/rung.h"
#include "term/term.h"

namespace lem {

/// P(params) holds where `formula` does. Without a formula: where one of the clauses of P gives it,
/// for some values of the clause's other variables. Such predicates do not depend on themselves.
struct PredicateMeaning {
  std::vector<Term> params;  // distinct variables
  Term formula{};            // over them
  friend bool operator==(const PredicateMeaning&, const PredicateMeaning&) = default;
};

/// A model of the clauses: under it every clause is true.
struct Interpretation {
  std::vector<PredicateMeaning> of;  // by predicate

  static constexpr Rung kRung = Rung::Horn;
  std::optional<std::uint32_t> induction_depth() const { return {}; }
  friend bool operator==(const Interpretation&, const Interpretation&) = default;
};

/// A ground derivation of a query: a DAG whose steps stand after their premises.
struct Derivation {
  struct Step {
    std::size_t clause;                 // its index
    std::vector<Term> values;           // of variables_of(clause)
    std::vector<std::size_t> premises;  // earlier steps, one for each body atom
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;  // the last one is a query

  static constexpr Rung kRung = Rung::Horn;
  std::size_t length() const { return steps.size(); }
  /// The height of the tree: premises below each other.
  std::size_t depth() const;
  friend bool operator==(const Derivation&, const Derivation&) = default;
};

}  // namespace lem
