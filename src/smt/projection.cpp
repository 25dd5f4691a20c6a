#include "smt/projection.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

#include "term/solve.h"

namespace lem::smt {

namespace {

class ValueProjection {
 public:
  ValueProjection(TermStore& terms, std::span<const Term> eliminate, const TermMap& model)
      : terms_(terms), eliminate_(eliminate.begin(), eliminate.end()), values_(terms, model) {}

  bool holds(Term formula) { return terms_.is_true(value(formula)); }

  /// require: holds(formula)
  std::vector<Term> run(Term formula) {
    std::vector<Term> literals = implicant({formula});
    while (std::optional<Definition> found = take_definition(literals)) {
      Substitution substitution(terms_, {{found->variable, found->value}});
      for (Term& literal : literals) literal = substitution.apply(literal);
      literals = implicant(std::move(literals));  // the value may bring structure with it
    }
    TermMap left;
    for (Term variable : eliminate_) left[variable] = value(variable);
    Substitution substitution(terms_, std::move(left));
    std::vector<Term> result;
    for (Term literal : literals) {
      Term narrowed = substitution.apply(literal);
      assert(holds(narrowed) && "every step keeps the model");
      if (!terms_.is_true(narrowed)) result.push_back(narrowed);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

 private:
  Term value(Term term) { return values_.apply(term); }
  bool touches_eliminated(Term term) {
    auto [at, added] = touches_.try_emplace(term, false);
    if (!added) return at->second;
    std::vector<Term> variables = variables_of(terms_, term);
    bool touches = std::any_of(variables.begin(), variables.end(),
                               [&](Term variable) { return eliminate_.contains(variable); });
    return touches_[term] = touches;
  }
  Term negated_if(bool negative, Term term) { return negative ? terms_.make_not(term) : term; }

  /// Literals that hold and imply all formulas, without structure and without choices inside.
  std::vector<Term> implicant(std::vector<Term> open) {
    std::vector<Term> literals;
    std::unordered_set<Term> seen;
    while (!open.empty()) {
      Term top = open.back();
      open.pop_back();
      if (terms_.is_true(top) || !seen.insert(top).second) continue;
      if (split(top, open) || decide(top, open)) continue;
      literals.push_back(top);
    }
    return literals;
  }

  /// Boolean structure: what is enough for the formula is opened instead of it.
  bool split(Term formula, std::vector<Term>& open) {
    bool negative = terms_.op(formula) == Op::Not;
    Term inner = terms_.atom_of(formula);
    std::span<const Term> args = terms_.args(inner);
    switch (terms_.op(inner)) {
      case Op::And:
      case Op::Or: {
        bool all = (terms_.op(inner) == Op::And) != negative;
        if (!all) {
          open.push_back(choose(args, negative));
          return true;
        }
        for (Term arg : args) open.push_back(negated_if(negative, arg));
        return true;
      }
      case Op::Ite:
        open.push_back(negated_if(!holds(args[0]), args[0]));
        open.push_back(negated_if(negative, holds(args[0]) ? args[1] : args[2]));
        return true;
      case Op::Eq:
        if (terms_.kind(args[0]) != SortKind::Bool) return false;
        for (Term arg : args) open.push_back(negated_if(!holds(arg), arg));
        return true;
      default:
        return false;
    }
  }

  /// One argument that has the wanted sign, preferably one without eliminated variables.
  Term choose(std::span<const Term> args, bool negative) {
    Term best;
    for (Term arg : args) {
      Term signed_arg = negated_if(negative, arg);
      if (!holds(signed_arg)) continue;
      if (!best) best = signed_arg;
      if (touches_eliminated(signed_arg)) continue;
      return signed_arg;
    }
    assert(best && "what holds has an argument that does");
    return best;
  }

  /// Resolves choices inside a literal as in the model: branches, whether an array is read where it
  /// was written, where two arrays differ.
  bool decide(Term literal, std::vector<Term>& open) {
    if (!touches_eliminated(literal)) return false;
    if (std::optional<Term> witness = difference(literal)) {
      open.push_back(*witness);
      return true;
    }
    Term choice;
    for_each_subterm(terms_, std::span(&literal, 1), [&](Term term) {
      bool reads_written =
          terms_.op(term) == Op::Select && terms_.op(terms_.arg(term, 0)) == Op::Store;
      if (terms_.op(term) == Op::Ite || reads_written) choice = term;  // the outermost, at last
    });
    if (!choice) return false;
    Term condition =
        terms_.op(choice) == Op::Ite
            ? terms_.arg(choice, 0)
            : terms_.make_eq(terms_.arg(terms_.arg(choice, 0), 1), terms_.arg(choice, 1));
    bool yes = holds(condition);
    open.push_back(negated_if(!yes, condition));
    open.push_back(substitute(terms_, literal, {{choice, branch(choice, yes)}}));
    return true;
  }
  Term branch(Term choice, bool yes) {
    if (terms_.op(choice) == Op::Ite) return terms_.arg(choice, yes ? 1 : 2);
    Term store = terms_.arg(choice, 0);
    return yes ? terms_.arg(store, 2)
               : terms_.make_select(terms_.arg(store, 0), terms_.arg(choice, 1));
  }

  /// a != b over arrays: a[i] != b[i], where they differ in the model.
  std::optional<Term> difference(Term literal) {
    if (terms_.op(literal) != Op::Not || terms_.op(terms_.atom_of(literal)) != Op::Eq) return {};
    Term a = terms_.arg(terms_.atom_of(literal), 0);
    Term b = terms_.arg(terms_.atom_of(literal), 1);
    if (terms_.kind(a) != SortKind::Array) return {};
    for (Term index : indices_of(value(a), value(b))) {
      Term differ = terms_.make_not(
          terms_.make_eq(terms_.make_select(a, index), terms_.make_select(b, index)));
      if (holds(differ)) return differ;
    }
    return {};
  }
  /// The indices that two array values mention, and one that neither does.
  std::vector<Term> indices_of(Term a, Term b) {
    std::vector<Term> indices;
    for (Term array : {a, b})
      for (; terms_.op(array) == Op::Store; array = terms_.arg(array, 0))
        indices.push_back(terms_.arg(array, 1));
    Sort sort = terms_.index_sort(terms_.sort(a));
    if (terms_.kind(sort) == SortKind::Array) return indices;
    if (terms_.kind(sort) == SortKind::Bool) return {terms_.boolean(false), terms_.boolean(true)};
    for (mpz_class i = 0;; ++i) {
      if (terms_.kind(sort) == SortKind::BitVec && i >= mpz_class(1) << terms_.width(sort)) break;
      Term index = terms_.number(i, sort);
      if (std::find(indices.begin(), indices.end(), index) != indices.end()) continue;
      indices.push_back(index);
      break;
    }
    return indices;
  }

  std::optional<Definition> take_definition(std::vector<Term>& literals) {
    for (std::size_t i = 0; i < literals.size(); ++i) {
      std::optional<Definition> found = solve_for(
          terms_, literals[i], [&](Term variable) { return eliminate_.contains(variable); });
      if (!found) continue;
      literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(i));
      return found;
    }
    return {};
  }

  TermStore& terms_;
  std::unordered_set<Term> eliminate_;
  Substitution values_;
  std::unordered_map<Term, bool> touches_;
};

}  // namespace

std::optional<std::vector<Term>> project_by_values(TermStore& terms, Term formula,
                                                   std::span<const Term> eliminate,
                                                   const TermMap& model) {
  ValueProjection projection(terms, eliminate, model);
  if (!projection.holds(formula)) return {};
  return projection.run(formula);
}

}  // namespace lem::smt
