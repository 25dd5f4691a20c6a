// What is known about the predicates, from both sides. Lemmas over-approximate what derivations of
// bounded height give (may-summaries); facts are sets of tuples that have a derivation
// (must-summaries), whatever their height.
#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "engine/spacer/rules.h"

namespace lem::engine {

enum class FactId : std::uint32_t {};
constexpr std::uint32_t index(FactId id) {
  return static_cast<std::uint32_t>(id);
}

/// Every tuple of `formula` has a derivation: by the rule, from tuples of the premises.
struct Fact {
  PredicateId predicate;
  Term formula;                  // over params
  std::size_t rule;              // of the predicate
  std::vector<FactId> premises;  // one for each atom of the rule's body
};

/// Holds for all tuples with a derivation of height `level` or less. A rule without body atoms
/// gives height 0.
struct CallLemma {
  std::vector<Term> cube;  // over params; the lemma is its negation
  Term formula;            // the lemma
  Level level;
};

struct Summaries {
  explicit Summaries(std::size_t predicates) : lemmas(predicates), facts_of(predicates) {}
  std::vector<std::vector<CallLemma>> lemmas;  // by predicate
  std::vector<Fact> facts;
  std::vector<std::vector<FactId>> facts_of;  // by predicate
};

}  // namespace lem::engine
