#include "explain/choices.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "check/circuit.h"
#include "check/steps.h"
#include "explain/cfa_choices.h"

namespace lem::explain {

/// Whether the chosen values force the violation, and which of them do.
using Forced = std::function<Support(std::span<const std::size_t>)>;

/// Drops what is not needed, in turn, later choices first; each core drops several at once.
static void minimize(NeededChoices& out, const Forced& forced, const std::stop_token& stop) {
  auto take = [&](std::vector<std::size_t> trial) {
    Support found = forced(trial);
    if (found.implied == Implied::Undecided) out.minimal = false;
    if (found.implied == Implied::Yes) out.needed = std::move(found.by);
    return found.implied == Implied::Yes;
  };
  // Inputs before states: a later state is a consequence of inputs, where they determine it.
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < out.all.size(); ++i) {
    out.needed.push_back(i);
    if (out.all[i].kind != Choice::Kind::State) inputs.push_back(i);
  }
  if (!take(std::move(inputs)) && !take(out.needed)) out.minimal = false;
  const std::vector<std::size_t> candidates = out.needed;
  for (auto at = candidates.rbegin(); at != candidates.rend(); ++at) {
    auto place = std::lower_bound(out.needed.begin(), out.needed.end(), *at);
    if (place == out.needed.end() || *place != *at) continue;
    if (stop.stop_requested()) {
      out.minimal = false;
      return;
    }
    std::vector<std::size_t> trial(out.needed.begin(), place);
    trial.insert(trial.end(), place + 1, out.needed.end());
    take(std::move(trial));
  }
}

// Circuits ----------------------------------------------------------------------------------------

namespace {

class BitRun {
 public:
  BitRun(const Aig& aig, AigLit bad, const Trace& trace, const std::stop_token& stop)
      : refutation_(circuit_, stop) {
    std::vector<AigLit> latches;
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
      Reset reset = aig.latches()[i].reset;
      latches.push_back(reset == Reset::Free ? choose(aig.latch(i).var(), trace.initial[i])
                                             : kAigFalse ^ (reset == Reset::One));
    }
    const check::Cone cone(aig.num_vars(), true);
    for (step_ = 0; step_ < trace.inputs.size(); ++step_) {
      std::vector<AigLit> leaves;
      for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
        leaves.push_back(choose(aig.input(i).var(), trace.inputs[step_][i], Choice::Kind::Input));
      leaves.insert(leaves.end(), latches.begin(), latches.end());
      check::Step at(circuit_, aig, leaves, cone);
      for (AigLit lit : aig.constraints()) refutation_.require(at[lit]);
      refutation_.require(!at[bad]);
      for (std::uint32_t i = 0; i < aig.num_latches(); ++i) latches[i] = at[aig.latches()[i].next];
    }
  }

  std::vector<Choice> choices() const { return choices_; }
  Support forced(std::span<const std::size_t> kept) {
    std::vector<AigLit> assumptions;
    for (std::size_t i : kept) assumptions.push_back(values_[i]);
    sat::SatResult result = refutation_.solve_under(assumptions);
    if (result == sat::SatResult::Stopped) return {};
    if (result == sat::SatResult::Sat) return {Implied::No, {}};
    Support out{Implied::Yes, {}};
    for (std::size_t i : kept)
      if (refutation_.failed(values_[i])) out.by.push_back(i);
    return out;
  }

 private:
  AigLit choose(std::uint32_t var, bool value, Choice::Kind kind = Choice::Kind::Initial) {
    AigLit lit = circuit_.fresh();
    choices_.push_back({kind, step_, var, {}, {}, value});
    values_.push_back(lit ^ !value);
    return lit;
  }

  check::Circuit circuit_;
  check::Refutation refutation_;
  std::size_t step_ = 0;
  std::vector<Choice> choices_;
  std::vector<AigLit> values_;  // by choice: true if it is as in the trace
};

// Transition systems ------------------------------------------------------------------------------

class TermRun {
 public:
  TermRun(const TransitionSystem& system, Term bad, const TermTrace& trace,
          const std::stop_token& stop)
      : system_(system), steps_(system), avoided_(system.terms(), stop) {
    TermStore& terms = system.terms();
    Term trans = system.trans_formula();
    avoided_.add_fact(steps_.at(system.init_formula(), 0));
    for (std::size_t k = 0; k < trace.steps.size(); ++k) {
      avoided_.add_fact(steps_.at(system.constraint(), k));
      avoided_.add_fact(terms.make_not(steps_.at(bad, k)));
      if (k + 1 < trace.steps.size()) avoided_.add_fact(steps_.between(trans, k));
      choose(k, trace.steps[k]);
    }
  }

  std::vector<Choice> choices() const { return choices_; }
  Support forced(std::span<const std::size_t> kept) {
    return avoided_.imply(kept, system_.terms().boolean(false));
  }

 private:
  void choose(std::size_t k, const TermTrace::Step& step) {
    for (std::size_t i = 0; i < step.states.size(); ++i) {
      const StateVar& state = system_.states()[i];
      bool open = k == 0 ? !state.init : !state.update;
      Choice::Kind kind = k == 0 ? Choice::Kind::Initial : Choice::Kind::State;
      if (open) add({kind, k, 0, state.current, step.states[i]});
    }
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      add({Choice::Kind::Input, k, 0, system_.inputs()[i], step.inputs[i]});
  }
  void add(Choice choice) {
    Term here = steps_.at(choice.variable, choice.step);
    avoided_.add_premise(choices_.size(), system_.terms().make_eq(here, choice.value));
    choices_.push_back(choice);
  }

  const TransitionSystem& system_;
  check::Steps steps_;
  Implication avoided_;
  std::vector<Choice> choices_;
};

}  // namespace

/// `runs` knows the choices of a run and whether some of them force the violation.
template <class Runs>
static NeededChoices needed_in(Runs& runs, const std::stop_token& stop) {
  NeededChoices out{runs.choices(), {}};
  minimize(
      out, [&](std::span<const std::size_t> kept) { return runs.forced(kept); }, stop);
  return out;
}

static Result<NeededChoices> needed_of(const Problem& problem, const Trace& run,
                                       const std::stop_token& stop) {
  BitRun runs(problem.aig(), problem.property().bad(), run, stop);
  return needed_in(runs, stop);
}

static Result<NeededChoices> needed_of(const Problem& problem, const TermTrace& run,
                                       const std::stop_token& stop) {
  TermRun runs(problem.system(), problem.property().bad_term(), run, stop);
  return needed_in(runs, stop);
}

static Result<NeededChoices> needed_of(const Problem& problem, const CfaTrace& run,
                                       const std::stop_token& stop) {
  CfaRun runs(problem.cfa(), run, stop);
  if (Status executed = runs.execute(); !executed) return executed.error();
  return needed_in(runs, stop);
}

static Result<NeededChoices> needed_of(const Problem& problem, const Derivation& /*run*/,
                                       const std::stop_token& /*stop*/) {
  return Error{{problem.source.file},
               "unsupported: which values of a derivation are needed",
               ErrorKind::Usage};
}

Result<NeededChoices> needed_choices(const Problem& problem, const Run& run,
                                     const std::stop_token& stop) {
  return std::visit([&](const auto& one) { return needed_of(problem, one, stop); }, run);
}

}  // namespace lem::explain
