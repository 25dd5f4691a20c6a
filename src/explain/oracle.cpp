#include "explain/oracle.h"

#include "smt/solvers.h"

#include <algorithm>
#include <utility>

namespace lem::explain {

// For one query, in milliseconds. Explanations are for people who wait for them: a query that takes
// longer counts as undecided, and the answer says so.
static constexpr std::uint32_t kQuick = 2'000;
static constexpr std::uint32_t kThorough = 10'000;

Implication::Implication(TermStore& terms, std::stop_token stop)
    : terms_(terms), stop_(stop), solver_(smt::Solvers(stop).make(terms, smt::Workload::Stream)) {
  solver_->limit_time(kQuick);
}

void Implication::add_fact(Term fact) {
  facts_.push_back(fact);
  solver_->add(fact);
}

Term Implication::selector(std::size_t number) {
  if (selectors_.size() <= number) {
    selectors_.resize(number + 1);
    premises_.resize(number + 1);
  }
  if (!selectors_[number]) selectors_[number] = terms_.fresh("selected", terms_.bool_sort());
  return selectors_[number];
}

void Implication::add_premise(std::size_t number, Term premise) {
  Term select = selector(number);
  premises_[number].push_back(premise);
  solver_->add(terms_.make_or(terms_.make_not(select), premise));
}

/// Fresh solvers decide much that one with a history and many selectors does not.
Implied Implication::ask_afresh(std::span<const std::size_t> selected, Term goal) const {
  for (auto choice : {smt::SolverChoice::Z3, smt::SolverChoice::Cvc5}) {
    if (stop_.stop_requested()) break;
    std::unique_ptr<smt::SmtSolver> solver =
        smt::Solvers(choice, stop_).make(terms_, smt::Workload::Single);
    solver->limit_time(kThorough);
    for (Term fact : facts_) solver->add(fact);
    for (std::size_t number : selected)
      if (number < premises_.size())
        for (Term premise : premises_[number]) solver->add(premise);
    solver->add(terms_.make_not(goal));
    smt::Answer answer = solver->solve();
    if (answer == smt::Answer::Unsat) return Implied::Yes;
    if (answer == smt::Answer::Sat) return Implied::No;
  }
  return Implied::Undecided;
}

Support Implication::imply(std::span<const std::size_t> selected, Term goal) {
  if (terms_.is_true(goal)) return {Implied::Yes, {}};
  if (stop_.stop_requested()) return {};
  std::vector<Term> assumptions;
  std::vector<std::size_t> numbers;
  for (std::size_t number : selected) {
    if (number >= selectors_.size() || !selectors_[number]) continue;
    assumptions.push_back(selectors_[number]);
    numbers.push_back(number);
  }
  smt::Scope scope(*solver_);
  solver_->add(terms_.make_not(goal));
  smt::Answer answer = solver_->solve(assumptions);
  if (answer == smt::Answer::Sat) return {Implied::No, {}};
  if (answer == smt::Answer::Unknown) {
    Implied found = ask_afresh(selected, goal);
    return {found, found == Implied::Yes ? std::move(numbers) : std::vector<std::size_t>()};
  }
  const std::vector<Term>& core = solver_->core();
  std::vector<std::size_t> by;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::find(core.begin(), core.end(), assumptions[i]) != core.end()) by.push_back(numbers[i]);
  return {Implied::Yes, std::move(by)};
}

}  // namespace lem::explain
