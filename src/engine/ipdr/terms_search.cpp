// Interpolating PDR on transition systems; ipdr.cpp says how it differs from the one on bits.
#include "engine/ipdr/terms_search.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "engine/parts/common/outcome.h"
#include "engine/parts/terms/clauses_of_terms.h"

namespace lem {

IpdrTermsSearch::IpdrTermsSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      frames_(system_, ctx, {.prefix = "ipdr."}),
      generalizer_(*this),
      unroller_(system_, "ipdr:"),
      solver_(smt::make_z3(terms_, smt::Workload::Stream, ctx.stop)) {
  using Interpolant = IpdrConfig::Interpolant;
  auto use = [&](std::unique_ptr<smt::Interpolator> source) {
    sources_.push_back(smt::isolate(std::move(source), terms_, ctx.stop, config_.interpolant_ms));
  };
  if (config_.interpolant != Interpolant::Backward) use(smt::make_spacer_interpolator(terms_));
  if (config_.interpolant != Interpolant::Spacer)
    use(smt::make_backward_interpolator(terms_, ctx.stop));
}

/// [Wolff Listing 1] with the frontier extension of Listing 7.
Verdict IpdrTermsSearch::run() {
  if (!meets_initial({})) return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
  if (auto trace = frames_.bad_in_init()) return Unsafe{std::move(*trace)};
  while (!stopped()) {
    switch (unrolled_query()) {  // F_0 & T & F_1 & ... & F_k & Bad
      case Reach::Bad:
        return Unsafe{std::move(*trace_)};
      case Reach::Stopped:
        return unknown(ctx_);
      case Reach::Safe:
        break;
    }
    if (!interpolate()) return unknown(ctx_);  // F_i := F_i & J_i
    frames_.extend();                          // F_k+1 := true
    if (auto fixpoint = frames_.propagate())
      return Safe{TermInvariant{frames_.frame(next(*fixpoint))}};
  }
  return unknown(ctx_);
}

/// Grows the path backwards from Bad, until it is refuted or starts in Init.
///   ensure: if Safe, F_first & T & ... & F_k & Bad is unsatisfiable
IpdrTermsSearch::Reach IpdrTermsSearch::unrolled_query() {
  TimerScope timer(stats_.suffixes);
  smt::Scope scope(*solver_);
  Level k = frames_.top();
  solver_->add(unroller_.at(system_.bad(), index(k)));
  for (Level i = k;; i = previous(i)) {
    solver_->add(unroller_.at(frames_.frame(i), index(i)));
    if (i < k) solver_->add(unroller_.between(system_.trans(), index(i)));
    if (!config_.shortest && index(i) > 0) continue;
    ++stats_.suffix_queries;
    smt::Answer answer = solver_->solve();
    gave_up_ = answer == smt::Answer::Unknown;
    if (gave_up_) return Reach::Stopped;
    first_ = i;
    if (answer == smt::Answer::Unsat) return Reach::Safe;
    if (index(i) == 0) break;
  }
  trace_ = system_.trace(index(k) + 1, [&](Term variable, std::size_t step) {
    return solver_->value(unroller_.at(variable, step));
  });
  return Reach::Bad;
}

/// Listing 7, lines 89-93.   ensure: F_k & Bad is unsatisfiable; false if no source served
bool IpdrTermsSearch::interpolate() {
  if (first_ == frames_.top()) return true;
  smt::Path query = path();
  for (const std::unique_ptr<smt::Interpolator>& source : sources_) {
    report();
    std::optional<smt::Sequence> sequence;
    {
      TimerScope timer(stats_.interpolate);
      sequence = source->interpolate(query);
    }
    if (!sequence || sequence->size() != query.steps.size() + 1) continue;
    strengthen(*sequence);
    if (stopped()) return false;
    bool refuted = !frames_.bad_in_top();
    if (stopped()) return false;
    if (!refuted) continue;
    ++ctx_.stats.counter("ipdr.interpolant-" + std::string(source->name()) + "-served");
    return true;
  }
  gave_up_ = true;
  return false;
}

/// From F_first to Bad, where every step may start anew.
smt::Path IpdrTermsSearch::path() {
  smt::Path path{system_.current(), system_.next(), frames_.frame(first_), {}, system_.bad()};
  Term step = terms_.make_or(system_.trans(), system_.prime(system_.init()));
  for (Level i = first_; i < frames_.top(); ++i)
    path.steps.push_back(i == first_ ? step : terms_.make_and(frames_.frame(i), step));
  return path;
}

/// From left to right: a clause of J_i is inductive relative to F_i-1, which has the clauses of
/// J_i-1 by then.
void IpdrTermsSearch::strengthen(const smt::Sequence& sequence) {
  TimerScope timer(stats_.generalize);
  for (Level i = next(first_); i <= frames_.top(); ++i)
    for (const std::vector<Term>& clause :
         clauses_of_term(terms_, sequence[index(i) - index(first_)])) {
      if (stopped()) return;
      std::vector<Lit> cube;
      for (Term literal : clause) cube.push_back(!frames_.literal(literal));
      block(i, Cube(std::move(cube)));
    }
}

void IpdrTermsSearch::block(Level i, const Cube& cube) {
  ++stats_.clauses;
  if (cube.empty() || frames_.frames().blocked_at(i, cube)) return;
  Induction answer =
      meets_initial(cube.lits()) ? Induction{Induction::Fails} : inductive(i, cube.lits());
  if (!answer.holds()) {
    ++stats_.rejected;
    return;
  }
  std::vector<Lit> core(answer.core.begin(), answer.core.end());
  core = generalizer_.generalize(i, std::move(core), config_.effort);
  BlockedCube blocked = push_up(*this, {i, std::move(core)}, frames_.top());
  if (stopped()) return;
  activity_.resize(frames_.num_atoms(), 0);
  for (Lit lit : blocked.cube) activity_[lit.var()] += 1;
  frames_.add_lemma(blocked.level, Cube(std::move(blocked.cube)));
}

/// Literals that rarely occur in lemmas are dropped first, of those the latest.
void IpdrTermsSearch::order(std::vector<Lit>& cube) const {
  auto activity = [&](Lit lit) { return lit.var() < activity_.size() ? activity_[lit.var()] : 0; };
  std::sort(cube.begin(), cube.end(), [&](Lit a, Lit b) {
    if (activity(a) != activity(b)) return activity(a) < activity(b);
    return b.code() < a.code();
  });
}

void IpdrTermsSearch::report() {
  if (ctx_.progress.due())
    ctx_.progress.publish("ipdr: frame " + std::to_string(index(frames_.top())) + ", " +
                          std::to_string(frames_.frames().size()) + " lemmas, " +
                          std::to_string(stats_.suffix_queries.value) + " suffix queries");
}

}  // namespace lem
