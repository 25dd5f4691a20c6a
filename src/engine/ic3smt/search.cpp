// The loops of concrete IC3 modulo theories [Cimatti14 2.2; Cimatti12, Hoder12].
// Tests: tests/unit/engine/ic3smt/ic3smt_test.cpp.
#include "engine/ic3smt/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "engine/ic3smt/ic3smt.h"
#include "term/smtlib/printer.h"

namespace lem {

namespace {

struct Inequality {
  Term left, right;
  bool strict;
};

std::optional<Inequality> inequality_of(TermStore& terms, Term literal) {
  Term atom = terms.atom_of(literal);
  Op op = terms.op(atom);
  if (op != Op::Le && op != Op::Lt) return {};
  Term left = terms.arg(atom, 0);
  Term right = terms.arg(atom, 1);
  if (atom == literal) return Inequality{left, right, op == Op::Lt};
  return Inequality{right, left, op == Op::Le};
}

/// The sum of two inequalities of one sort, unless it says nothing.
std::optional<Term> sum_of(TermStore& terms, Term a, Term b) {
  std::optional<Inequality> x = inequality_of(terms, a);
  std::optional<Inequality> y = inequality_of(terms, b);
  if (!x || !y || terms.sort(x->left) != terms.sort(y->left)) return {};
  Term left = terms.make_add(x->left, y->left);
  Term right = terms.make_add(x->right, y->right);
  if (terms.kind(left) == SortKind::Int && x->strict && y->strict)
    right = terms.make_sub(right, terms.integer(1));
  Term sum = x->strict || y->strict ? terms.make_lt(left, right) : terms.make_le(left, right);
  if (terms.is_value(sum)) return {};
  return sum;
}

}  // namespace

Ic3smtSearch::Ic3smtSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      frames_(system_, ctx, config_.frames),
      obligations_(ObligationQueue::Ties::Shallow),
      generalizer_(*this) {}

/// The blocking and the propagation phase in turn [Cimatti14 2.2].
Verdict Ic3smtSearch::run() {
  if (!meets_initial({})) return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
  if (auto trace = frames_.bad_in_init()) return Unsafe{std::move(*trace)};
  while (!stopped()) {
    switch (strengthen()) {  // until F_k & Bad is unsatisfiable
      case Blocked::All:
        break;
      case Blocked::Counterexample:
        return Unsafe{std::move(*trace_)};
      case Blocked::Stopped:
        return unknown();
    }
    frames_.extend();
    if (auto fixpoint = frames_.propagate())
      return Safe{TermInvariant{frames_.frame(next(*fixpoint))}};
  }
  return unknown();
}

Verdict Ic3smtSearch::unknown() const {
  return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
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
  if (meets_initial(cube.lits())) return counterexample_from(id);
  Level blocked = level;
  if (auto known = frames_.frames().blocked_at(level, cube)) {
    blocked = *known;
  } else if (config_.check_blocked && frames_.excludes(level, cube.lits())) {
    blocked = level;
  } else {
    Induction answer = inductive(level, cube.lits());
    if (answer.stopped()) return Blocked::Stopped;
    if (answer.fails()) return enqueue_predecessor(id, level);
    blocked = block(level, {answer.core.begin(), answer.core.end()}, config_.effort, 0);
  }
  if (blocked < frames_.top()) obligations_.push(id, next(blocked));
  return stopped() ? Blocked::Stopped : Blocked::All;
}

/// Adds the lemma against `core`, generalized, as high as it holds.
///   require: core is inductive relative to F_level-1   ensure: the level it got to
Level Ic3smtSearch::block(Level level, std::vector<Lit> core, const Effort& effort,
                          std::uint32_t depth) {
  TimerScope timer(stats_.generalize);
  core = generalizer_.generalize(level, std::move(core), effort, depth);
  if (config_.weaken == Weaken::Combine) core = combine(level, std::move(core));
  BlockedCube blocked = push_up(*this, {level, std::move(core)}, frames_.top());
  if (stopped()) return blocked.level;
  activity_.resize(frames_.num_atoms(), 0);
  for (Lit lit : blocked.cube) activity_[lit.var()] += 1;
  ctx_.log.debug([&] {
    return fmt::format("ic3smt: F_{} excludes {}", index(blocked.level),
                       smtlib::term_text(terms_, terms_.make_and(frames_.formulas(blocked.cube))));
  });
  frames_.add_lemma(blocked.level, Cube(std::move(blocked.cube)));
  return blocked.level;
}

/// After inductive() failed on the cube of `id`.
Ic3smtSearch::Blocked Ic3smtSearch::enqueue_predecessor(ObligationId id, Level level) {
  Cube cube = cube_of(frames_.predecessor());
  std::uint32_t depth = obligations_[id].depth + 1;
  ObligationHandle predecessor = obligations_.make({std::move(cube), {}, id, depth});
  if (level == Level{1}) return counterexample_from(predecessor.id());  // from an initial state
  obligations_.push(predecessor.id(), previous(level));
  obligations_.push(id, level);
  return Blocked::All;
}

/// A chain of obligations whose first cube meets Init: one query along it gives the trace.
Ic3smtSearch::Blocked Ic3smtSearch::counterexample_from(ObligationId id) {
  if (stopped()) return Blocked::Stopped;
  TermUnroller path(system_, "cex:");
  std::unique_ptr<smt::SmtSolver> solver = smt::make_z3(terms_, smt::Workload::Single, ctx_.stop);
  solver->add(path.at(system_.init(), 0));
  std::size_t step = 0;
  for (;; ++step) {
    for (Term literal : frames_.formulas(obligations_[id].cube.lits()))
      solver->add(path.at(literal, step));
    id = obligations_[id].successor;
    if (id == ObligationId::None) break;
    solver->add(path.between(system_.trans(), step));
  }
  solver->add(path.at(system_.bad(), step));
  if (solver->solve() != smt::Answer::Sat) {
    infeasible_ = true;
    return Blocked::Stopped;
  }
  trace_ = system_.trace(step + 1, [&](Term variable, std::size_t at) {
    return solver->value(path.at(variable, at));
  });
  return Blocked::Counterexample;
}

Cube Ic3smtSearch::cube_of(const std::vector<Term>& literals) {
  std::vector<Lit> cube;
  for (Term literal : literals) {
    if (terms_.is_true(literal)) continue;
    assert(!terms_.is_false(literal) && "a cube that holds in a model is not empty");
    if (config_.weaken != Weaken::None && terms_.op(literal) == Op::Eq)
      add_sides(literal, cube);
    else
      cube.push_back(frames_.literal(literal));
  }
  return Cube(std::move(cube));
}

/// a = b as a <= b and b <= a, where the sort has an order.
void Ic3smtSearch::add_sides(Term equality, std::vector<Lit>& cube) {
  Term left = terms_.arg(equality, 0);
  Term right = terms_.arg(equality, 1);
  auto add_both = [&](Term below, Term above) {
    for (Term side : {below, above})
      if (!terms_.is_true(side)) cube.push_back(frames_.literal(side));
  };
  switch (terms_.kind(left)) {
    case SortKind::Int:
    case SortKind::Real:
      add_both(terms_.make_le(left, right), terms_.make_le(right, left));
      return;
    case SortKind::BitVec:
      add_both(terms_.make_bv_ule(left, right), terms_.make_bv_ule(right, left));
      return;
    case SortKind::Bool:
    case SortKind::Array:
    case SortKind::Float:
      cube.push_back(frames_.literal(equality));
      return;
  }
  unreachable();
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
      if (meets_initial(weaker)) continue;
      Induction answer = inductive(level, weaker);
      if (!answer.holds()) continue;
      ++stats_.combined;
      core.assign(answer.core.begin(), answer.core.end());
      i = j = 0;  // from the first pair again
    }
  return core;
}

double Ic3smtSearch::activity(Lit lit) const {
  return lit.var() < activity_.size() ? activity_[lit.var()] : 0;
}

/// Literals that rarely occur in lemmas are dropped first, of those the latest.
void Ic3smtSearch::order(std::vector<Lit>& cube) const {
  std::sort(cube.begin(), cube.end(), [&](Lit a, Lit b) {
    if (activity(a) != activity(b)) return activity(a) < activity(b);
    return b.code() < a.code();
  });
}

bool Ic3smtSearch::block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
  Cube state = cube_of(frames_.predecessor());
  if (meets_initial(state.lits())) return false;
  Induction answer = inductive(i, state.lits());
  if (!answer.holds()) return false;
  block(i, {answer.core.begin(), answer.core.end()}, effort, depth);
  if (stopped()) return false;
  ++stats_.ctgs;
  return true;
}

void Ic3smtSearch::report_progress() {
  std::string per_frame;
  for (Level i{1}; i <= frames_.top(); ++i)
    if (index(i) + 10 > index(frames_.top()))
      per_frame += fmt::format(" {}", frames_.frames().at(i).size());
  ctx_.progress.publish(fmt::format("ic3smt: frame {}, atoms {}, obligations {}, lemmas{}",
                                    index(frames_.top()), frames_.num_atoms(), obligations_.size(),
                                    per_frame));
}

namespace {

class Ic3smt final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return Ic3smtSearch(problem, ctx).run();
  }
};

constexpr std::array kPresets = {
    Preset{"lra", "ic3smt.weaken=none,ic3smt.generalize=drop",
           "IC3(LRA) as the baseline of [Cimatti14 5] [Cimatti12]"},
    Preset{"points", "ic3smt.preimage=values", "predecessors are single states"},
};

}  // namespace

const EngineInfo kIc3smtInfo = {
    "ic3smt",
    "concrete IC3 modulo theories, preimages by projection",
    "[Cimatti12] [Hoder12] [Cimatti14 2.2]",
    kIc3smtOptions,
    kPresets,
    Rung::Terms,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ic3smt>(); }};

}  // namespace lem
