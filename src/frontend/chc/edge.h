// Linear clauses in normal form: an edge from one predicate to another (or from nothing: a fact; to
// nothing: a query). Tests: tests/unit/frontend/chc_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "frontend/chc/horn.h"
#include "term/term_store.h"

namespace lem::chc {

/// A guarded assignment to places: place j becomes next[j] where the guard holds, for some values
/// of the locals. A place whose value the guard defines instead has next[j] == posts[j], a
/// variable.
struct Assignment {
  Term guard;
  std::vector<Term> next;
};

/// The variables an assignment is over; all others are its locals.
struct Frame {
  std::vector<Term> params;  // values before
  std::vector<Term> posts;   // values after
  bool relational = false;   // no need to keep values apart from guards: of facts
};

/// Variables of the assignment that the frame does not have, in order of creation.
std::vector<Term> locals_of(const TermStore& terms, const Frame& frame,
                            const Assignment& assignment);

/// The disjunction as one assignment. Both must be over the frame. Where the values of a place
/// differ, ite chooses: by a condition that one guard has and the other negates, else by a fresh
/// local; in a relational frame the guard defines the value. Locals of one sort are shared.
Assignment merge(TermStore& terms, const Frame& frame, const Assignment& a, const Assignment& b);

/// The disjunction of all, siblings (most conjuncts in common) first.
///   require: not empty
Assignment merge_all(TermStore& terms, const Frame& frame, std::vector<Assignment> list);

/// An edge of the graph of predicates. Over params of `from` and posts of `to`.
struct Edge {
  std::optional<PredicateId> from;
  std::optional<PredicateId> to;
  Assignment step;
};

/// Canonical variables of every predicate, so that edges compose by substitution.
class EdgeMaker {
 public:
  EdgeMaker(TermStore& terms, std::span<const Predicate> predicates);

  const Frame& frame_of(PredicateId predicate) const { return frames_[predicate]; }
  /// The frame of edges between the two.
  Frame frame(std::optional<PredicateId> from, std::optional<PredicateId> to) const;

  /// The edge of a clause with at most one body atom, its defined variables eliminated.
  Edge from_clause(const Clause& clause);
  /// First `in`, then `out`.  require: in.to == out.from, a predicate
  Edge compose(const Edge& in, const Edge& out);
  Edge merged(const Edge& a, const Edge& b);
  /// A copy of the assignment over fresh variables but for the params of `from`.
  Assignment opened(const Edge& edge);

 private:
  Edge finish(std::optional<PredicateId> from, std::optional<PredicateId> to, Assignment step);

  TermStore& t_;
  std::vector<Frame> frames_;
};

}  // namespace lem::chc
