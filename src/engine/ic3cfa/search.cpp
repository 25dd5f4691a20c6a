// Algorithms 12 to 14 of [004]. Tests: tests/unit/engine/ic3cfa_test.cpp,
// tests/papers/ic3cfa_example_test.cpp, tests/fuzz/cfa_fuzz_test.cpp.
#include "engine/ic3cfa/search.h"

#include "term/traverse.h"

namespace lem {

Ic3cfaSearch::Ic3cfaSearch(const Cfa& cfa, const Ic3cfaConfig& config, const Context& ctx)
    : cfa_(cfa),
      config_(config),
      ctx_(ctx),
      terms_(cfa.terms()),
      places_(cfa.locations().size()),
      scratch_(smt::make_z3(terms_, smt::Workload::Stream, ctx.stop)),
      obligations_(ObligationQueue::Ties::Shallow),
      generalizer_(*this),
      queries_(ctx.stats.counter("ic3cfa.queries")),
      lemmas_(ctx.stats.counter("ic3cfa.lemmas")),
      obligation_count_(ctx.stats.counter("ic3cfa.obligations")),
      depth_(ctx.stats.counter("ic3cfa.depth")),
      solve_(ctx.stats.timer("ic3cfa.solve")),
      generalize_(ctx.stats.timer("ic3cfa.generalize")),
      propagate_(ctx.stats.timer("ic3cfa.propagate")) {
  for (Term variable : cfa.variables())
    next_.push_back(terms_.fresh("next", terms_.sort(variable)));
  for (Place& each : places_) {
    each.solver = smt::make_z3(terms_, smt::Workload::Stream, ctx.stop);
    each.frames.extend();
  }
  for (const CfaEdge& edge : cfa.edges()) {
    edge_switches_.push_back(terms_.fresh("edge", terms_.bool_sort()));
    Existential step = transition(terms_, edge.command, cfa.variables(), next_);
    place(edge.from).solver->add(terms_.make_implies(edge_switches_.back(), step.formula));
  }
}

/// Algorithm 12. F_0 is the initial location with any data, F_1 is everything.
CfaAnswer Ic3cfaSearch::run() {
  if (cfa_.initial() == cfa_.error()) {  // in zero steps, whatever the data
    CfaTrace run{{}, {{}}};
    for (Term variable : cfa_.variables())
      run.values.front().push_back(terms_.default_value(terms_.sort(variable)));
    return run;
  }
  while (!stopped()) {
    switch (strengthen()) {
      case Blocked::All:
        break;
      case Blocked::Counterexample:
        return std::move(*trace_);
      case Blocked::Stopped:
        return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
    }
    extend();
    if (auto fixpoint = propagate()) return invariants(*fixpoint);
  }
  return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
}

void Ic3cfaSearch::extend() {
  ++top_;
  for (Place& each : places_) each.frames.extend();
  depth_.value = index(top_);
}

/// Algorithm 13: no edge leads from F_top to the error location.
Ic3cfaSearch::Blocked Ic3cfaSearch::strengthen() {
  while (!stopped()) {
    ObligationId id{};
    Level level{};
    if (obligations_.pop(top_, id, level)) {
      Blocked outcome = discharge(id, level);
      obligations_.release(id);
      if (outcome != Blocked::All) return outcome;
      continue;
    }
    bool violated = false;
    for (EdgeId edge : cfa_.in(cfa_.error())) {
      if (step_into(top_, edge, {}, nullptr) != smt::Answer::Sat) continue;
      std::vector<Term> cube = predecessor(edge, terms_.boolean(true));
      if (stopped()) return Blocked::Stopped;
      obligations_.push(make_obligation(std::move(cube), edge, ObligationId::None), top_);
      violated = true;
      break;
    }
    if (!violated) return stopped() ? Blocked::Stopped : Blocked::All;
  }
  return Blocked::Stopped;
}

ObligationId Ic3cfaSearch::make_obligation(std::vector<Term> cube, EdgeId edge,
                                           ObligationId successor) {
  std::vector<Lit> lits;
  for (Term formula : cube) lits.push_back(literal(formula));
  std::uint32_t depth = successor == ObligationId::None ? 0 : obligations_[successor].depth + 1;
  ObligationId id = obligations_.make({Cube(std::move(lits)), {}, successor, depth});
  auto slot = static_cast<std::size_t>(id);
  if (origins_.size() <= slot) origins_.resize(slot + 1);
  origins_[slot] = {cfa_[edge].from, edge};
  ++obligation_count_;
  return id;
}

/// Algorithm 14, one obligation of its queue: every edge that violates inductivity gives a
/// predecessor; without one the cube is blocked.
Ic3cfaSearch::Blocked Ic3cfaSearch::discharge(ObligationId id, Level level) {
  here_ = origins_[static_cast<std::size_t>(id)].at;
  if (here_ == cfa_.initial()) {
    trace_ = trace(id);
    return trace_ ? Blocked::Counterexample : Blocked::Stopped;
  }
  Frames& frames = place(here_).frames;
  const Cube cube = obligations_[id].cube;
  if (auto blocked = frames.blocked_at(level, cube)) {
    if (*blocked < top_) obligations_.push(id, next(*blocked));
    return Blocked::All;
  }
  std::vector<Lit> core;
  bool blocked = true;
  Term target = terms_.boolean(true);
  for (Lit lit : cube.lits()) target = terms_.make_and(target, formula(lit));
  for (EdgeId edge : cfa_.in(here_)) {
    smt::Answer answer = step_into(previous(level), edge, cube.lits(), &core);
    if (stopped()) return Blocked::Stopped;
    if (answer == smt::Answer::Unsat) continue;
    std::vector<Term> before = predecessor(edge, target);
    if (stopped()) return Blocked::Stopped;
    obligations_.push(make_obligation(std::move(before), edge, id), previous(level));
    blocked = false;
  }
  if (!blocked) {
    obligations_.push(id, level);
    return Blocked::All;
  }
  {
    TimerScope timer(generalize_);
    core = generalizer_.generalize(level, std::move(core), config_.effort);
  }
  std::vector<Lit> higher;
  while (level < top_ && inductive(next(level), core, higher)) {
    core = higher;
    ++level;
  }
  if (stopped()) return Blocked::Stopped;
  add_lemma(here_, level, Cube(std::move(core)));
  if (level < top_) obligations_.push(id, next(level));
  return Blocked::All;
}

void Ic3cfaSearch::add_lemma(LocationId at, Level level, Cube cube) {
  Place& there = place(at);
  if (!there.frames.add(level, Lemma{cube})) return;
  ++lemmas_;
  std::vector<Term> clause{terms_.make_not(frame_switch(there, level))};
  for (Lit lit : cube.lits()) {
    clause.push_back(formula(!lit));
    activity_[lit.var()] += 1;
  }
  there.solver->add(terms_.make_or(clause));
}

/// A lemma moves to the next level of its own location when all edges into it allow: unlike
/// formula 4.18, which copies it to other locations, this serves termination (Lemma 4.1).
std::optional<Level> Ic3cfaSearch::propagate() {
  TimerScope timer(propagate_);
  std::vector<Lit> core;
  for (Level level{1}; level < top_ && !stopped(); ++level) {
    bool all_empty = true;
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      here_ = LocationId{i};
      std::vector<Lemma> lemmas = places_[i].frames.at(level);  // a copy: pushing changes the list
      for (const Lemma& lemma : lemmas) {
        if (!config_.propagate || stopped()) break;
        if (places_[i].frames.subsuming(level, lemma.cube) == nullptr) continue;
        if (inductive(next(level), lemma.cube.lits(), core))
          add_lemma(here_, next(level), Cube(core));
      }
      all_empty = all_empty && places_[i].frames.at(level).empty();
    }
    if (all_empty && !stopped()) return level;
  }
  return {};
}

/// require: F_level = F_level+1 at every location.
LocationInvariants Ic3cfaSearch::invariants(Level level) {
  LocationInvariants result;
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    std::vector<Term> clauses;
    for (Level above = next(level); above <= top_; ++above)
      for (const Lemma& lemma : places_[i].frames.at(above)) {
        std::vector<Term> clause;
        for (Lit lit : lemma.cube.lits()) clause.push_back(formula(!lit));
        clauses.push_back(terms_.make_or(clause));
      }
    bool error = LocationId{i} == cfa_.error();
    result.at.push_back(error ? terms_.boolean(false) : terms_.make_and(clauses));
  }
  return result;
}

/// The edges to the error location; every state of an obligation's cube takes them, with the right
/// values where commands leave them open.
std::optional<CfaTrace> Ic3cfaSearch::trace(ObligationId id) {
  CfaTrace run;
  std::vector<std::vector<Term>> copies;
  auto copy = [&] {
    std::vector<Term>& made = copies.emplace_back();
    for (Term variable : cfa_.variables())
      made.push_back(terms_.fresh("at", terms_.sort(variable)));
  };
  smt::Scope scope(*scratch_);
  copy();
  for (; id != ObligationId::None; id = obligations_[id].successor) {
    EdgeId edge = origins_[static_cast<std::size_t>(id)].edge;
    run.edges.push_back(edge);
    copy();
    TermMap step;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      step[cfa_.variables()[i]] = copies[copies.size() - 2][i];
      step[next_[i]] = copies.back()[i];
    }
    Term taken = transition(terms_, cfa_[edge].command, cfa_.variables(), next_).formula;
    scratch_->add(substitute(terms_, taken, step));
  }
  if (scratch_->solve() != smt::Answer::Sat) {
    gave_up_ = true;
    return {};
  }
  for (const std::vector<Term>& state : copies) {
    std::vector<Term>& values = run.values.emplace_back();
    for (Term variable : state) values.push_back(scratch_->value(variable));
  }
  return run;
}

}  // namespace lem
