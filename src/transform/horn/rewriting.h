// A Horn system made from another one, with the way back for both kinds of evidence. A pass says
// what became of every predicate and which clauses each new clause was made of; from that alone
// models and derivations are translated. Tests: tests/unit/transform/horn_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "transform/transform.h"

namespace lem::transform {

/// What became of a predicate.
enum class Fate : std::uint8_t {
  Kept,
  False,    // it has no derivation
  True,     // no query depends on it
  Inlined,  // it means what its clauses say
};

/// Clauses of the system before, resolved with each other: the one that gives the head, and those
/// that derive its premises.
struct ClauseTree {
  struct Premise {
    bool is_node;  // of this tree; else an atom in the body of the new clause
    std::size_t index;
  };
  struct Node {
    std::size_t clause;
    std::vector<Premise> premises;  // one for each body atom
  };
  std::vector<Node> nodes;  // the first one gives the head; premises stand after it
};

struct HornRewriting {
  HornSystem after;
  std::vector<Fate> fates;                     // by predicate before
  std::vector<PredicateId> numbers;            // after, of those that are kept
  std::vector<std::vector<std::size_t>> args;  // arguments that kept ones still have, in order
  std::vector<ClauseTree> trees;               // by clause after
};

/// The identity, for passes to start from.
HornRewriting unchanged(const HornSystem& system);

/// The problem over the new system.
Transformed rewritten(const Problem& before, HornRewriting rewriting);

}  // namespace lem::transform
