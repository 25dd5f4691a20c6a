#include "term/implicant.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>

namespace lem {

namespace {

class Implicant {
 public:
  Implicant(TermStore& terms, TermMap model) : terms_(terms), values_(terms, std::move(model)) {}
  std::optional<std::vector<Term>> of(Term formula) &&;

 private:
  bool holds(Term formula) { return terms_.is_true(values_.apply(formula)); }
  Term signed_as_is(Term formula) { return holds(formula) ? formula : terms_.make_not(formula); }
  void choose();
  bool split(Term formula);
  Term decided(Term root);
  Term rebuilt(Term term);

  TermStore& terms_;
  Substitution values_;
  std::vector<Term> open_;     // hold, and are still to be implied
  std::vector<Term> choices_;  // disjunctions among them, left for last
  std::unordered_set<Term> seen_;
  std::unordered_map<Term, Term> decided_;  // terms without Ite, whose conditions were opened
};

std::optional<std::vector<Term>> Implicant::of(Term formula) && {
  if (!holds(formula)) return {};
  std::vector<Term> literals;
  open_ = {formula};
  while (!open_.empty() || !choices_.empty()) {
    if (open_.empty()) choose();
    Term top = open_.back();
    open_.pop_back();
    if (!seen_.insert(top).second || split(top)) continue;
    Term literal = decided(top);
    if (literal != top)
      open_.push_back(literal);
    else if (!terms_.is_true(top))
      literals.push_back(top);
  }
  std::sort(literals.begin(), literals.end());
  return literals;
}

/// Opens one part of a disjunction that holds, one that is implied already before others.
void Implicant::choose() {
  Term formula = choices_.back();
  choices_.pop_back();
  bool negative = terms_.op(formula) == Op::Not;
  Term chosen;
  for (Term arg : terms_.args(terms_.atom_of(formula))) {
    Term part = negative ? terms_.make_not(arg) : arg;
    if (holds(part) && (!chosen || seen_.contains(part))) chosen = part;
  }
  assert(chosen && "what holds has a part that does");
  open_.push_back(chosen);
}

/// Boolean structure: what is enough for the formula is opened instead of it.
bool Implicant::split(Term formula) {
  bool negative = terms_.op(formula) == Op::Not;
  Term inner = terms_.atom_of(formula);
  std::span<const Term> args = terms_.args(inner);
  Op op = terms_.op(inner);
  if (op == Op::And || op == Op::Or) {
    if ((op == Op::Or) != negative)
      choices_.push_back(formula);
    else
      for (Term arg : args) open_.push_back(negative ? terms_.make_not(arg) : arg);
    return true;
  }
  if (op == Op::Ite) {
    open_.push_back(signed_as_is(args[0]));
    Term branch = holds(args[0]) ? args[1] : args[2];
    open_.push_back(negative ? terms_.make_not(branch) : branch);
    return true;
  }
  if (op == Op::Eq && terms_.kind(args[0]) == SortKind::Bool) {
    for (Term arg : args) open_.push_back(signed_as_is(arg));
    return true;
  }
  return false;
}

/// The term with each Ite replaced by the branch that the model takes; its conditions are opened.
Term Implicant::decided(Term root) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term top = stack.back();
    if (decided_.contains(top)) {
      stack.pop_back();
      continue;
    }
    if (terms_.op(top) == Op::Ite) {
      Term condition = terms_.arg(top, 0);
      Term branch = terms_.arg(top, holds(condition) ? 1 : 2);
      if (!decided_.contains(branch)) {
        stack.push_back(branch);
        continue;
      }
      stack.pop_back();
      open_.push_back(signed_as_is(condition));
      decided_[top] = Term(decided_.at(branch));
      continue;
    }
    std::size_t before = stack.size();
    for (Term arg : terms_.args(top))
      if (!decided_.contains(arg)) stack.push_back(arg);
    if (stack.size() != before) continue;
    stack.pop_back();
    decided_[top] = rebuilt(top);
  }
  return decided_.at(root);
}

/// `term` over its decided arguments.
Term Implicant::rebuilt(Term term) {
  std::vector<Term> args;
  for (Term arg : terms_.args(term)) args.push_back(decided_.at(arg));
  if (std::equal(args.begin(), args.end(), terms_.args(term).begin())) return term;
  if (terms_.op(term) == Op::ConstArray) return terms_.make_const_array(terms_.sort(term), args[0]);
  return terms_.make(terms_.op(term), args, terms_.param(term, 0), terms_.param(term, 1));
}

}  // namespace

std::optional<std::vector<Term>> implicant(TermStore& terms, Term formula, TermMap model) {
  return Implicant(terms, std::move(model)).of(formula);
}

}  // namespace lem
