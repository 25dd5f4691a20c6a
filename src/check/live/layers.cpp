#include "check/live/layers.h"

#include <optional>
#include <string>
#include <vector>

#include "check/circuit.h"
#include "check/question.h"
#include "check/steps.h"

namespace lem::check {

namespace {

std::string layer_name(std::size_t i, std::size_t count) {
  return i == count ? "the rest" : "layer " + std::to_string(i + 1);
}

/// Latches alone: the sets are sets of states.
bool speaks_of_states(const Aig& aig, const StateSet& set) {
  for (const SignalClause& clause : set)
    for (AigLit lit : clause)
      if (!aig.is_latch(lit.var())) return false;
  return true;
}

class BitLayers {
 public:
  BitLayers(const Problem& product, const Layers& claim, const std::stop_token& stop)
      : aig_(product.aig()), bad_(product.property().bad()), claim_(claim), stop_(stop) {}

  TermFinding run() {
    for (const StateSet& set : claim_.layers)
      if (!speaks_of_states(aig_, set)) return {TermHolds::No, "a set of states"};
    if (!speaks_of_states(aig_, claim_.rest)) return {TermHolds::No, "a set of states"};
    if (TermFinding found = initial(); found.holds != TermHolds::Yes) return found;
    return steps();
  }

 private:
  TermHolds excludes(Refutation& refutation, std::vector<AigLit> signals) {
    std::erase(signals, kAigTrue);
    for (AigLit signal : signals)
      if (signal == kAigFalse) return TermHolds::Yes;
    switch (refutation.solve_under(signals)) {
      case sat::SatResult::Unsat:
        return TermHolds::Yes;
      case sat::SatResult::Sat:
        return TermHolds::No;
      case sat::SatResult::Stopped:
        break;
    }
    return TermHolds::Stopped;
  }
  AigLit in(const StateSet& set, const Step& step) {
    AigLit all = kAigTrue;
    for (const SignalClause& clause : set) {
      AigLit some = kAigFalse;
      for (AigLit lit : clause) some = circuit_.either(some, step[lit]);
      all = circuit_.both(all, some);
    }
    return all;
  }
  std::vector<AigLit> fresh(std::size_t count) {
    std::vector<AigLit> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(circuit_.fresh());
    return made;
  }

  TermFinding initial() {
    std::vector<AigLit> leaves = fresh(aig_.num_inputs());
    for (const Latch& latch : aig_.latches())
      leaves.push_back(latch.reset == Reset::Free ? circuit_.fresh()
                                                  : kAigFalse ^ (latch.reset == Reset::One));
    Step first(circuit_, aig_, leaves, Cone(aig_.num_vars(), true));
    Refutation refutation(circuit_, stop_);
    for (AigLit constraint : aig_.constraints()) refutation.require(first[constraint]);
    for (const StateSet& layer : claim_.layers) refutation.require(!in(layer, first));
    return {excludes(refutation, {!in(claim_.rest, first)}), "initiation"};
  }

  TermFinding steps() {
    std::vector<AigLit> leaves = fresh(std::size_t{aig_.num_inputs()} + aig_.num_latches());
    Step now(circuit_, aig_, leaves, Cone(aig_.num_vars(), true));
    std::vector<AigLit> next = fresh(aig_.num_inputs());
    for (const Latch& latch : aig_.latches()) next.push_back(now[latch.next]);
    Step later(circuit_, aig_, next, Cone(aig_.num_vars(), true));
    Refutation refutation(circuit_, stop_);
    for (AigLit constraint : aig_.constraints()) {
      refutation.require(now[constraint]);
      refutation.require(later[constraint]);
    }
    std::vector<AigLit> outside;  // of all layers below
    AigLit later_outside = kAigTrue;
    for (std::size_t i = 0; i <= claim_.layers.size(); ++i) {
      const StateSet& set = i < claim_.layers.size() ? claim_.layers[i] : claim_.rest;
      AigLit inside = in(set, now);
      AigLit later_outside_too = circuit_.both(later_outside, !in(set, later));
      std::string name = layer_name(i, claim_.layers.size());
      // From below, nothing leads out: that was shown before.
      AigLit new_here = circuit_.both(inside, below_free(outside));
      TermHolds closed = excludes(refutation, {new_here, later_outside_too});
      if (closed != TermHolds::Yes) return {closed, "that " + name + " is closed"};
      TermHolds down = excludes(refutation, {new_here, now[bad_], later_outside});
      if (down != TermHolds::Yes) return {down, "that a round leaves " + name};
      outside.push_back(!inside);
      later_outside = later_outside_too;
    }
    return {TermHolds::Yes};
  }
  AigLit below_free(const std::vector<AigLit>& outside) {
    for (; merged_ < outside.size(); ++merged_) below_ = circuit_.both(below_, outside[merged_]);
    return below_;
  }

  const Aig& aig_;
  AigLit bad_;
  const Layers& claim_;
  const std::stop_token& stop_;
  Circuit circuit_;
  AigLit below_ = kAigTrue;
  std::size_t merged_ = 0;
};

}  // namespace

TermFinding check_layers(const Problem& product, const Layers& claim, const std::stop_token& stop) {
  return BitLayers(product, claim, stop).run();
}

TermFinding check_layers(const Problem& product, const TermLayers& claim,
                         const std::stop_token& stop) {
  const TransitionSystem& system = product.system();
  TermStore& terms = system.terms();
  std::vector<Term> sets = claim.layers;
  sets.push_back(claim.rest);
  for (Term set : sets)
    if (!set || !is_over_step(system, set)) return {TermHolds::No, "a set of states"};
  Term any = terms.make_or(sets);
  for (Term input : system.inputs())
    for (Term variable : variables_of(terms, any))
      if (variable == input) return {TermHolds::No, "a set of states"};
  Steps steps(system);
  Question first(terms, stop);
  first.add(steps.at(system.init_formula(), 0));
  first.add(steps.at(system.constraint(), 0));
  if (TermHolds holds = first.excludes(terms.make_not(steps.at(any, 0))); holds != TermHolds::Yes)
    return {holds, "initiation"};
  Term bad = steps.at(product.property().bad_term(), 0);
  Question step(terms, stop);
  step.add(steps.at(system.constraint(), 0));
  step.add(steps.at(system.constraint(), 1));
  step.add(steps.between(system.trans_formula(), 0));
  Term below = terms.boolean(false);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    std::string name = layer_name(i, claim.layers.size());
    Term upto = terms.make_or(below, sets[i]);
    Term here = terms.make_and(steps.at(sets[i], 0), terms.make_not(steps.at(below, 0)));
    Term out = terms.make_and(here, terms.make_not(steps.at(upto, 1)));
    if (TermHolds holds = step.excludes(out); holds != TermHolds::Yes)
      return {holds, "that " + name + " is closed"};
    const Term parts[] = {here, bad, terms.make_not(steps.at(below, 1))};
    if (TermHolds holds = step.excludes(terms.make_and(parts)); holds != TermHolds::Yes)
      return {holds, "that a round leaves " + name};
    below = upto;
  }
  return {TermHolds::Yes};
}

}  // namespace lem::check
