#include "engine/parts/terms/theory_frames.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>

#include "base/assert.h"
#include "smt/solvers.h"

namespace lem::engine {

#ifdef LEM_CHECKED_BUILD
static constexpr std::uint64_t kSample = 16;  // of so many lemmas one is checked
#endif

std::string prefixed(std::string_view prefix, std::string_view name) {
  return std::string(prefix) + std::string(name);
}

TheoryFrames::TheoryFrames(TermSystem& system, const Context& ctx, std::string_view prefix,
                           LiteralOrder order)
    : ctx_(ctx),
      system_(system),
      terms_(system.terms()),
      order_(order),
      queries_(ctx.stats.counter(prefixed(prefix, "queries"))),
      lemmas_(ctx.stats.counter(prefixed(prefix, "lemmas"))),
      depth_(ctx.stats.counter(prefixed(prefix, "depth"))),
      solve_(ctx.stats.timer(prefixed(prefix, "solve"))),
      propagate_(ctx.stats.timer(prefixed(prefix, "propagate"))) {
  frames_.extend();
}

void TheoryFrames::extend() {
  frames_.extend();
  depth_.value = index(top());
}

void TheoryFrames::assume_invariants(const std::vector<Term>& invariants) {
  for (Term invariant : invariants) tell_invariant(invariant);
  invariants_.insert(invariants_.end(), invariants.begin(), invariants.end());
}

bool TheoryFrames::add_lemma(Level level, Cube cube) {
  assert(!cube.empty() && "the empty clause would exclude every state");
  LEM_CHECKED(lemmas_.value % kSample != 0 || is_lemma(level, cube),
              "a lemma excludes an initial state or is not inductive relative to its frame");
  if (!frames_.add(level, Lemma{cube})) return false;
  ++lemmas_;
  if (order_ == LiteralOrder::AsGiven) bump(cube.lits());
  tell_lemma(level, cube);
  return true;
}

bool TheoryFrames::is_lemma(Level level, const Cube& cube) const {
  constexpr std::uint32_t kMilliseconds = 1000;
  auto refuted = [&](std::initializer_list<Term> formulas) {
    std::unique_ptr<smt::SmtSolver> solver = smt::Solvers(ctx_).make(terms_, smt::Workload::Single);
    solver->limit_time(kMilliseconds);
    for (Term formula : formulas) solver->add(formula);
    return solver->solve() != smt::Answer::Sat;
  };
  Term inside = terms_.make_and(formulas(cube.lits()));
  return refuted({system_.init(), inside}) &&
         refuted({frame(previous(level)), terms_.make_not(system_.bad()), terms_.make_not(inside),
                  system_.trans(), system_.prime(inside)});
}

std::optional<Level> TheoryFrames::propagate() {
  TimerScope timer(propagate_);
  for (Level level{1}; level < top() && !stopped(); ++level) {
    std::vector<Lemma> lemmas = frames_.at(level);  // a copy: pushing changes the list
    for (const Lemma& lemma : lemmas) {
      if (frames_.subsuming(level, lemma.cube) == nullptr) continue;  // gone meanwhile
      Induction answer = inductive(next(level), lemma.cube.lits());
      if (answer.stopped()) return {};
      if (answer.holds()) add_lemma(next(level), Cube({answer.core.begin(), answer.core.end()}));
    }
    if (!stopped() && frames_.at(level).empty()) return level;
  }
  return {};
}

Term TheoryFrames::frame(Level level) const {
  if (level == Level{0}) return system_.init();
  std::vector<Term> clauses = invariants_;
  for (Level i = level; i <= top(); ++i)
    for (const Lemma& lemma : frames_.at(i)) clauses.push_back(clause_of(lemma.cube));
  return terms_.make_and(clauses);
}

std::vector<Term> TheoryFrames::formulas(std::span<const Lit> cube) const {
  std::vector<Term> result;
  for (Lit lit : cube) result.push_back(formula(lit));
  return result;
}

Term TheoryFrames::clause_of(const Cube& cube) const {
  std::vector<Term> clause;
  for (Lit lit : cube.lits()) clause.push_back(formula(!lit));
  return terms_.make_or(clause);
}

smt::Answer TheoryFrames::ask(smt::SmtSolver& solver, std::span<const Term> assumptions) {
  ++queries_;
  TimerScope timer(solve_);
  smt::Answer answer = solver.solve(assumptions);
  if (answer == smt::Answer::Unknown) gave_up_ = true;
  return answer;
}

void TheoryFrames::count_blocked(std::span<const Lit> cube) {
  if (order_ == LiteralOrder::LatestFirst) bump(cube);
}

void TheoryFrames::bump(std::span<const Lit> cube) {
  for (Lit lit : cube) {
    if (activity_.size() <= lit.var()) activity_.resize(lit.var() + 1, 0);
    activity_[lit.var()] += 1;
  }
}

void TheoryFrames::order(std::vector<Lit>& cube) const {
  std::stable_sort(cube.begin(), cube.end(), [&](Lit a, Lit b) {
    if (activity(a) != activity(b)) return activity(a) < activity(b);
    return order_ == LiteralOrder::LatestFirst && b.code() < a.code();
  });
}

}  // namespace lem::engine
