// The loops of CTIGAR, those of IC3 [Birgmeier14 2.2]. Tests:
// tests/unit/engine/ctigar/ctigar_test.cpp.
#include "engine/ctigar/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "engine/ctigar/ctigar.h"
#include "engine/ctigar/seeds.h"
#include "term/smtlib/printer.h"

namespace lem {

CtigarStats::CtigarStats(Stats& all)
    : obligations(all.counter("ctigar.obligations")),
      ctgs(all.counter("ctigar.ctgs")),
      predicates(all.counter("ctigar.predicates")),
      liftings(all.counter("ctigar.liftings")),
      lifted(all.counter("ctigar.liftings-successful")),
      spurious(all.counter("ctigar.spurious-transitions")),
      lifting_refinements(all.counter("ctigar.refinements-lifting")),
      consecution_refinements(all.counter("ctigar.refinements-consecution")),
      on_counterexample(all.counter("ctigar.triggered-by-counterexample")),
      on_initial(all.counter("ctigar.triggered-by-initial")),
      on_spurious(all.counter("ctigar.triggered-by-spurious")),
      on_unlifted(all.counter("ctigar.triggered-by-unlifted")),
      unlifted_blocked(all.counter("ctigar.blocked-unlifted")),
      block(all.timer("ctigar.block")),
      generalize(all.timer("ctigar.generalize")),
      refine(all.timer("ctigar.refine")),
      lift(all.timer("ctigar.lift")) {}

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
      obligations_(ObligationQueue::Ties::Shallow),
      generalizer_(*this) {
  std::vector<Lit> bad;
  for (Term part : conjuncts(terms_, system_.bad())) bad.push_back(frames_.literal(part));
  bad_ = Cube(std::move(bad));
  Seeds seeds = find_seeds(system_, domain_, problem, config_, ctx);
  add_predicates(seeds.predicates);
  frames_.assume_invariants(std::move(seeds.invariants));
}

Verdict CtigarSearch::run() {
  if (!meets_initial({})) return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
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
        return unknown();
    }
    frames_.extend();
    if (auto fixpoint = frames_.propagate())
      return Safe{TermInvariant{frames_.frame(next(*fixpoint))}};
  }
  return unknown();
}

Verdict CtigarSearch::unknown() const {
  return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
}

/// Obligations lowest frame first, until Bad itself is blocked at the top.
CtigarSearch::Outcome CtigarSearch::strengthen() {
  TimerScope timer(stats_.block);
  while (!stopped()) {
    auto popped = obligations_.pop(frames_.top());
    if (!popped) {
      if (frames_.excludes(frames_.top(), bad_.lits())) return Outcome::Done;
      ObligationHandle root = obligations_.make({bad_});
      details(root.id()) = {};
      obligations_.push(root.id(), frames_.top());
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
  if (meets_initial(cube.lits())) return at_initial(id, level);
  Level blocked = level;
  if (auto known = frames_.frames().blocked_at(level, cube)) {
    blocked = *known;
  } else {
    Induction consecution = inductive(level, cube.lits());  // in the abstract
    if (consecution.stopped()) return Outcome::Stopped;
    if (consecution.fails()) return consecution_failed(id, level);
    if (!details(id).lifted) ++stats_.unlifted_blocked;
    blocked = block(level, {consecution.core.begin(), consecution.core.end()}, config_.effort, 0);
  }
  if (blocked < frames_.top()) obligations_.push(id, next(blocked));
  return stopped() ? Outcome::Stopped : Outcome::Done;
}

/// Adds the lemma against `core`, generalized, as high as it holds.
///   require: core is inductive relative to F_level-1   ensure: the level it got to
Level CtigarSearch::block(Level level, std::vector<Lit> core, const Effort& effort,
                          std::uint32_t depth) {
  TimerScope timer(stats_.generalize);
  core = generalizer_.generalize(level, std::move(core), effort, depth);
  BlockedCube blocked = push_up(*this, {level, std::move(core)}, frames_.top());
  if (stopped()) return blocked.level;
  activity_.resize(frames_.num_atoms(), 0);
  for (Lit lit : blocked.cube) activity_[lit.var()] += 1;
  ctx_.log.debug([&] {
    return fmt::format("ctigar: F_{} excludes {}", index(blocked.level),
                       smtlib::term_text(terms_, terms_.make_and(frames_.formulas(blocked.cube))));
  });
  frames_.add_lemma(blocked.level, Cube(std::move(blocked.cube)));
  return blocked.level;
}

double CtigarSearch::activity(Lit lit) const {
  return lit.var() < activity_.size() ? activity_[lit.var()] : 0;
}

/// Literals that rarely occur in lemmas are dropped first, of those the latest: pairs and equations
/// before locations and what Init and Bad say.
void CtigarSearch::order(std::vector<Lit>& cube) const {
  std::sort(cube.begin(), cube.end(), [&](Lit a, Lit b) {
    if (activity(a) != activity(b)) return activity(a) < activity(b);
    return b.code() < a.code();
  });
}

bool CtigarSearch::block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
  std::vector<Lit> state = domain_.abstract(state_of(model()));
  if (meets_initial(state)) return false;
  Induction answer = inductive(i, state);
  if (!answer.holds()) return false;
  block(i, {answer.core.begin(), answer.core.end()}, effort, depth);
  if (stopped()) return false;
  ++stats_.ctgs;
  return true;
}

void CtigarSearch::report_progress() {
  std::string per_frame;
  for (Level i{1}; i <= frames_.top(); ++i)
    if (index(i) + 10 > index(frames_.top()))
      per_frame += fmt::format(" {}", frames_.frames().at(i).size());
  ctx_.progress.publish(
      fmt::format("ctigar: frame {}, predicates {}, refinements {}, obligations {}, lemmas{}",
                  index(frames_.top()), domain_.size(),
                  stats_.lifting_refinements.value + stats_.consecution_refinements.value,
                  obligations_.size(), per_frame));
}

namespace {

class Ctigar final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return CtigarSearch(problem, ctx).run();
  }
};

// Section 4.3: the query that is interpolated (L, C); what triggers it (L: lifting failures,
// C: consecution failures, A: those of unlifted states); eager or lazy.
constexpr std::array kPresets = {
    Preset{"LLE", "ctigar.refine=lifting,ctigar.trigger=laf,ctigar.permit=0",
           "lifting refinement of every lifting failure"},
    Preset{"LLL", "ctigar.refine=lifting,ctigar.trigger=laf,ctigar.permit=3",
           "lifting refinement after three lifting failures in a trace"},
    Preset{"LCE", "ctigar.refine=lifting,ctigar.trigger=caf,ctigar.permit=0",
           "lifting refinement of every consecution failure"},
    Preset{"LCL", "ctigar.refine=lifting,ctigar.trigger=caf,ctigar.permit=3",
           "lifting refinement after three consecution failures in a trace"},
    Preset{"CCE",
           "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=0,ctigar.keep-concrete=on",
           "consecution refinement of every consecution failure, of lifted states too"},
    Preset{"CCL",
           "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=3,ctigar.keep-concrete=on",
           "consecution refinement after three consecution failures, of lifted states too"},
    Preset{"CAE", "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=0",
           "consecution refinement of every consecution failure of an unlifted state"},
    Preset{
        "CAL", "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=3",
        "consecution refinement after three consecution failures of unlifted states: the default"},
};

}  // namespace

const EngineInfo kCtigarInfo = {
    "ctigar", "IC3 modulo theories, the abstraction refined by counterexamples to induction",
    "[Birgmeier14]", kCtigarOptions, kPresets, Rung::Terms,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ctigar>(); },
    // The paper is about integers, and so are its interpolants.
    "transform.integers=exact"};

CtigarConfig::CtigarConfig(const Options& options)
    : refine(static_cast<RefineBy>(options.get("ctigar.refine"))),
      trigger(static_cast<Trigger>(options.get("ctigar.trigger"))),
      permit(static_cast<std::uint32_t>(options.get("ctigar.permit"))),
      keep_concrete(options.on("ctigar.keep-concrete")),
      lift_concrete(options.on("ctigar.lift-concrete")),
      point(static_cast<Point>(options.get("ctigar.point"))),
      keep(static_cast<Keep>(options.get("ctigar.predicates"))),
      weakest(options.on("ctigar.weakest")),
      source(static_cast<Source>(options.get("ctigar.interpolant"))),
      source_ms(static_cast<std::uint32_t>(options.get("ctigar.interpolant-ms"))),
      guards(static_cast<std::size_t>(options.get("ctigar.guards"))),
      pairs(static_cast<std::size_t>(options.get("ctigar.pairs"))),
      karr(options.on("ctigar.karr")),
      karr_ms(static_cast<std::uint32_t>(options.get("ctigar.karr-ms"))),
      invariants(static_cast<std::size_t>(options.get("ctigar.invariants"))),
      hints(options.on("ctigar.hints")),
      mine(static_cast<std::size_t>(options.get("ctigar.mine"))),
      frames{"ctigar.", options.on("ctigar.lazy-steps"), TermFrames::Preimage::Values, false,
             static_cast<std::uint32_t>(options.get("ctigar.rebuild"))} {
  constexpr std::array methods = {Generalize::None, Generalize::Core, Generalize::Drop,
                                  Generalize::Down, Generalize::Ctg};
  effort.method = methods[static_cast<std::size_t>(options.get("ctigar.generalize"))];
  effort.failures = static_cast<std::uint32_t>(options.get("ctigar.failures"));
}

}  // namespace lem
