// When the domain is refined, and where [Birgmeier14 3.3].
#include <cassert>

#include "engine/ctigar/search.h"
#include "engine/parts/terms/concretize.h"

namespace lem::engine {

/// The cube of a popped obligation meets Init.
Outcome CtigarSearch::at_initial(ObligationId id, Level level) {
  if (stopped()) return Outcome::Stopped;
  if (details(id).lifted) return counterexample_from(id);
  assert(details(id).concrete && "an unlifted CTI keeps its state");
  std::vector<Lit> concrete;
  for (Term literal : details(id).concrete->literals(system_))
    concrete.push_back(frames_.literal(literal));
  if (frames_.meets_initial(concrete)) return counterexample_from(id);
  ++stats_.on_initial;  // the abstraction alone does
  refine_lifting(id);
  obligations().push(id, level);
  return loop_.done_unless_stopped();
}

/// A chain from Init to Bad: the reason for a refinement if one of its steps is spurious, else
/// real.
Outcome CtigarSearch::counterexample_from(ObligationId id) {
  if (stopped()) return Outcome::Stopped;
  ObligationId spurious = ObligationId::None;
  for (ObligationId at : obligations().chain(id)) {
    if (!details(at).spurious_step) continue;
    if (spurious == ObligationId::None || config_.point == Point::Bad) spurious = at;
  }
  if (spurious == ObligationId::None) return concretize(id);
  ++stats_.on_counterexample;
  ObligationId refined = obligations()[spurious].successor;
  assert(refined != ObligationId::None && "a spurious step leads somewhere");
  refine(refined, details(spurious).level);
  return loop_.done_unless_stopped();
}

/// All steps are real: the chain gives the trace.
Outcome CtigarSearch::concretize(ObligationId id) {
  std::vector<std::vector<Term>> cubes;
  for (ObligationId at : obligations().chain(id))
    cubes.push_back(details(at).lifted ? frames_.atoms().formulas(obligations()[at].cube.lits())
                                       : details(at).concrete->literals(system_));
  loop_.trace = engine::concretize(system_, cubes, ctx_);
  if (loop_.trace) return Outcome::Counterexample;
  loop_.gave_up = true;
  return Outcome::Stopped;
}

/// Refines at an obligation whose consecution fails in the abstract alone, at `level`, or did when
/// the domain was smaller. What was found because of it goes.
void CtigarSearch::refine(ObligationId id, Level level) {
  drop_predecessors(id);
  if (!config_.keep_concrete) refresh(id);
  if (!details(id).concrete) return;  // lifted: the domain has grown enough meanwhile
  if (config_.refine == RefineBy::Lifting)
    refine_lifting(id);
  else
    refine_consecution(id, level);
}

void CtigarSearch::refine_lifting(ObligationId id) {
  TimerScope timer(stats_.refine);
  ++stats_.lifting_refinements;
  CtiDetails& cti = details(id);
  auto passes = [&](std::span<const Lit> cube) {
    return lifting_.lift(cube, cti.preimage).has_value();
  };
  assert(cti.preimage && "a CTI has the preimage of its successor");
  add_predicates(refiner_.lifting(cti.full, cti.preimage, passes));
  abstract_and_lift(id, Shrink::Yes);
  if (!cti.lifted) loop_.gave_up = true;  // a solver did: the values of the state are enough
}

void CtigarSearch::refine_consecution(ObligationId id, Level level) {
  TimerScope timer(stats_.refine);
  CtiDetails& cti = details(id);
  auto passes = [&](std::span<const Lit> cube) {
    return !frames_.meets_initial(cube) && frames_.inductive(level, cube).holds();
  };
  assert(cti.concrete && "consecution is refined at a concrete state");
  if (!passes(domain_.abstract(*cti.concrete))) {
    ++stats_.consecution_refinements;
    Term frame = frames_.clauses().frame(previous(level));
    std::size_t before = domain_.size();
    // The preimage of a single state is made of that state's values.
    ObligationId to = obligations()[id].successor;
    bool of_state = !details(to).lifted && !cti.spurious_step;
    Term preimage = of_state ? Term() : cti.preimage;
    add_predicates(refiner_.consecution(*cti.concrete, preimage, frame, passes));
    if (domain_.size() == before) loop_.gave_up = true;  // as above
  }
  // The whole cube: what lifting would drop may be what consecution needs.
  abstract_and_lift(id, Shrink::No);
}

/// Forgets obligations that were found because of this one.
void CtigarSearch::drop_predecessors(ObligationId id) {
  auto leads_there = [&](ObligationId at) {
    do at = obligations()[at].successor;
    while (at != ObligationId::None && at != id);
    return at == id;
  };
  std::vector<Queue::Popped> all;
  while (auto popped = obligations().pop(frames_.top())) all.push_back(std::move(*popped));
  for (const auto& [obligation, level] : all)
    if (!leads_there(obligation.id())) obligations().push(obligation.id(), level);
}

void CtigarSearch::add_predicates(std::span<const Term> predicates) {
  domain_.add(predicates);
  stats_.predicates.value = domain_.size();
}

}  // namespace lem::engine
