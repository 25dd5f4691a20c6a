// Blocking along the path to a node, as IC3 does along its frames.
#include <algorithm>

#include "engine/parts/cfa_preimage.h"
#include "engine/treeic3/search.h"
#include "term/traverse.h"

namespace lem {

static Lit positive(Lit lit) {
  return {lit.var(), false};
}

/// Makes the formulas along the path to the leaf strong enough that the step leads nowhere.
///   ensure: Counterexample: the cubes lead back to the root, a real run if they are projected
TreeIc3::Blocked TreeIc3::block(NodeId leaf, StepId error, Cubes cubes) {
  while (!stopped()) {
    smt::Answer answer = queries_.ask(tree_[leaf].lemmas, error, {});
    if (answer == smt::Answer::Unsat) return Blocked::All;
    if (answer == smt::Answer::Unknown) break;
    std::vector<Obligation> stack;
    stack.push_back({leaf, predecessor(leaf, error, {}, cubes)});
    while (!stack.empty() && !stopped()) {
      if (stack.back().at == NodeId::Root) return Blocked::Counterexample;
      if (!discharge(stack, cubes)) gave_up_ = true;
    }
  }
  gave_up_ = true;
  return Blocked::Stopped;
}

/// The last obligation: blocked, or its predecessor is asked for first. False if a solver gives up.
bool TreeIc3::discharge(std::vector<Obligation>& stack, Cubes cubes) {
  Obligation top = stack.back();
  if (tree_[top.at].lemmas.excludes(lemmas_, top.cube)) {
    stack.pop_back();
    return true;
  }
  const ArtNode& node = tree_[top.at];
  StepQueries::Core core;
  switch (queries_.ask(tree_[node.parent].lemmas, node.step, top.cube.lits(), &core)) {
    case smt::Answer::Unsat:
      if (!blocked_as_elsewhere(top)) learn(top, std::move(core));
      stack.pop_back();
      return true;
    case smt::Answer::Sat:
      ++obligations_;
      stack.push_back({node.parent, predecessor(node.parent, node.step, top.cube.lits(), cubes)});
      return true;
    case smt::Answer::Unknown:
      return false;
  }
  return false;
}

/// By a lemma that another node of the location has and that holds here, too.
bool TreeIc3::blocked_as_elsewhere(const Obligation& obligation) {
  if (!config_.reuse) return false;
  const std::vector<LemmaId> known = vocabulary_[index(tree_[obligation.at].at)];
  return std::any_of(known.begin(), known.end(), [&](LemmaId lemma) {
    if (!lemmas_[lemma].subsumes(obligation.cube) || !holds(obligation.at, lemma)) return false;
    ++reused_;
    return true;
  });
}

/// require: the core is excluded by the node before
void TreeIc3::learn(const Obligation& obligation, StepQueries::Core core) {
  const ArtNode& node = tree_[obligation.at];
  const NodeLemmas& before = tree_[node.parent].lemmas;
  for (std::size_t i = 0; config_.drop && i < core.cube.size() && core.cube.size() > 1;) {
    std::vector<Lit> fewer = core.cube;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    StepQueries::Core smaller;
    if (queries_.ask(before, node.step, fewer, &smaller) == smt::Answer::Unsat)
      core = std::move(smaller);
    else
      ++i;
  }
  Cube cube(core.cube);
  if (config_.cubes == TreeIc3Config::Cubes::Ia) add_predicates(node.at, cube);
  LemmaId lemma = lemmas_.of(cube);
  lemma_count_.value = lemmas_.size();
  queries_.note(node.step, lemma, std::move(core.before));
  add_lemma(obligation.at, lemma);
}

/// require: the last query along the step was satisfiable
///   ensure: projected: every state of the cube has a successor in `cube`; else the values of all
///           predicates of the location that matter
Cube TreeIc3::predecessor(NodeId at, StepId step, std::span<const Lit> cube, Cubes cubes) {
  if (at == NodeId::Root) return {};
  auto before = preimage_around(
      terms_, cfa_.variables(), steps_[step], preimage_parts(steps_, literals_, step, cube),
      [&](Term term) { return queries_.value(step, term); }, queries_.projector(step));
  if (!before) gave_up_ = true;
  if (!before) return {};
  if (cubes == Cubes::Predicates) return abstraction(at, step, *before);
  std::vector<Lit> lits;
  for (Term literal : *before) lits.push_back(literals_.of(literal));
  return Cube(std::move(lits));
}

/// What the predicates of the location say of the projected state: literals that are predicates as
/// they are, for the others the values of predicates about the same variables.
Cube TreeIc3::abstraction(NodeId at, StepId step, const std::vector<Term>& projected) {
  const std::vector<Lit>& predicates = predicates_[index(tree_[at].at)];
  std::vector<Lit> lits;
  std::vector<Term> others;
  for (Term literal : projected) {
    Lit lit = literals_.of(literal);
    if (std::find(predicates.begin(), predicates.end(), positive(lit)) != predicates.end())
      lits.push_back(lit);
    else
      others.push_back(literal);
  }
  std::vector<Term> open = variables_of(terms_, others);
  for (Lit predicate : predicates) {
    std::vector<Term> used = variables_of(terms_, literals_.formula(predicate));
    if (!std::includes(open.begin(), open.end(), used.begin(), used.end())) continue;
    bool holds = terms_.is_true(queries_.value(step, literals_.formula(predicate)));
    lits.push_back(holds ? predicate : !predicate);
  }
  return Cube(std::move(lits));
}

}  // namespace lem
