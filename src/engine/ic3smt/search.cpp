// The loops of concrete IC3 modulo theories [Cimatti14 2.2].
#include "engine/ic3smt/search.h"

#include <fmt/format.h>

#include <cassert>

#include "engine/parts/common/outcome.h"
#include "engine/parts/common/progress.h"
#include "engine/parts/terms/concretize.h"
#include "engine/parts/terms/inequalities.h"

namespace lem::engine {

Ic3smtSearch::Ic3smtSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      frames_(system_, ctx, config_.frames),
      blocker_(frames_, ctx, "ic3smt",
               {.around_model =
                    [this] {
                      Cube state = cube_of(frames_.predecessor());
                      return std::vector<Lit>(state.lits().begin(), state.lits().end());
                    },
                .weaken =
                    [this](Level level, std::vector<Lit> cube) {
                      if (config_.weaken != Weaken::Combine) return cube;
                      return combine(level, std::move(cube));
                    }}) {}

/// The blocking and the propagation phase in turn [Cimatti14 2.2].
Verdict Ic3smtSearch::run() {
  if (!frames_.meets_initial({}))
    return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
  if (auto trace = frames_.bad_in_init()) return Unsafe{std::move(*trace)};
  while (!stopped()) {
    switch (strengthen()) {  // until F_k & Bad is unsatisfiable
      case Blocked::All:
        break;
      case Blocked::Counterexample:
        return Unsafe{std::move(*trace_)};
      case Blocked::Stopped:
        return unknown(ctx_);
    }
    frames_.extend();
    if (auto fixpoint = frames_.propagate())
      return Safe{TermInvariant{frames_.frame(next(*fixpoint))}};
  }
  return unknown(ctx_);
}

Ic3smtSearch::Blocked Ic3smtSearch::strengthen() {
  TimerScope timer(stats_.block);
  while (!stopped()) {
    auto popped = obligations_.pop(frames_.top());
    if (!popped) {
      std::optional<std::vector<Term>> violation = frames_.bad_in_top();
      if (!violation) return stopped() ? Blocked::Stopped : Blocked::All;
      obligations_.push(obligations_.make({cube_of(*violation)}).id(), frames_.top());
      continue;
    }
    Blocked outcome = discharge(popped->obligation.id(), popped->level);
    if (outcome != Blocked::All) return outcome;
  }
  return Blocked::Stopped;
}

/// Blocks the pair (s, i), or finds a predecessor of s to block at i - 1.
Ic3smtSearch::Blocked Ic3smtSearch::discharge(ObligationId id, Level level) {
  if (ctx_.progress.due()) report_progress();
  ++stats_.obligations;
  const Cube& cube = obligations_[id].cube;
  if (frames_.meets_initial(cube.lits())) return counterexample_from(id);
  Level blocked = level;
  if (auto known = frames_.frames().blocked_at(level, cube)) {
    blocked = *known;
  } else if (config_.check_blocked && frames_.excludes(level, cube.lits())) {
    blocked = level;
  } else {
    Induction answer = frames_.inductive(level, cube.lits());
    if (answer.stopped()) return Blocked::Stopped;
    if (answer.fails()) return enqueue_predecessor(id, level);
    blocked = blocker_.block(level, answer.core, config_.effort);
  }
  if (blocked < frames_.top()) obligations_.push(id, next(blocked));
  return stopped() ? Blocked::Stopped : Blocked::All;
}

/// After inductive() failed on the cube of `id`.
Ic3smtSearch::Blocked Ic3smtSearch::enqueue_predecessor(ObligationId id, Level level) {
  Cube cube = cube_of(frames_.predecessor());
  std::uint32_t depth = obligations_[id].depth + 1;
  auto predecessor = obligations_.make({std::move(cube), id, depth});
  if (level == Level{1}) return counterexample_from(predecessor.id());  // from an initial state
  obligations_.push(predecessor.id(), previous(level));
  obligations_.push(id, level);
  return Blocked::All;
}

/// A chain of obligations whose first cube meets Init is a counterexample: all states of a cube
/// step into the next one.
Ic3smtSearch::Blocked Ic3smtSearch::counterexample_from(ObligationId id) {
  if (stopped()) return Blocked::Stopped;
  std::vector<std::vector<Term>> cubes;
  for (ObligationId at : obligations_.chain(id))
    cubes.push_back(frames_.formulas(obligations_[at].cube.lits()));
  trace_ = concretize(system_, cubes, ctx_);
  infeasible_ = !trace_;
  return trace_ ? Blocked::Counterexample : Blocked::Stopped;
}

Cube Ic3smtSearch::cube_of(const std::vector<Term>& literals) {
  std::vector<Lit> cube;
  for (Term literal : literals) {
    if (terms_.is_true(literal)) continue;
    assert(!terms_.is_false(literal) && "a cube that holds in a model is not empty");
    std::vector<Term> parts;
    if (config_.weaken != Weaken::None) parts = sides_of(terms_, literal, BitOrders{});
    if (parts.empty()) parts = {literal};
    for (Term part : parts)
      if (!terms_.is_true(part)) cube.push_back(frames_.literal(part));
  }
  return Cube(std::move(cube));
}

/// Replaces two inequalities by their sum, which both imply, while the cube stays inductive: the
/// constants of single states go, the relation between variables stays. In the manner of the Farkas
/// conflicts of [Hoder12], with factors of 1 and checked by queries.
///   require, ensure: core is inductive relative to F_level-1 and meets no initial state
std::vector<Lit> Ic3smtSearch::combine(Level level, std::vector<Lit> core) {
  constexpr std::size_t kTrials = 12;
  std::size_t trials = 0;
  for (std::size_t i = 0; i < core.size(); ++i)
    for (std::size_t j = i + 1; j < core.size(); ++j) {
      std::optional<Term> sum = sum_of(terms_, frames_.formula(core[i]), frames_.formula(core[j]));
      if (!sum || ++trials > kTrials || stopped()) continue;
      std::vector<Lit> weaker;
      for (std::size_t k = 0; k < core.size(); ++k)
        if (k != i && k != j) weaker.push_back(core[k]);
      weaker.push_back(frames_.literal(*sum));
      if (frames_.meets_initial(weaker)) continue;
      Induction answer = frames_.inductive(level, weaker);
      if (!answer.holds()) continue;
      ++stats_.combined;
      core.assign(answer.core.begin(), answer.core.end());
      i = j = 0;  // from the first pair again
    }
  return core;
}

void Ic3smtSearch::report_progress() {
  ctx_.progress.publish(fmt::format("ic3smt: frame {}, atoms {}, obligations {}, {}",
                                    index(frames_.top()), frames_.num_atoms(), obligations_.size(),
                                    lemma_counts(frames_.frames())));
}

}  // namespace lem::engine
