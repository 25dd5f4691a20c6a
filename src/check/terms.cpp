#include "check/terms.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "check/question.h"
#include "check/steps.h"
#include "smt/smt_solver.h"
#include "term/traverse.h"

namespace lem::check {

// Replay ------------------------------------------------------------------------------------------

static std::string at_step(const std::string& what, std::size_t step) {
  return what + " at step " + std::to_string(step);
}

static std::optional<std::string> take_values(const TermStore& terms, std::span<const Term> names,
                                              std::span<const Term> values, TermMap& assignment) {
  if (names.size() != values.size()) return "the number of values is wrong";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!values[i] || !terms.is_value(values[i])) return "there is something that is no value";
    if (terms.sort(values[i]) != terms.sort(names[i]))
      return "the value of '" + terms.name(names[i]) + "' has another sort";
    assignment[names[i]] = values[i];
  }
  return {};
}

std::optional<std::string> replay(const TransitionSystem& system, Term bad,
                                  const TermTrace& trace) {
  TermStore& terms = system.terms();
  if (trace.steps.empty()) return "the trace has no steps";
  std::vector<Term> current;
  std::vector<Term> next;
  for (const StateVar& state : system.states()) {
    current.push_back(state.current);
    next.push_back(state.next);
  }
  auto holds = [&](Term formula, const TermMap& values) {
    return terms.is_true(evaluate(terms, formula, values));
  };
  Term trans = system.trans_formula();
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TermTrace::Step& step = trace.steps[k];
    TermMap values;
    if (auto wrong = take_values(terms, current, step.states, values)) return at_step(*wrong, k);
    if (auto wrong = take_values(terms, system.inputs(), step.inputs, values))
      return at_step(*wrong, k);
    if (k == 0 && !holds(system.init_formula(), values)) return "the first state is not initial";
    if (!holds(system.constraint(), values)) return at_step("the constraint fails", k);
    if (k + 1 == trace.steps.size())
      return holds(bad, values) ? std::optional<std::string>()
                                : std::optional<std::string>("the property holds at the last step");
    if (auto wrong = take_values(terms, next, trace.steps[k + 1].states, values))
      return at_step(*wrong, k + 1);
    if (!holds(trans, values)) return at_step("the transition relation fails", k);
  }
  return {};
}

// Induction ---------------------------------------------------------------------------------------

bool is_over_step(const TransitionSystem& system, Term formula) {
  std::unordered_set<Term> allowed(system.inputs().begin(), system.inputs().end());
  for (const StateVar& state : system.states()) allowed.insert(state.current);
  std::vector<Term> used = variables_of(system.terms(), formula);
  return std::all_of(used.begin(), used.end(), [&](Term v) { return allowed.contains(v); });
}

TermFinding check_induction(const TransitionSystem& system, Term bad, const TermInvariant& claim,
                            std::stop_token stop) {
  TermStore& terms = system.terms();
  Term good = terms.make_and(claim.invariant, terms.make_not(bad));
  Term trans = system.trans_formula();
  Steps steps(system);
  Question base(terms, stop);
  Question step(terms, stop);
  base.add(steps.at(system.init_formula(), 0));
  for (std::uint32_t k = 0; k <= claim.k; ++k) {
    if (k > 0) {
      Term move = steps.between(trans, k - 1);
      base.add(move);
      step.add(move);
    }
    Term constraint = steps.at(system.constraint(), k);
    base.add(constraint);
    step.add(constraint);
    Term violated = terms.make_not(steps.at(good, k));
    if (k < claim.k) {
      TermHolds holds = base.excludes(violated);
      if (holds != TermHolds::Yes) return {holds, claim.k == 1 ? "initiation" : "the base case"};
      base.add(terms.make_not(violated));
      step.add(terms.make_not(violated));
    } else {
      if (claim.simple_path == SimplePath::Yes)
        for (std::uint32_t i = 0; i <= k; ++i)
          for (std::uint32_t j = 0; j < i; ++j) step.add(steps.differ(i, j));
      TermHolds holds = step.excludes(violated);
      if (holds != TermHolds::Yes)
        return {holds, claim.k == 1 ? "consecution" : "the induction step"};
    }
  }
  return {TermHolds::Yes};
}

TermFinding check_safety(const TransitionSystem& system, Term bad, Term invariant,
                         std::stop_token stop) {
  Question question(system.terms(), std::move(stop));
  question.add(system.constraint());
  question.add(invariant);
  return {question.excludes(bad), "safety"};
}

}  // namespace lem::check
