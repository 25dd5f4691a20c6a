// Blocking along the path to a node, as IC3 does along its frames.
#include <algorithm>
#include <cassert>

#include "engine/parts/cfa/preimage.h"
#include "engine/treeic3/search.h"
#include "term/traverse.h"

namespace lem::engine {

static Lit positive(Lit lit) {
  return {lit.var(), false};
}

/// Makes the formulas along the path to the leaf strong enough that the step leads nowhere.
///   ensure: Counterexample: the cubes lead back to the root along the path
TreeIc3Search::Blocked TreeIc3Search::block(NodeId leaf, StepId error, Spurious spurious) {
  assert(steps_[error].to == cfa_.error() && "the step leads to the error location");
  while (!stopped()) {
    smt::Answer answer = queries_.ask(tree_[leaf].lemmas, error, {});
    if (answer == smt::Answer::Unsat) return Blocked::Done;
    if (answer == smt::Answer::Unknown) break;
    std::vector<Obligation> stack{predecessor(leaf, error, {})};
    while (!stack.empty() && !stopped()) {
      if (stack.back().at == NodeId::Root) return Blocked::Counterexample;
      Discharged done = discharge(stack.back(), spurious);
      if (done.outcome == Blocked::Spuriously) return done.outcome;
      if (done.outcome == Blocked::Stopped) gave_up_ = true;
      if (done.before)
        stack.push_back(std::move(*done.before));
      else
        stack.pop_back();
    }
  }
  gave_up_ = true;
  return Blocked::Stopped;
}

/// Blocks the obligation, or finds the one before it. Stopped if a solver gives up.
TreeIc3Search::Discharged TreeIc3Search::discharge(const Obligation& top, Spurious spurious) {
  assert(top.at != NodeId::Root && "an obligation at the root is a counterexample");
  if (tree_[top.at].lemmas.excludes(lemmas_, top.cube) || blocked_by_predicates(top))
    return {Blocked::Done, {}};
  const ArtNode& node = tree_[top.at];
  StepQueries::Reply reply =
      queries_.ask_why(tree_[node.parent].lemmas, node.step, top.cube.lits());
  switch (reply.answer) {
    case smt::Answer::Unsat:
      if (top.abstract) ++stats_.spurious;
      if (top.abstract && spurious == Spurious::Report) return {Blocked::Spuriously, {}};
      if (!blocked_as_elsewhere(top.at, top.cube)) learn(top.at, std::move(reply.core));
      return {Blocked::Done, {}};
    case smt::Answer::Sat:
      ++stats_.obligations;
      return {Blocked::Done, predecessor(node.parent, node.step, top.cube.lits())};
    case smt::Answer::Unknown:
      break;
  }
  return {Blocked::Stopped, {}};
}

/// By a lemma that another node of the location has and that holds here, too.
bool TreeIc3Search::blocked_as_elsewhere(NodeId at, const Cube& cube) {
  if (!config_.reuse) return false;
  const std::vector<LemmaId> known = vocabulary_[index(tree_[at].at)];
  return std::any_of(known.begin(), known.end(), [&](LemmaId lemma) {
    if (!lemmas_[lemma].subsumes(cube) || !holds(at, lemma)) return false;
    ++stats_.reused;
    return true;
  });
}

/// Blocks what the predicates say of a state of the cube, if the node before excludes all of that.
bool TreeIc3Search::blocked_by_predicates(const Obligation& obligation) {
  if (!obligation.abstract) return false;
  const ArtNode& node = tree_[obligation.at];
  if (node.lemmas.excludes(lemmas_, *obligation.abstract)) return true;
  StepQueries::Reply reply =
      queries_.ask_why(tree_[node.parent].lemmas, node.step, obligation.abstract->lits());
  if (!reply.blocked()) return false;
  if (blocked_as_elsewhere(obligation.at, *obligation.abstract)) return true;
  ++stats_.abstract;
  learn(obligation.at, std::move(reply.core));
  return true;
}

/// require: the core is excluded by the node before
void TreeIc3Search::learn(NodeId at, StepQueries::Core core) {
  assert(at != NodeId::Root && "every state there is initial");
  LocationId location = tree_[at].at;
  StepId step = tree_[at].step;
  core = drop(at, std::move(core));
  core = weaken(at, std::move(core));
  Cube cube(core.cube);
  if (config_.cubes == TreeIc3Config::Cubes::Ia) add_predicates(location, cube);
  LemmaId lemma = lemmas_.of(cube);
  stats_.lemmas.value = lemmas_.size();
  queries_.record(step, lemma, std::move(core.before));
  add_lemma(at, lemma);
}

/// Tries to spare each literal.
StepQueries::Core TreeIc3Search::drop(NodeId at, StepQueries::Core core) {
  const ArtNode& node = tree_[at];
  for (std::size_t i = 0; i < core.cube.size() && core.cube.size() > 1;) {
    std::vector<Lit> fewer = core.cube;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    StepQueries::Reply reply = queries_.ask_why(tree_[node.parent].lemmas, node.step, fewer);
    if (reply.blocked())
      core = std::move(reply.core);
    else
      ++i;
  }
  return core;
}

/// Congruences in place of equations. What blocks a weaker cube blocks the cube, so the lemmas of
/// the last one are enough.
StepQueries::Core TreeIc3Search::weaken(NodeId at, StepQueries::Core core) {
  const ArtNode& node = tree_[at];
  auto is_blocked = [&](const std::vector<Lit>& weaker) {
    StepQueries::Reply reply = queries_.ask_why(tree_[node.parent].lemmas, node.step, weaker);
    if (!reply.blocked()) return false;
    core.before = std::move(reply.core.before);
    return true;
  };
  std::size_t replaced = congruences_.weaken(node.at, core.cube, is_blocked);
  stats_.congruent += replaced;
  if (replaced > 0) congruent_at_.insert(node.at);
  return core;
}

/// A cube around the model of the last query, which was about the step: every state of it leads
/// into the cube. The root has no lemmas: its obligation is empty.
TreeIc3Search::Obligation TreeIc3Search::predecessor(NodeId at, StepId step,
                                                     std::span<const Lit> cube) {
  if (at == NodeId::Root) return {at, {}, {}};
  auto before = preimage_around(
      terms_, cfa_.variables(), steps_[step], preimage_parts(steps_, literals_, step, cube),
      [&](Term term) { return queries_.value(step, term); }, queries_.projector(step));
  if (!before) gave_up_ = true;
  if (!before) return {at, {}, {}};
  std::vector<Lit> lits;
  for (Term literal : *before) lits.push_back(literals_.of(literal));
  Obligation obligation{at, Cube(std::move(lits)), {}};
  if (config_.cubes != TreeIc3Config::Cubes::Ia) return obligation;
  Cube abstract = abstraction(at, obligation.cube);
  if (abstract != obligation.cube) obligation.abstract = std::move(abstract);
  return obligation;
}

/// What the predicates of the location say of the cube: literals that are predicates as they are,
/// and predicates that the values of variables decide.
///   ensure: the cube implies it
Cube TreeIc3Search::abstraction(NodeId at, const Cube& cube) {
  const std::vector<Lit>& predicates = predicates_[index(tree_[at].at)];
  TermMap values;
  std::vector<Lit> lits;
  for (Lit lit : cube.lits()) {
    if (std::find(predicates.begin(), predicates.end(), positive(lit)) != predicates.end())
      lits.push_back(lit);
    Term formula = literals_.formula(lit);
    if (terms_.is_variable(terms_.atom_of(formula)))
      values[terms_.atom_of(formula)] = terms_.boolean(!lit.negative());
    if (terms_.op(formula) != Op::Eq) continue;
    Term left = terms_.arg(formula, 0), right = terms_.arg(formula, 1);
    if (terms_.is_value(left)) std::swap(left, right);
    if (terms_.is_variable(left) && terms_.is_value(right)) values[left] = right;
  }
  Substitution known(terms_, std::move(values));
  for (Lit predicate : predicates) {
    Term value = known.apply(literals_.formula(predicate));
    if (terms_.is_value(value)) lits.push_back(terms_.is_true(value) ? predicate : !predicate);
  }
  return Cube(std::move(lits));
}

}  // namespace lem::engine
