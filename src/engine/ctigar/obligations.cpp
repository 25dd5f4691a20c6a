// Lifting and consecution of extended proof obligations [Birgmeier14 3.2, Table 1].
#include <cassert>

#include "engine/ctigar/search.h"

namespace lem::engine {

/// The step that the last query found, as far as it says.
TermMap CtigarSearch::model() {
  TermMap values;
  for (std::span<const Term> variables : {system_.current(), system_.inputs()})
    for (Term variable : variables) values[variable] = frames_.value(variable);
  for (std::size_t i = 0; i < system_.next().size(); ++i)
    if (frames_.says_next(system_.current()[i]))
      values[system_.next()[i]] = frames_.value(system_.next()[i]);
  return values;
}

Assignment CtigarSearch::state_of(const TermMap& model) const {
  Assignment state;
  for (Term variable : system_.current()) state.values[variable] = model.at(variable);
  return state;
}

/// Abstract consecution failed: from t_a, or from t_c if the concrete CTI fails as well. If it does
/// not, the step from t_a is spurious: a consecution abstraction failure (CAF).
Outcome CtigarSearch::not_inductive(ObligationId id, Level level) {
  assert(Level{0} < level && level <= frames_.top() && "obligations are at F_1 .. F_top");
  TermMap from = model();
  std::vector<Term> target = frames_.atoms().formulas(obligations()[id].cube.lits());
  bool caf = false;
  if (details(id).concrete) {
    std::vector<Term> concrete = details(id).concrete->literals(system_);
    caf = !frames_.steps_into(level, concrete);
    if (stopped()) return Outcome::Stopped;
    if (!caf && !details(id).lifted) {  // t_c; what is lifted is as good as the concrete CTI
      from = model();
      target = std::move(concrete);
    }
  }
  if (caf) {
    ++stats_.spurious;
    if (config_.trigger == Trigger::Caf && details(id).spurious >= config_.permit) {
      ++stats_.on_spurious;
      refine(id, level);
      obligations().push(id, level);
      return Outcome::Done;
    }
  }
  Queue::Handle predecessor = lift_cti(from, id, level, caf, target);
  obligations().push(id, level);
  if (level == Level{1}) return counterexample_from(predecessor.id());  // from F_0: initial
  obligations().push(predecessor.id(), previous(level));
  return Outcome::Done;
}

/// A new obligation from the CTI `model` [Birgmeier14 3.2, Lifting].
CtigarSearch::Queue::Handle CtigarSearch::lift_cti(const TermMap& model, ObligationId successor,
                                                   Level level, bool caf,
                                                   std::span<const Term> target) {
  assert(successor != ObligationId::None && "a CTI steps into something");
  CtiDetails fresh;
  fresh.full = state_of(model);
  fresh.preimage = lifting_.preimage(model, target);
  fresh.spurious_step = caf && !details(successor).lifted;
  fresh.level = level;
  fresh.spurious = details(successor).spurious + (caf ? 1 : 0);
  std::uint32_t depth = obligations()[successor].depth + 1;
  Queue::Handle made = obligations().make({{}, successor, depth, std::move(fresh)});
  ObligationId id = made.id();
  add_predicates(miner_.record(model));
  abstract_and_lift(id, Shrink::Yes);
  details(id).unlifted = details(successor).unlifted + (details(id).lifted ? 0 : 1);
  bool due = config_.trigger == Trigger::Laf && details(id).unlifted > config_.permit;
  if (!details(id).lifted && due && level > Level{1}) {
    ++stats_.on_unlifted;
    refine_lifting(id);
  }
  return made;
}

/// The abstraction of the CTI in the domain as it is, lifted if that can be.
void CtigarSearch::abstract_and_lift(ObligationId id, Shrink shrink) {
  TimerScope timer(stats_.lift);
  ++stats_.liftings;
  CtiDetails& cti = details(id);
  cti.domain = domain_.size();
  std::vector<Lit> cube = domain_.abstract(cti.full);
  std::optional<std::vector<Lit>> lifted = lifting_.lift(cube, cti.preimage);
  cti.lifted = lifted.has_value();
  cti.concrete.reset();
  if (lifted) {
    ++stats_.lifted;
    if (shrink == Shrink::Yes) cube = std::move(*lifted);
    if (config_.keep_concrete) cti.concrete = cti.full;
  } else {  // a lifting abstraction failure (LAF)
    if (!cti.partial) cti.partial = lifting_.lift(cti.full, cti.preimage);
    cti.concrete = cti.partial;
    cube = domain_.abstract(*cti.partial);
  }
  assert((cti.lifted || cti.concrete) && "an unlifted CTI keeps its state");
  obligations()[id].cube = Cube(std::move(cube));
}

/// Lifts again what could not be lifted, if the domain has grown since.
void CtigarSearch::refresh(ObligationId id) {
  if (!details(id).lifted && details(id).domain < domain_.size())
    abstract_and_lift(id, Shrink::Yes);
}

}  // namespace lem::engine
