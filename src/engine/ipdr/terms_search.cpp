// Interpolating PDR on transition systems; ipdr.cpp says how it differs from the one on bits.
#include "engine/ipdr/terms_search.h"

#include <string>

#include "engine/parts/common/outcome.h"
#include "engine/parts/terms/clauses_of_terms.h"
#include "smt/solvers.h"

namespace lem::engine {

IpdrTermsSearch::IpdrTermsSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      frames_(system_, ctx, {.prefix = "ipdr."}),
      blocker_(frames_, ctx, "ipdr", {}),
      unroller_(system_, "ipdr:"),
      solver_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)) {
  auto use = [&](std::unique_ptr<smt::Interpolator> source) {
    sources_.push_back(smt::isolate(std::move(source), terms_, ctx.stop, config_.interpolant_ms));
  };
  auto wants = [&](Source source) {
    return config_.interpolant == Source::All || config_.interpolant == source;
  };
  if (wants(Source::Proof))
    sources_.push_back(smt::make_proof_interpolator(terms_, ctx.stop, config_.interpolant_ms));
  if (wants(Source::Spacer)) use(smt::make_spacer_interpolator(terms_));
  if (wants(Source::Backward)) use(smt::make_backward_interpolator(terms_, ctx.stop));
}

/// [Wolff Listing 1] with the frontier extension of Listing 7.
Verdict IpdrTermsSearch::run() {
  if (!frames_.meets_initial({}))
    return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
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
      return Safe{TermInvariant{frames_.clauses().frame(next(*fixpoint))}};
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
    solver_->add(unroller_.at(frames_.clauses().frame(i), index(i)));
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
  smt::Path path{
      system_.current(), system_.next(), frames_.clauses().frame(first_), {}, system_.bad()};
  Term step = terms_.make_or(system_.trans(), system_.prime(system_.init()));
  for (Level i = first_; i < frames_.top(); ++i)
    path.steps.push_back(i == first_ ? step : terms_.make_and(frames_.clauses().frame(i), step));
  return path;
}

/// From left to right: a clause of J_i is inductive relative to F_i-1, which has the clauses of
/// J_i-1 by then.
void IpdrTermsSearch::strengthen(const smt::Sequence& sequence) {
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
  if (cube.empty() || frames_.clauses().lists().blocked_at(i, cube)) return;
  Induction answer = frames_.meets_initial(cube.lits()) ? Induction{Induction::Fails}
                                                        : frames_.inductive(i, cube.lits());
  if (answer.holds())
    blocker_.block(i, answer.core, config_.effort);
  else
    ++stats_.rejected;
}

void IpdrTermsSearch::report() {
  if (ctx_.progress.due())
    ctx_.progress.publish("ipdr: frame " + std::to_string(index(frames_.top())) + ", " +
                          std::to_string(frames_.clauses().lists().size()) + " lemmas, " +
                          std::to_string(stats_.suffix_queries.value) + " suffix queries");
}

}  // namespace lem::engine
