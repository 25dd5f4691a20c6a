#include "term/eliminate.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "term/solve.h"

namespace lem {

namespace {

class Eliminator {
 public:
  Eliminator(TermStore& terms, const std::function<bool(Term)>& is_local)
      : t_(terms), is_local_(is_local) {}

  /// One round: definitions that do not depend on each other, applied at once. False if none.
  bool round(Term& formula, std::vector<Term>& outputs) {
    chosen_.clear();
    mentioned_.clear();
    std::vector<Term> parts = facts(formula);
    std::vector<bool> dropped(parts.size(), false);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (const Definition& found : definitions(parts[i]))
        if (choose(found)) {
          dropped[i] = true;
          break;
        }
    if (chosen_.empty()) by_cases(parts, dropped);
    if (chosen_.empty()) return false;
    std::vector<Term> kept;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!dropped[i]) kept.push_back(parts[i]);
    Substitution substitution(t_, chosen_);
    for (Term& part : kept) part = substitution.apply(part);
    formula = t_.make_and(kept);
    for (Term& output : outputs) output = substitution.apply(output);
    return true;
  }

 private:
  bool is_local(Term term) const { return t_.is_variable(term) && is_local_(term); }
  std::vector<Term> facts(Term formula);
  bool choose(const Definition& definition);
  std::vector<Definition> definitions(Term conjunct);
  void equation(Term a, Term b, std::vector<Definition>& out);
  void sum(Term a, Term b, std::vector<Definition>& out);
  void invert(Term side, Term other, std::vector<Definition>& out);
  void by_cases(const std::vector<Term>& parts, std::vector<bool>& dropped);

  TermStore& t_;
  const std::function<bool(Term)>& is_local_;
  TermMap chosen_;
  std::unordered_set<Term> mentioned_;  // by the values of chosen_
};

/// Conjuncts, also below a negated disjunction.
std::vector<Term> Eliminator::facts(Term formula) {
  std::vector<Term> found;
  std::vector<Term> work = {formula};
  while (!work.empty()) {
    Term part = work.back();
    work.pop_back();
    Term inner = t_.atom_of(part);
    bool negative = inner != part;
    if (t_.op(inner) != (negative ? Op::Or : Op::And)) {
      found.push_back(part);
      continue;
    }
    std::span<const Term> args = t_.args(inner);
    for (std::size_t i = args.size(); i-- > 0;)
      work.push_back(negative ? t_.make_not(args[i]) : args[i]);
  }
  return found;
}

bool Eliminator::choose(const Definition& definition) {
  if (chosen_.contains(definition.variable) || mentioned_.contains(definition.variable))
    return false;
  std::vector<Term> variables = variables_of(t_, definition.value);
  for (Term variable : variables)
    if (variable == definition.variable || chosen_.contains(variable)) return false;
  chosen_[definition.variable] = definition.value;
  mentioned_.insert(variables.begin(), variables.end());
  return true;
}

std::vector<Definition> Eliminator::definitions(Term conjunct) {
  std::vector<Definition> found;
  Term inner = t_.atom_of(conjunct);
  bool negative = inner != conjunct;
  if (is_local(inner)) {
    found.push_back({inner, t_.boolean(!negative)});
  } else if (t_.op(inner) == Op::Eq) {
    Term a = t_.arg(inner, 0);
    Term b = t_.arg(inner, 1);
    bool over_bool = t_.kind(a) == SortKind::Bool;
    if (negative && !over_bool) return found;
    if (negative) b = t_.make_not(b);
    equation(a, b, found);
    if (negative && over_bool) equation(t_.make_not(a), t_.make_not(b), found);
  }
  return found;
}

void Eliminator::equation(Term a, Term b, std::vector<Definition>& out) {
  if (is_local(a)) out.push_back({a, b});
  if (is_local(b)) out.push_back({b, a});
  if (t_.is_numeric(t_.sort(a))) sum(a, b, out);
  if (t_.kind(a) == SortKind::BitVec) {
    invert(a, b, out);
    invert(b, a, out);
  }
}

/// a - b = 0 solved for a monomial: over Int only for factors 1 and -1.
void Eliminator::sum(Term a, Term b, std::vector<Definition>& out) {
  Term difference = t_.make_sub(a, b);
  if (t_.op(difference) != Op::Add) return;
  bool over_int = t_.kind(a) == SortKind::Int;
  for (Term monomial : t_.args(difference)) {
    mpq_class factor = 1;
    Term base = monomial;
    if (t_.op(monomial) == Op::Mul && t_.args(monomial).size() == 2 &&
        t_.is_value(t_.arg(monomial, 0))) {
      factor = t_.number_value(t_.arg(monomial, 0));
      base = t_.arg(monomial, 1);
    }
    if (!is_local(base) || (over_int && abs(factor) != 1)) continue;
    Term rest = t_.make_sub(difference, monomial);
    out.push_back({base, t_.make_mul(t_.number(-1 / factor, t_.sort(a)), rest)});
  }
}

void Eliminator::invert(Term side, Term other, std::vector<Definition>& out) {
  Op op = t_.op(side);
  if (op == Op::BvNot || op == Op::BvNeg) {
    if (is_local(t_.arg(side, 0))) out.push_back({t_.arg(side, 0), t_.make(op, {other})});
    return;
  }
  if ((op != Op::BvAdd && op != Op::BvXor) || t_.args(side).size() != 2) return;
  for (std::size_t i = 0; i < 2; ++i) {
    Term rest = t_.arg(side, 1 - i);
    if (!is_local(t_.arg(side, i))) continue;
    Term value = op == Op::BvAdd ? t_.make_bv_sub(other, rest) : t_.make(op, {other, rest});
    out.push_back({t_.arg(side, i), value});
  }
}

/// (not c or v = s) & (c or v = t): v is ite(c, s, t).
void Eliminator::by_cases(const std::vector<Term>& parts, std::vector<bool>& dropped) {
  struct Case {
    std::size_t part;
    Term value;
  };
  std::map<std::pair<Term, Term>, Case> waiting;  // by condition and variable
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (t_.op(parts[i]) != Op::Or || t_.args(parts[i]).size() != 2) continue;
    for (std::size_t side = 0; side < 2 && !dropped[i]; ++side) {
      Term condition = t_.make_not(t_.arg(parts[i], side));  // under it the other side holds
      for (const Definition& found : definitions(t_.arg(parts[i], 1 - side))) {
        auto other = waiting.find({t_.make_not(condition), found.variable});
        if (other == waiting.end() || dropped[other->second.part]) {
          waiting.try_emplace({condition, found.variable}, Case{i, found.value});
          continue;
        }
        Term value = t_.make_ite(condition, found.value, other->second.value);
        if (!choose({found.variable, value})) continue;
        dropped[i] = dropped[other->second.part] = true;
        break;
      }
    }
  }
}

}  // namespace

void eliminate_locals(TermStore& terms, const std::function<bool(Term)>& is_local, Term& formula,
                      std::vector<Term>& outputs) {
  Eliminator eliminator(terms, is_local);
  while (eliminator.round(formula, outputs)) {
  }
}

}  // namespace lem
