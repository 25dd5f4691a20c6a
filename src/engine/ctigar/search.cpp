// The loops of CTIGAR, those of IC3 [Birgmeier14 2.2].
#include "engine/ctigar/search.h"

#include <fmt/format.h>

#include "engine/parts/common/outcome.h"
#include "engine/parts/common/progress.h"

namespace lem::engine {

CtigarSearch::CtigarSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      frames_(system_, ctx, config_.frames),
      domain_(system_, frames_),
      lifting_(system_, frames_, ctx),
      refiner_(system_, domain_, config_, ctx),
      miner_(system_, config_.mine),
      blocker_(frames_, ctx, "ctigar",
               {.around_model = [this] { return domain_.abstract(state_of(model())); }}) {
  std::vector<Lit> bad;
  for (Term part : conjuncts(terms_, system_.bad())) bad.push_back(frames_.literal(part));
  bad_ = Cube(std::move(bad));
  Seeds seeds = find_seeds(system_, problem, config_.seeds(domain_), ctx);
  add_predicates(seeds.predicates);
  frames_.assume_invariants(seeds.invariants);
}

Verdict CtigarSearch::run() {
  if (!frames_.meets_initial({}))
    return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
  if (terms_.is_value(system_.bad()) && terms_.is_false(system_.bad()))
    return Safe{TermInvariant{terms_.boolean(true)}};
  if (auto trace = frames_.bad_in_init()) return Unsafe{std::move(*trace)};
  while (!stopped()) {
    switch (strengthen()) {  // until F_k => P
      case Outcome::Done:
        break;
      case Outcome::Counterexample:
        return Unsafe{std::move(*trace_)};
      case Outcome::Stopped:
        return unknown(ctx_);
    }
    frames_.extend();
    if (auto fixpoint = frames_.propagate())
      return Safe{TermInvariant{frames_.frame(next(*fixpoint))}};
  }
  return unknown(ctx_);
}

/// Obligations lowest frame first, until Bad itself is blocked at the top.
CtigarSearch::Outcome CtigarSearch::strengthen() {
  TimerScope timer(stats_.block);
  while (!stopped()) {
    auto popped = obligations_.pop(frames_.top());
    if (!popped) {
      if (frames_.excludes(frames_.top(), bad_.lits())) return Outcome::Done;
      obligations_.push(obligations_.make({bad_}).id(), frames_.top());
      continue;
    }
    Outcome outcome = discharge(popped->obligation.id(), popped->level);
    if (outcome != Outcome::Done) return outcome;
  }
  return Outcome::Stopped;
}

/// Blocks an obligation, or finds out why it cannot be.
CtigarSearch::Outcome CtigarSearch::discharge(ObligationId id, Level level) {
  if (ctx_.progress.due()) report_progress();
  ++stats_.obligations;
  refresh(id);
  const Cube& cube = obligations_[id].cube;
  if (frames_.meets_initial(cube.lits())) return at_initial(id, level);
  Level blocked = level;
  if (auto known = frames_.frames().blocked_at(level, cube)) {
    blocked = *known;
  } else {
    Induction consecution = frames_.inductive(level, cube.lits());  // in the abstract
    if (consecution.stopped()) return Outcome::Stopped;
    if (consecution.fails()) return consecution_failed(id, level);
    if (!details(id).lifted) ++stats_.unlifted_blocked;
    blocked = blocker_.block(level, consecution.core, config_.effort);
  }
  if (blocked < frames_.top()) obligations_.push(id, next(blocked));
  return stopped() ? Outcome::Stopped : Outcome::Done;
}

void CtigarSearch::report_progress() {
  ctx_.progress.publish(fmt::format(
      "ctigar: frame {}, predicates {}, refinements {}, obligations {}, {}", index(frames_.top()),
      domain_.size(), stats_.lifting_refinements.value + stats_.consecution_refinements.value,
      obligations_.size(), lemma_counts(frames_.frames())));
}

}  // namespace lem::engine
