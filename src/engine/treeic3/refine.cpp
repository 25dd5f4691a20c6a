// Abstract counterexamples: real runs, or lemmas and predicates that rule them out.
#include <algorithm>
#include <cassert>

#include "base/assert.h"
#include "engine/parts/terms/clauses_of_terms.h"
#include "engine/treeic3/search.h"

namespace lem::engine {

/// Blocks what leads along the path to the leaf and from there to the error location.
TreeIc3Search::Blocked TreeIc3Search::rule_out(NodeId leaf, StepId error) {
  if (queries_.ask(tree_[leaf].lemmas, error, {}) == smt::Answer::Unsat) return Blocked::Done;
  if (config_.cubes == TreeIc3Config::Cubes::Itp) {
    Blocked outcome = refine(leaf, error);
    if (outcome != Blocked::Done) return outcome;
  }
  Blocked outcome = block(leaf, error, Spurious::Report);  // what is left, if anything
  if (outcome == Blocked::Spuriously) {
    outcome = refine(leaf, error);
    if (outcome == Blocked::Done) outcome = block(leaf, error, Spurious::Learn);
  }
  if (outcome != Blocked::Counterexample || trace_) return outcome;
  outcome = follow(leaf, error).outcome;
  LEM_CHECKED(outcome != Blocked::Done,
              "the obligations lead along the path to the error location");
  if (outcome == Blocked::Done) gave_up_ = true;
  return gave_up_ ? Blocked::Stopped : outcome;
}

/// Whether the path is a real run; if it is none, why.
TreeIc3Search::Followed TreeIc3Search::follow(NodeId leaf, StepId error) {
  TimerScope timer(stats_.follow);
  std::vector<StepId> steps;
  for (NodeId id : tree_.path_to(leaf))
    if (id != NodeId::Root) steps.push_back(tree_[id].step);
  steps.push_back(error);
  assert(steps.size() == tree_[leaf].depth + 1 && "one step for each node, and the error");
  CfaRuns::Found found = runs_.along(steps);
  if (found.answer == smt::Answer::Sat) {
    trace_ = std::move(found.run);
    return {Blocked::Counterexample, {}};
  }
  if (found.answer == smt::Answer::Unsat) return {Blocked::Done, std::move(found.core)};
  gave_up_ = true;
  return {Blocked::Stopped, {}};
}

/// Following paths and interpolating them may take a share of the time for queries, with some
/// grace: projection does without.
bool TreeIc3Search::may_interpolate() const {
  constexpr double kGrace = 0.5;  // seconds
  double share = config_.interpolant_share / 100.0;
  return stats_.follow.seconds + interpolants_.seconds() <= kGrace + share * queries_.seconds();
}

/// Where congruences rule cubes out, interpolants over integers are bounds that never become
/// inductive.
bool TreeIc3Search::is_congruent(NodeId leaf) const {
  std::vector<NodeId> path = tree_.path_to(leaf);
  return std::any_of(path.begin(), path.end(),
                     [&](NodeId id) { return congruent_at_.contains(tree_[id].at); });
}

/// Learns from the path as a whole: interpolants become lemmas of its nodes, their atoms predicates
/// of its locations.
TreeIc3Search::Blocked TreeIc3Search::refine(NodeId leaf, StepId error) {
  ++stats_.refinements;
  if (!may_interpolate() || is_congruent(leaf) || !interpolants_.due()) return Blocked::Done;
  Followed followed = follow(leaf, error);
  if (followed.outcome != Blocked::Done) return followed.outcome;
  std::optional<smt::Sequence> sequence = interpolants_.along(followed.contradiction);
  if (!sequence) return Blocked::Done;
  std::vector<NodeId> path = tree_.path_to(leaf);
  for (std::size_t i = 1; i < path.size() && !stopped(); ++i)
    for (const std::vector<Term>& clause : clauses_of_term(terms_, (*sequence)[i - 1]))
      adopt(path[i], clause);
  return stopped() ? Blocked::Stopped : Blocked::Done;
}

/// The clause as a lemma of the node, if it holds there, and its atoms as predicates.
void TreeIc3Search::adopt(NodeId id, const std::vector<Term>& clause) {
  std::vector<Lit> lits;
  for (Term literal : clause) {
    if (!literals_.is_literal(literal)) return;
    lits.push_back(!literals_.of(literal));
  }
  Cube cube(std::move(lits));
  if (config_.cubes == TreeIc3Config::Cubes::Ia) add_predicates(tree_[id].at, cube);
  if (!cube.empty() && holds(id, lemmas_.of(cube))) ++stats_.adopted;
}

void TreeIc3Search::add_predicates(LocationId at, const Cube& cube) {
  std::vector<Lit>& known = predicates_[index(at)];
  for (Lit lit : cube.lits()) {
    Lit positive(lit.var(), false);
    if (std::find(known.begin(), known.end(), positive) != known.end()) continue;
    known.push_back(positive);
    ++stats_.predicates;
  }
}

}  // namespace lem::engine
