#include "engine/spacer/derivation.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "smt/solvers.h"

namespace lem::engine {

namespace {

class Grounding {
 public:
  Grounding(const CallRules& rules, const Summaries& summaries, const Context& ctx)
      : rules_(rules),
        summaries_(summaries),
        terms_(rules.terms()),
        ctx_(ctx),
        solver_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)) {}

  std::optional<Derivation> run(FactId query) {
    node(query, {});
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (ctx_.stopped() || !solve(i)) return {};
    return in_order();
  }

 private:
  struct Node {
    FactId fact;
    std::vector<Term> tuple;  // of the predicate's params
    Derivation::Step step;    // premises are indices of nodes_
  };

  std::size_t node(FactId fact, std::vector<Term> tuple) {
    auto [at, added] = known_.try_emplace({index(fact), tuple}, nodes_.size());
    if (added) nodes_.push_back({fact, std::move(tuple), {}});
    return at->second;
  }

  /// Values of the rule by which the fact has the tuple, and its premises.
  bool solve(std::size_t i) {
    const Fact& fact = summaries_.facts[index(nodes_[i].fact)];
    const CallRule& rule = rules_.of(fact.predicate)[fact.rule];
    smt::Scope scope(*solver_);
    solver_->add(rule.step);
    std::span<const Term> params = rules_.params(fact.predicate);
    for (std::size_t p = 0; p < params.size(); ++p)
      solver_->add(terms_.make_eq(params[p], nodes_[i].tuple[p]));
    for (std::size_t j = 0; j < rule.body.size(); ++j)
      solver_->add(rules_.at(rule.body[j], summaries_.facts[index(fact.premises[j])].formula));
    if (solver_->solve() != smt::Answer::Sat) return false;
    Derivation::Step step{rule.clause, {}, {}};
    for (Term variable : rule.variables) step.values.push_back(solver_->value(variable));
    for (std::size_t j = 0; j < rule.body.size(); ++j) {
      std::vector<Term> tuple;
      for (Term arg : rule.body[j].args) tuple.push_back(solver_->value(arg));
      step.premises.push_back(node(fact.premises[j], std::move(tuple)));
    }
    nodes_[i].step = std::move(step);
    return true;
  }

  /// Premises are older facts.
  Derivation in_order() const {
    std::vector<std::size_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return nodes_[a].fact < nodes_[b].fact; });
    std::vector<std::size_t> place(nodes_.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    Derivation derivation;
    for (std::size_t i : order) {
      Derivation::Step step = nodes_[i].step;
      for (std::size_t& premise : step.premises) premise = place[premise];
      derivation.steps.push_back(std::move(step));
    }
    return derivation;
  }

  const CallRules& rules_;
  const Summaries& summaries_;
  TermStore& terms_;
  const Context& ctx_;
  std::unique_ptr<smt::SmtSolver> solver_;
  std::vector<Node> nodes_;
  std::map<std::pair<std::uint32_t, std::vector<Term>>, std::size_t> known_;
};

}  // namespace

std::optional<Derivation> ground(const CallRules& rules, const Summaries& summaries, FactId query,
                                 const Context& ctx) {
  assert(summaries.facts[index(query)].predicate == rules.query() &&
         "a derivation ends in a query");
  return Grounding(rules, summaries, ctx).run(query);
}

}  // namespace lem::engine
