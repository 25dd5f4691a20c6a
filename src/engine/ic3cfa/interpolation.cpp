#include "engine/ic3cfa/interpolation.h"

#include <algorithm>
#include <cassert>

#include "smt/solvers.h"
#include "smt/theories.h"
#include "term/traverse.h"

namespace lem::engine {

CfaInterpolation::CfaInterpolation(CfaSteps& steps, CfaLiterals& literals, CfaFrames& frames,
                                   Inductivity& inductivity, const Ic3cfaConfig& config,
                                   const Context& ctx)
    : steps_(steps),
      literals_(literals),
      frames_(frames),
      inductivity_(inductivity),
      config_(config),
      ctx_(ctx),
      terms_(inductivity.terms()),
      scratch_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)),
      stats_(ctx.stats) {}

std::vector<std::unique_ptr<smt::Interpolator>>& CfaInterpolation::sources() {
  if (!sources_.empty()) return sources_;
  auto farkas = [&] {
    return smt::make_farkas_interpolator(terms_, ctx_.stop, config_.interpolant_ms);
  };
  if (smt::theories_of(terms_).bit_vectors) {
    sources_.push_back(smt::make_integer_interpolator(terms_, farkas()));
  } else {
    sources_.push_back(smt::make_proof_interpolator(terms_, ctx_.stop, config_.interpolant_ms));
    sources_.push_back(farkas());
  }
  sources_.push_back(smt::isolate(smt::make_spacer_interpolator(terms_), terms_, ctx_.stop,
                                  config_.interpolant_ms));
  return sources_;
}

CfaInterpolation::Found CfaInterpolation::along(Level from, StepId step,
                                                std::span<const Lit> cube) {
  if (config_.interpolate == Ic3cfaConfig::Interpolate::Off) return {};
  if (config_.interpolate == Ic3cfaConfig::Interpolate::Loops && !steps_.in_loop(step)) return {};
  std::vector<Term> lemmas;
  LocationId source = steps_[step].from;
  if (from > Level{0})
    frames_.for_each(source, from, [&](const Cube& lemma) {
      lemmas.push_back(terms_.make_not(literals_.conjunction(lemma.lits())));
    });
  Term frame = terms_.make_and(lemmas);
  std::vector<Lit> lits(cube.begin(), cube.end());
  for (auto at = cache_.begin(); at != cache_.end(); ++at)
    if (at->step == step && at->frame == frame && at->cube == lits) {
      ++stats_.interpolant_hits;
      cache_.splice(cache_.begin(), cache_, at);
      return cache_.front().found;
    }
  TimerScope timer(stats_.interpolate);
  ++stats_.interpolations;
  smt::Path path{inductivity_.current(),
                 inductivity_.next(),
                 frame,
                 {steps_.transition(step, inductivity_.next())},
                 literals_.conjunction(cube)};
  Found found;
  for (auto& source_of_interpolants : sources()) {
    if (found || ctx_.stopped()) break;
    if (auto sequence = source_of_interpolants->interpolate(path))
      found = usable(from, step, cube, sequence->back());
  }
  if (cache_.size() >= config_.interpolant_cache) cache_.pop_back();
  cache_.push_front({step, frame, std::move(lits), found});
  assert(cache_.size() <= config_.interpolant_cache && "the oldest interpolant makes room");
  return found;
}

/// A clause of the interpolant that excludes the cube alone; atoms of candidates that are no
/// interpolants are tried as clauses of their own.
CfaInterpolation::Found CfaInterpolation::usable(Level from, StepId step, std::span<const Lit> cube,
                                                 Term interpolant) {
  std::vector<Term> clauses = conjuncts(terms_, interpolant);
  for (Term atom : atoms_of(terms_, interpolant)) {
    clauses.push_back(atom);
    clauses.push_back(terms_.make_not(atom));
  }
  for (Term clause : clauses) {
    Found weaker = as_cube(clause);
    if (!weaker || !implies(cube, *weaker)) continue;
    if (inductivity_.on_edge(from, step, *weaker, Need::Optional).inductive()) return weaker;
  }
  return {};
}

CfaInterpolation::Found CfaInterpolation::as_cube(Term clause) {
  std::vector<Lit> cube;
  for (Term conjunct : conjuncts(terms_, terms_.make_not(clause))) {
    if (!literals_.is_literal(conjunct)) return {};
    cube.push_back(literals_.of(conjunct));
  }
  return cube;
}

bool CfaInterpolation::implies(std::span<const Lit> cube, const std::vector<Lit>& weaker) {
  smt::Scope scope(*scratch_);
  scratch_->limit_time(config_.optional_ms);
  scratch_->add(literals_.conjunction(cube));
  scratch_->add(terms_.make_not(literals_.conjunction(weaker)));
  return scratch_->solve() == smt::Answer::Unsat;
}

}  // namespace lem::engine
