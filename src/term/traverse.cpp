#include "term/traverse.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace lem {

/// `term` over other arguments.
static Term rebuild(TermStore& terms, Term term, std::span<const Term> args) {
  if (terms.op(term) == Op::ConstArray) return terms.make_const_array(terms.sort(term), args[0]);
  return terms.make(terms.op(term), args, terms.param(term, 0), terms.param(term, 1));
}

Term Substitution::apply(Term term) {
  assert(stack_.empty() && "apply is not re-entered");
  stack_.push_back(term);
  std::vector<Term> args;
  while (!stack_.empty()) {
    Term top = stack_.back();
    if (done_.contains(top)) {
      stack_.pop_back();
      continue;
    }
    std::span<const Term> old = terms_.args(top);
    std::size_t before = stack_.size();
    args.clear();
    bool changed = false;
    for (Term arg : old) {
      auto at = done_.find(arg);
      if (at == done_.end()) {
        stack_.push_back(arg);
      } else {
        args.push_back(at->second);
        changed = changed || at->second != arg;
      }
    }
    if (stack_.size() != before) continue;
    stack_.pop_back();
    done_[top] = changed ? rebuild(terms_, top, args) : top;
  }
  return done_[term];
}

Term substitute(TermStore& terms, Term term, const TermMap& map) {
  return Substitution(terms, map).apply(term);
}

Term evaluate(TermStore& terms, Term term, const TermMap& assignment) {
  Substitution values(terms, assignment);
  for (Term variable : variables_of(terms, term))
    if (!assignment.contains(variable))
      values.add(variable, terms.default_value(terms.sort(variable)));
  Term value = values.apply(term);
  assert(terms.is_value(value) && "all operators fold over values");
  return value;
}

void for_each_subterm(const TermStore& terms, std::span<const Term> roots,
                      const std::function<void(Term)>& visit) {
  std::unordered_map<Term, bool> state;  // false: open, true: visited
  std::vector<Term> stack(roots.rbegin(), roots.rend());
  while (!stack.empty()) {
    Term top = stack.back();
    auto [at, added] = state.try_emplace(top, false);
    if (added) {
      std::span<const Term> args = terms.args(top);
      for (std::size_t i = args.size(); i-- > 0;)
        if (!state.contains(args[i])) stack.push_back(args[i]);
      continue;
    }
    stack.pop_back();
    if (at->second) continue;
    at->second = true;
    visit(top);
  }
}

std::vector<Term> variables_of(const TermStore& terms, std::span<const Term> roots) {
  std::vector<Term> found;
  for_each_subterm(terms, roots, [&](Term term) {
    if (terms.is_variable(term)) found.push_back(term);
  });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Term> variables_of(const TermStore& terms, Term root) {
  return variables_of(terms, std::span(&root, 1));
}

static std::vector<Term> parts(const TermStore& terms, Term formula, Op op) {
  std::vector<Term> found;
  std::vector<Term> stack{formula};
  std::unordered_set<Term> seen;  // long junctions are not merged, so they may be shared
  while (!stack.empty()) {
    Term top = stack.back();
    stack.pop_back();
    if (terms.op(top) != op) {
      found.push_back(top);
      continue;
    }
    if (!seen.insert(top).second) continue;
    std::span<const Term> args = terms.args(top);
    stack.insert(stack.end(), args.rbegin(), args.rend());
  }
  return found;
}

std::vector<Term> conjuncts(const TermStore& terms, Term formula) {
  return parts(terms, formula, Op::And);
}

std::vector<Term> disjuncts(const TermStore& terms, Term formula) {
  return parts(terms, formula, Op::Or);
}

static bool is_structure(const TermStore& terms, Term term) {
  switch (terms.op(term)) {
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Ite:
      return true;
    case Op::Eq:
      return terms.kind(terms.arg(term, 0)) == SortKind::Bool;
    default:
      return false;
  }
}

std::vector<Term> atoms_of(const TermStore& terms, Term formula) {
  std::vector<Term> found;
  std::vector<Term> stack{formula};
  std::unordered_map<Term, bool> seen;
  while (!stack.empty()) {
    Term top = stack.back();
    stack.pop_back();
    if (!seen.try_emplace(top, true).second) continue;
    assert(terms.kind(top) == SortKind::Bool && "atoms are formulas");
    if (is_structure(terms, top)) {
      std::span<const Term> args = terms.args(top);
      stack.insert(stack.end(), args.begin(), args.end());
    } else if (!terms.is_value(top)) {
      found.push_back(top);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t dag_size(const TermStore& terms, Term root) {
  std::size_t count = 0;
  for_each_subterm(terms, std::span(&root, 1), [&](Term) { ++count; });
  return count;
}

}  // namespace lem
