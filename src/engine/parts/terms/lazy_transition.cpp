#include "engine/parts/terms/lazy_transition.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_set>

#include "term/solve.h"

namespace lem::engine {

namespace {

using VariableSet = std::vector<Term>;  // sorted

}  // namespace

class LazyTransitionBuilder {
 public:
  LazyTransitionBuilder(const TermSystem& system, LazyTransition& result)
      : terms_(system.terms()), result_(result) {
    for (std::size_t i = 0; i < system.next().size(); ++i)
      current_of_[system.next()[i]] = system.current()[i];
  }

  void build(Term relation) {
    mentioned_in(relation);
    emit(relation);
    result_.base_ = terms_.make_and(eager_);
    for (auto& [variable, equations] : lazy_)
      result_.waiting_[variable] = terms_.make_and(equations);
  }

 private:
  bool is_next(Term variable) const { return current_of_.contains(variable); }

  /// The next variables of each node of the And-Or structure, arguments first; finds those that are
  /// not given by one equation on each way and marks them eager.
  void mentioned_in(Term root) {
    std::vector<Term> stack{root};
    while (!stack.empty()) {
      Term top = stack.back();
      if (mentioned_.contains(top)) {
        stack.pop_back();
        continue;
      }
      Op op = terms_.op(top);
      if (op != Op::And && op != Op::Or) {
        stack.pop_back();
        mentioned_[top] = leaf(top);
        continue;
      }
      std::size_t before = stack.size();
      for (Term arg : terms_.args(top))
        if (!mentioned_.contains(arg)) stack.push_back(arg);
      if (stack.size() != before) continue;
      stack.pop_back();
      VariableSet all;
      for (Term arg : terms_.args(top)) {
        const VariableSet& more = mentioned_[arg];
        all.insert(all.end(), more.begin(), more.end());
      }
      std::sort(all.begin(), all.end());
      if (op == Op::And)  // two conjuncts about one next value: both must be kept
        for (std::size_t i = 1; i < all.size(); ++i)
          if (all[i] == all[i - 1]) always_.insert(all[i]);
      all.erase(std::unique(all.begin(), all.end()), all.end());
      mentioned_[top] = std::move(all);
    }
  }

  VariableSet leaf(Term term) {
    VariableSet next;
    for (Term variable : variables_of(terms_, term))
      if (is_next(variable)) next.push_back(variable);
    if (next.size() != 1 || !is_equation_for(term, next[0]))
      always_.insert(next.begin(), next.end());
    return next;
  }

  /// x' = t with t over X and I: for every X and I exactly one value of x' fits.
  bool is_equation_for(Term term, Term next) {
    return solve_for(terms_, term, [&](Term variable) { return variable == next; }).has_value();
  }

  /// Asserts the structure: a chosen node implies its parts; an Or chooses one of its arguments.
  void emit(Term root) {
    struct Item {
      Term node;
      Term chosen;  // true at the root
    };
    std::vector<Item> stack{{root, terms_.boolean(true)}};
    while (!stack.empty()) {
      auto [node, chosen] = stack.back();
      stack.pop_back();
      if (terms_.op(node) == Op::And) {
        for (Term arg : terms_.args(node)) stack.push_back({arg, chosen});
      } else if (terms_.op(node) == Op::Or && !mentioned_[node].empty()) {
        std::vector<Term> choices;
        for (Term arg : terms_.args(node)) {
          auto [at, added] = selector_.try_emplace(arg);
          if (added) {
            at->second = terms_.fresh("choose", terms_.bool_sort());
            stack.push_back({arg, at->second});
          }
          choices.push_back(at->second);
        }
        eager_.push_back(terms_.make_implies(chosen, terms_.make_or(choices)));
      } else {
        emit_leaf(node, chosen);
      }
    }
  }

  void emit_leaf(Term node, Term chosen) {
    Term formula = terms_.make_implies(chosen, node);
    const VariableSet& next = mentioned_[node];
    if (next.size() == 1 && !always_.contains(next[0]))
      lazy_[current_of_[next[0]]].push_back(formula);
    else
      eager_.push_back(formula);
  }

  TermStore& terms_;
  LazyTransition& result_;
  std::unordered_map<Term, Term> current_of_;
  std::unordered_map<Term, VariableSet> mentioned_;
  std::unordered_set<Term> always_;
  std::unordered_map<Term, Term> selector_;
  std::vector<Term> eager_;
  std::map<Term, std::vector<Term>> lazy_;
};

LazyTransition::LazyTransition(const TermSystem& system) : terms_(system.terms()) {
  LazyTransitionBuilder(system, *this).build(system.trans());
}

Term LazyTransition::demand(Term formula) {
  std::vector<Term> parts;
  for (Term variable : variables_of(terms_, formula)) {
    auto at = waiting_.find(variable);
    if (at == waiting_.end()) continue;
    parts.push_back(at->second);
    waiting_.erase(at);
  }
  return terms_.make_and(parts);
}

}  // namespace lem::engine
