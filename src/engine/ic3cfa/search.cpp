// Algorithms 12 to 14 of [Lange18]. Tests: tests/unit/engine/ic3cfa/*_test.cpp,
// tests/papers/ic3cfa_example_test.cpp, tests/fuzz/cfa_fuzz_test.cpp.
#include "engine/ic3cfa/search.h"

#include <algorithm>
#include <cassert>

#include "base/assert.h"
#include "engine/parts/cfa/contracts.h"
#include "engine/parts/common/outcome.h"

namespace lem::engine {

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
      runs_(cfa, steps_, ctx),
      obligations_(
          [](const Obligation<Origin>& each) -> std::uint64_t { return each.details.rank; }),
      random_(1),
      stats_(ctx.stats) {}

/// Algorithm 12. F_0 is the initial location with any data, F_1 is everything.
CfaAnswer Ic3cfaSearch::run() {
  if (cfa_.initial() == cfa_.error()) return run_of_no_edges(cfa_);
  while (!stopped()) {
    switch (strengthen()) {
      case Outcome::Done:
        break;
      case Outcome::Counterexample:
        return std::move(*trace_);
      case Outcome::Stopped:
        return unknown(ctx_);
    }
    extend();
    if (auto claims = propagate()) return invariants(*claims);
  }
  return unknown(ctx_);
}

/// The next iteration starts with the obligations of this one, a level higher [Lange18 4.2.4].
void Ic3cfaSearch::extend() {
  frames_.extend();
  stats_.depth.value = lem::index(frames_.top());
  for (const auto& [obligation, level] : masked_) {
    obligations_.push(obligation.id(), level);
    ++stats_.reused;
  }
  masked_.clear();
}

/// Algorithm 13: no edge leads from F_top to the error location.
Outcome Ic3cfaSearch::strengthen() {
  while (!stopped()) {
    if (auto popped = obligations_.pop(frames_.top())) {
      Outcome outcome = discharge(popped->obligation.id(), popped->level);
      if (outcome != Outcome::Done) return outcome;
      continue;
    }
    std::size_t before = obligations_.size();
    if (violations() != Outcome::Done || stopped()) return Outcome::Stopped;
    if (obligations_.size() == before) return Outcome::Done;
  }
  return Outcome::Stopped;
}

/// CTI regions: an obligation for each edge that leads from F_top to the error location.
Outcome Ic3cfaSearch::violations() {
  Level top = frames_.top();
  for (StepId step : steps_.into(cfa_.error())) {
    if (inductivity_.on_edge(top, step, {}, Need::Critical).answer != smt::Answer::Sat) continue;
    Preimage before = predecessor(step, {});
    if (stopped()) return Outcome::Stopped;
    obligations_.push(make_obligation(before, ObligationId::None).id(), top);
  }
  return Outcome::Done;
}

Ic3cfaSearch::Queue::Handle Ic3cfaSearch::make_obligation(const Preimage& before,
                                                          ObligationId successor) {
  std::vector<Lit> lits;
  for (Term formula : before.cube) lits.push_back(literals_.of(formula));
  std::uint32_t depth = successor == ObligationId::None ? 0 : obligations_[successor].depth + 1;
  Origin origin{steps_[before.step].from, before.step, rank(lits.size(), depth)};
  Queue::Handle made = obligations_.make({Cube(std::move(lits)), successor, depth, origin});
  ++stats_.obligations;
  LEM_CHECKED(!sample_.due() || replays(made.id()), "the obligation's steps cannot be taken");
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
/// predecessor; without one the cube is blocked. What came back after its exact preimages were
/// blocked needs no query [Lange18 4.2.4].
Outcome Ic3cfaSearch::discharge(ObligationId id, Level level) {
  const Origin origin = obligations_[id].details;
  const Cube cube = obligations_[id].cube;  // copies: the pool moves when it grows
  if (origin.at == cfa_.initial()) {
    trace_ = trace(id);
    return trace_ ? Outcome::Counterexample : Outcome::Stopped;
  }
  assert(Level{0} < level && level <= frames_.top() && "F_0 is the initial location");
  if (auto blocked = frames_.at(origin.at).blocked_at(level, cube)) {
    requeue(id, next(*blocked));
    return Outcome::Done;
  }
  if (config_.immediate && origin.expanded == level) {
    ++stats_.immediate;
    block(id, level, {cube.lits().begin(), cube.lits().end()});
    return stopped() ? Outcome::Stopped : Outcome::Done;
  }
  Consecution consecution = inductive(level, origin.at, cube);
  switch (consecution.answer) {
    case Induction::Holds:
      block(id, level, std::move(consecution.core));
      break;
    case Induction::Fails:
      enqueue_predecessors(id, level, consecution.before);
      break;
    case Induction::Stopped:
      return Outcome::Stopped;
  }
  return stopped() ? Outcome::Stopped : Outcome::Done;
}

/// Asks edge by edge (check_by_filter), or all edges at once before that (check_and_filter).
Ic3cfaSearch::Consecution Ic3cfaSearch::inductive(Level level, LocationId here, const Cube& cube) {
  const Level from = previous(level);
  auto held_by = [&](std::vector<Lit> core) -> Consecution {
    if (!config_.core) core.assign(cube.lits().begin(), cube.lits().end());
    assert(Cube(core).subsumes(cube) && "a core is a part of the cube");
    return {Induction::Holds, std::move(core)};
  };
  if (config_.check == Ic3cfaConfig::Check::AndFilter) {
    auto reply = inductivity_.on_edges_at_once(from, here, cube.lits(), Need::Critical);
    if (stopped()) return {Induction::Stopped};
    if (reply.inductive()) return held_by(std::move(reply.core));
  }
  std::vector<Lit> needed;
  std::vector<Preimage> before;
  for (StepId step : steps_.into(here)) {
    auto reply = inductivity_.on_edge(from, step, cube.lits(), Need::Critical);
    if (stopped()) return {Induction::Stopped};
    needed = united(std::move(needed), reply.core);
    if (reply.inductive()) continue;
    before.push_back(predecessor(step, cube.lits()));
    if (stopped()) return {Induction::Stopped};
  }
  if (before.empty()) return held_by(std::move(needed));
  return {Induction::Fails, {}, std::move(before)};
}

/// Every edge that leads into the cube gives an obligation.
void Ic3cfaSearch::enqueue_predecessors(ObligationId id, Level level,
                                        const std::vector<Preimage>& before) {
  assert(!before.empty() && "without a predecessor the cube is blocked");
  for (const Preimage& each : before)
    obligations_.push(make_obligation(each, id).id(), previous(level));
  bool exact =
      std::all_of(before.begin(), before.end(), [](const auto& each) { return each.exact; });
  if (exact) obligations_[id].details.expanded = level;
  obligations_.push(id, level);
}

/// require: the core is inductive at the level.
void Ic3cfaSearch::block(ObligationId id, Level level, std::vector<Lit> core) {
  const LocationId here = obligations_[id].details.at;
  assert(here != cfa_.initial() && "every state there is initial");
  Cube cube(generalizer_.generalize(level, here, obligations_[id].cube, std::move(core)));
  if (stopped()) return;
  if (config_.semantic_blocking &&
      inductivity_.meets(level, here, cube.lits()) == smt::Answer::Unsat) {
    ++stats_.excluded;
  } else {
    add_lemma(here, level, cube);
    if (config_.push) level = push(here, level, cube);
  }
  requeue(id, next(level));
}

/// Moves a lemma of F_level as high as it holds. The lemma is in the frame by now, so loops may
/// rely on it; all edges are asked about the same cube, so this does not conflict with Theorem 4.2.
Level Ic3cfaSearch::push(LocationId here, Level level, Cube cube) {
  assert(Level{0} < level && level <= frames_.top() && "lemmas live in F_1 .. F_top");
  while (level < frames_.top()) {
    auto reply = inductivity_.inductive_on_all_edges(level, here, cube.lits(), Need::Optional);
    if (!reply.inductive()) break;
    if (config_.core && config_.generalize != Ic3cfaConfig::Generalize::None)
      cube = Cube(std::move(reply.core));
    add_lemma(here, ++level, cube);
  }
  return level;
}

/// An obligation that is blocked below `level`: asked again there at once, in the next iteration,
/// or not at all.
void Ic3cfaSearch::requeue(ObligationId id, Level level) {
  assert(Level{1} < level && "an obligation comes back above where it was blocked");
  if (config_.requeue && level <= frames_.top()) return obligations_.push(id, level);
  if (!config_.reuse) return;
  masked_.push_back({obligations_.use(id), level});
}

void Ic3cfaSearch::add_lemma(LocationId at, Level level, const Cube& cube) {
  assert(at != cfa_.initial() && "every state there is initial");
  LEM_CHECKED(!sample_.due() || follows(at, level, cube), "the frames before allow the cube");
  if (!frames_.add(at, level, cube)) return;
  ++stats_.lemmas;
  literals_.activity().bump(cube.lits());
}

/// For checked builds: no step leads from the frames before into the cube.
bool Ic3cfaSearch::follows(LocationId at, Level level, const Cube& cube) {
  Level from = previous(level);
  std::span<const StepId> into = steps_.into(at);
  return std::all_of(into.begin(), into.end(), [&](StepId step) {
    if (inductivity_.impossible(from, step)) return true;
    Term frame = from == Level{0} ? terms_.boolean(true) : claim(steps_[step].from, from);
    return excluded_after(steps_, step, frame, literals_.conjunction(cube.lits()));
  });
}

/// For checked builds: some state takes the steps of the obligation to the error location.
bool Ic3cfaSearch::replays(ObligationId id) {
  return runs_.along(steps_from(id)).answer != smt::Answer::Unsat;
}

/// F_(level,at) as a formula.
Term Ic3cfaSearch::claim(LocationId at, Level level) const {
  assert(level <= frames_.top() && "a frame that exists");
  std::vector<Term> clauses;
  frames_.for_each(at, level, [&](const Cube& cube) {
    clauses.push_back(terms_.make_not(literals_.conjunction(cube.lits())));
  });
  return terms_.make_and(clauses);
}

/// require: what is claimed is inductive; no claim: no state comes there
LocationInvariants Ic3cfaSearch::invariants(const Claims& claims) const {
  assert(claims.size() == cfa_.locations().size() && "every location has a claim or none");
  LocationInvariants result;
  for (std::uint32_t i = 0; i < cfa_.locations().size(); ++i) {
    bool never = LocationId{i} == cfa_.error() || !claims[i];
    result.at.push_back(never ? terms_.boolean(false) : claim(LocationId{i}, *claims[i]));
  }
  return result;
}

/// The steps to the error location; every state of an obligation's cube takes them, with the right
/// values where commands leave them open.
std::vector<StepId> Ic3cfaSearch::steps_from(ObligationId id) const {
  std::vector<StepId> steps;
  for (ObligationId at : obligations_.chain(id)) steps.push_back(obligations_[at].details.step);
  return steps;
}

std::optional<CfaTrace> Ic3cfaSearch::trace(ObligationId id) {
  CfaRuns::Found found = runs_.along(steps_from(id));
  LEM_CHECKED(found.answer != smt::Answer::Unsat, "the obligation's steps cannot be taken");
  if (found.answer == smt::Answer::Sat) return std::move(found.run);
  gave_up_ = true;
  return {};
}

}  // namespace lem::engine
