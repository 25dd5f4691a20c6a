// HornSystem: constrained Horn clauses over predicates, the rung beside the ladder for what needs
// calls: a clause has any number of body atoms, so procedures, recursion and joins of summaries fit
// (docs/procedures.md). Plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "term/term_store.h"

namespace lem {

using PredicateId = std::size_t;  // index into HornSystem::predicates

struct Predicate {
  std::string name;
  std::vector<Sort> sorts;
  std::vector<std::string> arg_names;  // where an atom first has variables; "" elsewhere
};

struct HornAtom {
  PredicateId predicate;
  std::vector<Term> args;
};

/// For all values of its variables: body atoms & constraint => head. Without a head: a query, which
/// must not have a derivation.
struct HornClause {
  std::vector<HornAtom> body;
  Term constraint;
  std::optional<HornAtom> head;
  SourcePos at;
};

struct HornSystem {
  std::shared_ptr<TermStore> terms;  // shared with all that is derived from the system
  std::vector<Predicate> predicates;
  std::vector<HornClause> clauses;
};

/// Variables of a clause, in order of creation: the order of the values of a derivation's step.
std::vector<Term> variables_of(const HornSystem& system, const HornClause& clause);

}  // namespace lem
