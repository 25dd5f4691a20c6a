// Horn clauses as they are in the file: what the parser makes and the reduction takes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "term/smtlib/sexpr.h"
#include "term/term_store.h"

namespace lem::chc {

using PredicateId = std::size_t;  // index into HornSystem::predicates

struct Predicate {
  std::string name;
  std::vector<Sort> sorts;
  std::vector<std::string> arg_names;  // where an atom first has variables; "" elsewhere
};

struct Atom {
  PredicateId predicate;
  std::vector<Term> args;
};

/// For all values of its variables: body atoms & constraint => head. Without a head: a query.
struct Clause {
  std::vector<Atom> body;
  Term constraint;
  std::optional<Atom> head;
  SourcePos at;
};

struct HornSystem {
  std::shared_ptr<TermStore> terms;
  std::vector<Predicate> predicates;
  std::vector<Clause> clauses;
  bool asserted = false;  // something is; clauses that are plainly true are left out
};

/// Error: not a Horn clause, a predicate below other structure than that of a clause, constants and
/// functions, anything that smtlib::TermParser refuses.
Result<HornSystem> parse_horn(const smtlib::Document& document);

}  // namespace lem::chc
