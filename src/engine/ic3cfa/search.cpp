// Algorithms 12 to 14 of [Lange18]. Tests: tests/unit/engine/ic3cfa/*_test.cpp,
// tests/papers/ic3cfa_example_test.cpp, tests/fuzz/cfa_fuzz_test.cpp.
#include "engine/ic3cfa/search.h"

#include <cassert>

#include "base/assert.h"

namespace lem {

Ic3cfaSearch::Ic3cfaSearch(const Cfa& cfa, const Ic3cfaConfig& config, const Context& ctx)
    : cfa_(cfa),
      config_(config),
      ctx_(ctx),
      terms_(cfa.terms()),
      literals_(terms_),
      steps_(cfa, config.split),
      frames_(cfa.locations().size()),
      inductivity_(cfa, steps_, literals_, frames_, config_, ctx),
      generalizer_(steps_, literals_, frames_, inductivity_, config_, ctx),
      runs_(cfa, steps_, ctx.stop),
      obligations_(ObligationQueue::Ties::Rank),
      random_(config.seed),
      lemmas_(ctx.stats.counter("ic3cfa.lemmas")),
      obligation_count_(ctx.stats.counter("ic3cfa.obligations")),
      depth_(ctx.stats.counter("ic3cfa.depth")),
      immediate_(ctx.stats.counter("ic3cfa.blocked-immediately")),
      reused_(ctx.stats.counter("ic3cfa.obligations-reused")),
      excluded_(ctx.stats.counter("ic3cfa.excluded-semantically")),
      pushed_(ctx.stats.counter("ic3cfa.pushed")),
      without_query_(ctx.stats.counter("ic3cfa.pushed-without-query")),
      approximate_(ctx.stats.counter("ic3cfa.preimages-in-part")),
      covered_(ctx.stats.counter("ic3cfa.ended-by-coverage")),
      propagate_(ctx.stats.timer("ic3cfa.propagate")) {}

/// Algorithm 12. F_0 is the initial location with any data, F_1 is everything.
CfaAnswer Ic3cfaSearch::run() {
  if (cfa_.initial() == cfa_.error()) return run_of_no_edges(cfa_);
  while (!stopped()) {
    switch (strengthen()) {
      case Blocked::All:
        break;
      case Blocked::Counterexample:
        return std::move(*trace_);
      case Blocked::Stopped:
        return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
    }
    extend();
    if (auto claims = propagate()) return invariants(*claims);
  }
  return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
}

/// The next iteration starts with the obligations of this one, a level higher [Lange18 4.2.4].
void Ic3cfaSearch::extend() {
  frames_.extend();
  depth_.value = lem::index(frames_.top());
  for (const auto& [obligation, level] : masked_) {
    obligations_.push(obligation.id(), level);
    ++reused_;
  }
  masked_.clear();
}

/// Algorithm 13: no edge leads from F_top to the error location.
Ic3cfaSearch::Blocked Ic3cfaSearch::strengthen() {
  while (!stopped()) {
    if (auto popped = obligations_.pop(frames_.top())) {
      Blocked outcome = discharge(popped->obligation.id(), popped->level);
      if (outcome != Blocked::All) return outcome;
      continue;
    }
    std::size_t before = obligations_.size();
    if (violations() != Blocked::All || stopped()) return Blocked::Stopped;
    if (obligations_.size() == before) return Blocked::All;
  }
  return Blocked::Stopped;
}

/// CTI regions: an obligation for each edge that leads from F_top to the error location.
Ic3cfaSearch::Blocked Ic3cfaSearch::violations() {
  Level top = frames_.top();
  for (StepId step : steps_.into(cfa_.error())) {
    if (inductivity_.single(top, step, {}, Need::Critical) != smt::Answer::Sat) continue;
    Preimage before = predecessor(step, {});
    if (stopped()) return Blocked::Stopped;
    obligations_.push(make_obligation(before.cube, step, ObligationId::None).id(), top);
  }
  return Blocked::All;
}

ObligationHandle Ic3cfaSearch::make_obligation(const std::vector<Term>& cube, StepId step,
                                               ObligationId successor) {
  std::vector<Lit> lits;
  for (Term formula : cube) lits.push_back(literals_.of(formula));
  std::uint32_t depth = successor == ObligationId::None ? 0 : obligations_[successor].depth + 1;
  std::uint32_t rank = this->rank(lits.size(), depth);
  ObligationHandle made = obligations_.make({Cube(std::move(lits)), {}, successor, depth, rank});
  auto slot = static_cast<std::size_t>(made.id());
  if (origins_.size() <= slot) origins_.resize(slot + 1);
  origins_[slot] = {steps_[step].from, step};
  ++obligation_count_;
  return made;
}

/// What orders obligations of one level, least first.
std::uint32_t Ic3cfaSearch::rank(std::size_t size, std::uint32_t depth) {
  auto cardinality = static_cast<std::uint32_t>(size);
  switch (config_.order) {
    case Ic3cfaConfig::Order::Smallest:
      return cardinality;
    case Ic3cfaConfig::Order::Largest:
      return UINT32_MAX - cardinality;
    case Ic3cfaConfig::Order::Random:
      return static_cast<std::uint32_t>(random_());
    case Ic3cfaConfig::Order::Shallow:
      return depth;
    case Ic3cfaConfig::Order::Deep:
      return UINT32_MAX - depth;
  }
  unreachable();
}

/// Algorithm 14, one obligation of its queue: every edge that violates inductivity gives a
/// predecessor; without one the cube is blocked.
Ic3cfaSearch::Blocked Ic3cfaSearch::discharge(ObligationId id, Level level) {
  const Origin& origin = origins_[static_cast<std::size_t>(id)];
  if (origin.at == cfa_.initial()) {
    trace_ = trace(id);
    return trace_ ? Blocked::Counterexample : Blocked::Stopped;
  }
  if (auto blocked = frames_.at(origin.at).blocked_at(level, obligations_[id].cube)) {
    requeue(id, next(*blocked));
    return Blocked::All;
  }
  std::vector<Lit> core;
  bool blocked = inductive(id, level, core);
  if (stopped()) return Blocked::Stopped;
  if (blocked)
    block(id, level, std::move(core));
  else
    obligations_.push(id, level);
  return stopped() ? Blocked::Stopped : Blocked::All;
}

/// Asks edge by edge (check_by_filter), or all edges at once before that (check_and_filter). What
/// came back after its exact preimages were blocked needs no query [Lange18 4.2.4].
bool Ic3cfaSearch::inductive(ObligationId id, Level level, std::vector<Lit>& core) {
  const auto slot = static_cast<std::size_t>(id);
  const LocationId here = origins_[slot].at;
  const Cube cube = obligations_[id].cube;
  const Level from = previous(level);
  if (config_.immediate && origins_[slot].expanded == level) {
    core.assign(cube.lits().begin(), cube.lits().end());
    ++immediate_;
    return true;
  }
  bool blocked = true, exact = true;
  if (config_.check == Ic3cfaConfig::Check::AndFilter &&
      inductivity_.all(from, here, cube.lits(), Need::Critical, &core) == smt::Answer::Unsat) {
    // every edge is settled
  } else {
    core.clear();
    for (StepId step : steps_.into(here)) {
      smt::Answer answer = inductivity_.single(from, step, cube.lits(), Need::Critical, &core);
      if (stopped()) return false;
      if (answer == smt::Answer::Unsat) continue;
      Preimage before = predecessor(step, cube.lits());
      if (stopped()) return false;
      obligations_.push(make_obligation(before.cube, step, id).id(), from);
      exact = exact && before.exact;
      blocked = false;
    }
  }
  if (!blocked && exact) origins_[slot].expanded = level;
  if (!config_.core) core.assign(cube.lits().begin(), cube.lits().end());
  return blocked;
}

/// require: the core is inductive at the level.
void Ic3cfaSearch::block(ObligationId id, Level level, std::vector<Lit> core) {
  const LocationId here = origins_[static_cast<std::size_t>(id)].at;
  Cube cube(generalizer_.generalize(level, here, obligations_[id].cube, std::move(core)));
  if (stopped()) return;
  if (config_.semantic_blocking &&
      inductivity_.meets(level, here, cube.lits()) == smt::Answer::Unsat) {
    ++excluded_;
  } else {
    add_lemma(here, level, cube);
    if (config_.push) level = push(here, level, cube);
  }
  requeue(id, next(level));
}

/// Moves a lemma of F_level as high as it holds. It is in the frame by now, so that loops may rely
/// on it: all edges are asked about the same cube, which Theorem 4.2 is no obstacle to.
Level Ic3cfaSearch::push(LocationId here, Level level, Cube cube) {
  std::vector<Lit> higher;
  while (level < frames_.top() &&
         inductivity_.each(level, here, cube.lits(), Need::Optional, &higher)) {
    if (config_.core && config_.generalize != Ic3cfaConfig::Generalize::None) cube = Cube(higher);
    add_lemma(here, ++level, cube);
  }
  return level;
}

/// An obligation that is blocked below `level`: asked again there at once, in the next iteration,
/// or not at all.
void Ic3cfaSearch::requeue(ObligationId id, Level level) {
  if (config_.requeue && level <= frames_.top()) return obligations_.push(id, level);
  if (!config_.reuse) return;
  masked_.push_back({obligations_.use(id), level});
}

void Ic3cfaSearch::add_lemma(LocationId at, Level level, const Cube& cube) {
  assert(at != cfa_.initial() && "every state there is initial");
  if (!frames_.add(at, level, cube)) return;
  ++lemmas_;
  for (Lit lit : cube.lits()) literals_.activity(lit) += 1;
}

/// require: what is claimed is inductive; no claim: no state comes there
LocationInvariants Ic3cfaSearch::invariants(const Claims& claims) const {
  LocationInvariants result;
  for (std::uint32_t i = 0; i < cfa_.locations().size(); ++i) {
    std::vector<Term> clauses;
    if (claims[i])
      frames_.for_each(LocationId{i}, *claims[i], [&](const Cube& cube) {
        clauses.push_back(terms_.make_not(literals_.conjunction(cube.lits())));
      });
    bool never = LocationId{i} == cfa_.error() || !claims[i];
    result.at.push_back(never ? terms_.boolean(false) : terms_.make_and(clauses));
  }
  return result;
}

/// The steps to the error location; every state of an obligation's cube takes them, with the right
/// values where commands leave them open.
std::optional<CfaTrace> Ic3cfaSearch::trace(ObligationId id) {
  std::vector<StepId> steps;
  for (; id != ObligationId::None; id = obligations_[id].successor)
    steps.push_back(origins_[static_cast<std::size_t>(id)].step);
  CfaRuns::Found found = runs_.along(steps);
  if (found.answer == smt::Answer::Sat) return std::move(found.run);
  gave_up_ = true;
  return {};
}

}  // namespace lem
