#include "engine/parts/query/clause_frames.h"

#include <memory>

#include "base/assert.h"
#include "engine/parts/query/queries.h"
#include "smt/solvers.h"

namespace lem::engine {

#ifdef LEM_CHECKED_BUILD
static constexpr std::uint64_t kSample = 16;  // of so many lemmas one is checked
#endif

ClauseFrames::ClauseFrames(TermSystem& system, const Atoms& atoms, const Context& ctx,
                           std::string_view prefix)
    : ctx_(ctx),
      system_(system),
      terms_(system.terms()),
      atoms_(atoms),
      lemmas_(ctx.stats.counter(prefixed(prefix, "lemmas"))),
      depth_(ctx.stats.counter(prefixed(prefix, "depth"))),
      propagate_(ctx.stats.timer(prefixed(prefix, "propagate"))) {
  frames_.extend();
}

void ClauseFrames::extend() {
  frames_.extend();
  depth_.value = index(top());
}

void ClauseFrames::assume(const std::vector<Term>& invariants) {
  for ([[maybe_unused]] Term each : invariants)
    assert(system_.is_over_states(each) && "an invariant speaks of states");
  invariants_.insert(invariants_.end(), invariants.begin(), invariants.end());
}

bool ClauseFrames::add(Level level, const Cube& cube) {
  assert(!cube.empty() && "the empty clause would exclude every state");
  LEM_CHECKED(lemmas_.value % kSample != 0 || is_lemma(level, cube),
              "a lemma excludes an initial state or is not inductive relative to its frame");
  if (!frames_.add(level, Lemma{cube})) return false;
  ++lemmas_;
  return true;
}

bool ClauseFrames::is_lemma(Level level, const Cube& cube) const {
  constexpr std::uint32_t kMilliseconds = 1000;
  auto refuted = [&](std::initializer_list<Term> formulas) {
    std::unique_ptr<smt::SmtSolver> solver = smt::Solvers(ctx_).make(terms_, smt::Workload::Single);
    solver->limit_time(kMilliseconds);
    for (Term formula : formulas) solver->add(formula);
    return solver->solve() != smt::Answer::Sat;
  };
  Term inside = atoms_.conjunction(cube.lits());
  return refuted({system_.init(), inside}) &&
         refuted({frame(previous(level)), terms_.make_not(system_.bad()), terms_.make_not(inside),
                  system_.trans(), system_.prime(inside)});
}

Term ClauseFrames::frame(Level level) const {
  assert(level <= top() && "there is no frame past the top");
  if (level == Level{0}) return system_.init();
  std::vector<Term> clauses = invariants_;
  for (Level i = level; i <= top(); ++i)
    for (const Lemma& lemma : frames_.at(i)) clauses.push_back(clause(lemma.cube));
  return terms_.make_and(clauses);
}

Term ClauseFrames::clause(const Cube& cube) const {
  return terms_.make_or(atoms_.negations(cube.lits()));
}

}  // namespace lem::engine
