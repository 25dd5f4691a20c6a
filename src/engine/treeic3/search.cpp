#include "engine/treeic3/search.h"

#include <algorithm>
#include <cassert>

#include "base/assert.h"
#include "engine/parts/cfa/contracts.h"
#include "engine/parts/common/outcome.h"

namespace lem::engine {

TreeIc3Search::TreeIc3Search(const Cfa& cfa, const TreeIc3Config& config, const Context& ctx)
    : cfa_(cfa),
      config_(config),
      ctx_(ctx),
      stats_(ctx.stats),
      terms_(cfa.terms()),
      literals_(terms_),
      steps_(cfa, 0),
      queries_(steps_, literals_, lemmas_, ctx),
      runs_(cfa, steps_, ctx),
      interpolants_(terms_, cfa.variables(), runs_.next(), config.interpolant_ms, ctx),
      congruences_(terms_, literals_, config.congruences),
      tree_(cfa.locations().size(), cfa.initial()),
      vocabulary_(cfa.locations().size()),
      predicates_(cfa.locations().size()) {}

/// The tree is complete when every leaf is covered: its formulas are then inductive.
CfaAnswer TreeIc3Search::run() {
  if (cfa_.initial() == cfa_.error()) return run_of_no_edges(cfa_);
  while (!stopped()) {
    std::optional<NodeId> leaf = tree_.next_open();  // depth first
    if (!leaf) return invariants();
    if (cover(*leaf)) continue;
    Blocked outcome = strengthen(*leaf);  // no step leads from it to the error location
    if (outcome == Blocked::Counterexample) return std::move(*trace_);
    if (outcome == Blocked::Stopped) break;
    close_path(*leaf);
    if (tree_.next_open() == leaf) expand(*leaf);
  }
  return unknown(ctx_);
}

TreeIc3Search::Blocked TreeIc3Search::strengthen(NodeId leaf) {
  for (StepId step : steps_.out_of(tree_[leaf].at)) {
    if (steps_[step].to != cfa_.error()) continue;
    Blocked outcome = rule_out(leaf, step);
    if (outcome != Blocked::Done) return outcome;
  }
  return stopped() ? Blocked::Stopped : Blocked::Done;
}

/// Stronger nodes on the path may be covered now; the first one takes its subtree along.
void TreeIc3Search::close_path(NodeId leaf) {
  for (NodeId id : tree_.path_to(leaf)) {
    if (tree_[id].gone) return;  // below a node that no state reaches
    if (!cover(id)) continue;
    if (id != leaf) ++stats_.cut;
    return;
  }
}

void TreeIc3Search::expand(NodeId leaf) {
  assert(!tree_[leaf].expanded && !tree_[leaf].covered_by && "an open leaf is expanded");
  tree_.set_expanded(leaf);
  if (is_dead(leaf)) return;
  std::span<const StepId> steps = steps_.out_of(tree_[leaf].at);
  for (std::size_t i = steps.size(); i-- > 0 && !stopped();) {  // the first one is opened last
    if (steps_[steps[i]].to == cfa_.error()) continue;
    smt::Answer answer = queries_.ask(tree_[leaf].lemmas, steps[i], {});
    if (answer == smt::Answer::Unknown) gave_up_ = true;
    if (answer != smt::Answer::Sat) continue;
    tree_.add_child(leaf, steps[i], steps_[steps[i]].to);
    refuted_.resize(tree_.size());
    ++stats_.nodes;
  }
}

/// Looks for an older node of the location that claims no more.
bool TreeIc3Search::cover(NodeId id) {
  if (id == NodeId::Root || is_dead(id)) return false;
  std::vector<NodeId> older(tree_.at(tree_[id].at).begin(), tree_.at(tree_[id].at).end());
  for (NodeId by : older) {
    if (by >= id || stopped()) return false;
    if (tree_[by].covered_by || is_dead(by) || !covers(by, id)) continue;
    tree_.cover(id, by);
    ++stats_.covered;
    return true;
  }
  return false;
}

bool TreeIc3Search::covers(NodeId by, NodeId id) {
  assert(by < id && tree_[by].at == tree_[id].at && "older nodes of the location cover");
  std::span<const LemmaId> claims = tree_[by].lemmas.strongest();
  return std::all_of(claims.begin(), claims.end(), [&](LemmaId lemma) { return holds(id, lemma); });
}

/// Whether the lemma holds at the node, because of the node before it.
///   ensure: the node has it then
bool TreeIc3Search::holds(NodeId id, LemmaId lemma) {
  const ArtNode& node = tree_[id];
  if (node.lemmas.has(lemmas_, lemma)) return true;
  assert(id != NodeId::Root && index(id) < refuted_.size() && "a node below the root");
  const NodeLemmas& before = tree_[node.parent].lemmas;
  Refuted& refuted = refuted_[index(id)];
  if (refuted.version != before.version()) refuted = {before.version(), {}};
  if (refuted.lemmas.contains(lemma)) return false;
  if (!queries_.known(before, node.step, lemma)) {
    StepQueries::Reply reply = queries_.ask_why(before, node.step, lemmas_[lemma].lits());
    if (!reply.blocked()) {
      refuted.lemmas.insert(lemma);
      return false;
    }
    queries_.record(node.step, lemma, std::move(reply.core.before));
  }
  ++stats_.pushed;
  add_lemma(id, lemma);
  return true;
}

/// require: the lemma holds at the node, which is not the root
void TreeIc3Search::add_lemma(NodeId id, LemmaId lemma) {
  assert(id != NodeId::Root && "every state there is initial");
  LEM_CHECKED(!sample_.due() || follows(id, lemma), "the node before does not imply the lemma");
  tree_[id].lemmas.add(lemmas_, lemma);
  stats_.uncovered.value += tree_.uncover(id);
  if (is_dead(id)) tree_.cut_below(id);
  std::vector<LemmaId>& known = vocabulary_[index(tree_[id].at)];
  if (std::find(known.begin(), known.end(), lemma) == known.end()) known.push_back(lemma);
}

/// What the lemmas of a node say.
Term TreeIc3Search::claim(NodeId id) const {
  std::vector<Term> clauses;
  for (LemmaId lemma : tree_[id].lemmas.strongest())
    clauses.push_back(terms_.make_not(literals_.conjunction(lemmas_[lemma].lits())));
  return terms_.make_and(clauses);
}

/// For checked builds: the node before and the step imply the lemma.
bool TreeIc3Search::follows(NodeId id, LemmaId lemma) {
  return excluded_after(steps_, tree_[id].step, claim(tree_[id].parent),
                        literals_.conjunction(lemmas_[lemma].lits()));
}

/// At every location, what one of its nodes claims.
LocationInvariants TreeIc3Search::invariants() const {
  LocationInvariants result;
  for (std::uint32_t i = 0; i < cfa_.locations().size(); ++i) {
    std::vector<Term> claims;
    for (NodeId id : tree_.at(LocationId{i})) {
      if (!tree_[id].covered_by) claims.push_back(claim(id));
    }
    result.at.push_back(terms_.make_or(claims));
  }
  return result;
}

}  // namespace lem::engine
