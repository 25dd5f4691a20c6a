// Edge-relative inductivity [004 Definition 4.6, formula 4.12] and exact preimages.
#include <algorithm>
#include <cassert>

#include "engine/ic3cfa/search.h"
#include "term/implicant.h"
#include "term/traverse.h"

namespace lem {

Lit Ic3cfaSearch::literal(Term formula) {
  Term atom = terms_.atom_of(formula);
  auto [at, added] = index_.try_emplace(atom, static_cast<sat::Var>(atoms_.size()));
  if (added) {
    atoms_.push_back(atom);
    activity_.push_back(0);
    for (int sign = 0; sign < 2; ++sign)
      labels_.push_back(terms_.fresh("literal", terms_.bool_sort()));
  }
  return Lit(at->second, atom != formula);
}

Term Ic3cfaSearch::formula(Lit lit) const {
  return lit.negative() ? terms_.make_not(atoms_[lit.var()]) : atoms_[lit.var()];
}

Term Ic3cfaSearch::frame_switch(Place& place, Level level) {
  while (place.switches.size() <= index(level)) {
    place.switches.push_back(terms_.fresh("frame", terms_.bool_sort()));
    std::size_t last = place.switches.size() - 1;
    if (last > 0)  // F_i is the lists from i on
      place.solver->add(terms_.make_implies(place.switches[last - 1], place.switches[last]));
  }
  return place.switches[index(level)];
}

/// F_(from, l) & T_e & cube', for the edge e = (l, cmd, l').
smt::Answer Ic3cfaSearch::step_into(Level from, EdgeId edge, std::span<const Lit> cube,
                                    std::vector<Lit>* core) {
  LocationId source = cfa_[edge].from;
  if (from == Level{0} && source != cfa_.initial()) return smt::Answer::Unsat;
  Place& there = place(source);
  std::vector<Term> assumptions;
  for (Lit lit : cube) {
    if (there.labels.size() <= lit.code()) there.labels.resize(lit.code() + 1);
    if (!there.labels[lit.code()]) {
      there.labels[lit.code()] = true;
      TermMap primed;
      for (std::size_t i = 0; i < next_.size(); ++i) primed[cfa_.variables()[i]] = next_[i];
      there.solver->add(
          terms_.make_implies(labels_[lit.code()], substitute(terms_, formula(lit), primed)));
    }
    assumptions.push_back(labels_[lit.code()]);
  }
  assumptions.push_back(edge_switches_[index(edge)]);
  assumptions.push_back(frame_switch(there, from));
  ++queries_;
  TimerScope timer(solve_);
  smt::Answer answer = there.solver->solve(assumptions);
  if (answer == smt::Answer::Unknown) gave_up_ = true;
  if (answer == smt::Answer::Unsat && core != nullptr) {
    const std::vector<Term>& failed = there.solver->core();
    for (Lit lit : cube)
      if (std::find(failed.begin(), failed.end(), labels_[lit.code()]) != failed.end() &&
          std::find(core->begin(), core->end(), lit) == core->end())
        core->push_back(lit);
  }
  return answer;
}

/// check_by_filter up to the first edge that violates inductivity; cores of all edges unite
/// [004 Corollary 4.1].
bool Ic3cfaSearch::inductive(Level i, std::span<const Lit> cube, std::vector<Lit>& core) {
  std::vector<Lit> united;
  for (EdgeId edge : cfa_.in(here_))
    if (step_into(previous(i), edge, cube, &united) != smt::Answer::Unsat) {
      failed_ = edge;
      return false;
    }
  core.clear();
  for (Lit lit : cube)
    if (std::find(united.begin(), united.end(), lit) != united.end()) core.push_back(lit);
  return true;
}

/// Literals of the model's state: those atoms of the last cube that it satisfies.
void Ic3cfaSearch::counterexample(std::vector<Lit>& state) {
  state.clear();
  smt::SmtSolver& solver = *place(cfa_[*failed_].from).solver;
  for (sat::Var v = 0; v < atoms_.size(); ++v)
    state.push_back(Lit(v, terms_.is_false(solver.value(atoms_[v]))));
}

void Ic3cfaSearch::order(std::vector<Lit>& cube) const {
  std::stable_sort(cube.begin(), cube.end(),
                   [&](Lit a, Lit b) { return activity_[a.var()] < activity_[b.var()]; });
}

/// A part of wep(cmd, target) around the model of the last query along the edge: literals all of
/// whose states step into the target. There are finitely many such parts.
std::vector<Term> Ic3cfaSearch::predecessor(EdgeId edge, Term target) {
  smt::SmtSolver& solver = *place(cfa_[edge].from).solver;
  Existential before = wep(terms_, cfa_[edge].command, target);
  TermMap model;
  for (Term variable : cfa_.variables()) model[variable] = solver.value(variable);
  smt::Scope scope(*scratch_);
  if (!before.fresh.empty()) {  // what the command leaves open
    scratch_->add(before.formula);
    for (const auto& [variable, value] : TermMap(model))
      scratch_->add(terms_.make_eq(variable, value));
    if (scratch_->solve() != smt::Answer::Sat) {
      gave_up_ = true;
      return {};
    }
    for (Term open : before.fresh) model[open] = scratch_->value(open);
  }
  std::optional<std::vector<Term>> literals = implicant(terms_, before.formula, model);
  assert(literals && "the model takes the edge");
  if (before.fresh.empty()) return *literals;
  auto projected = scratch_->projector()->project(terms_.make_and(*literals), before.fresh);
  if (projected) return *projected;
  std::vector<Term> point;
  for (Term variable : cfa_.variables()) point.push_back(terms_.make_eq(variable, model[variable]));
  return point;
}

}  // namespace lem
