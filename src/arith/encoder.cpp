#include "arith/encoder.h"

#include <algorithm>
#include <cassert>

#include "term/postorder.h"

namespace lem::arith {

// What is supported -------------------------------------------------------------------------------

static bool is_supported(const TermStore& terms, Term term) {
  switch (terms.kind(term)) {
    case SortKind::Bool:
    case SortKind::Int:
    case SortKind::Real:
      break;
    case SortKind::BitVec:
    case SortKind::Array:
    case SortKind::Float:
      return false;
  }
  switch (terms.op(term)) {
    case Op::Variable:
    case Op::BoolValue:
    case Op::IntValue:
    case Op::RealValue:
    case Op::Eq:
    case Op::Ite:
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Add:
    case Op::Le:
    case Op::Lt:
    case Op::IntDiv:
    case Op::IntMod:
    case Op::ToReal:
    case Op::ToInt:
      return true;
    case Op::Mul:
      return terms.args(term).size() == 2 && terms.is_value(terms.arg(term, 0));
    default:  // of bit-vectors, arrays and floats
      return false;
  }
}

bool Support::look_at(Term formula) {
  postorder(
      terms_, formula, [&](Term term) { return known(term) != Known::Unseen; },
      [&](Term term) {
        bool yes = is_supported(terms_, term);
        for (Term arg : terms_.args(term)) yes = yes && known(arg) == Known::Yes;
        if (known_.size() <= term.id()) known_.resize(term.id() + 1, Known::Unseen);
        known_[term.id()] = yes ? Known::Yes : Known::No;
      });
  return known(formula) == Known::Yes;
}

// Boolean structure -------------------------------------------------------------------------------

Lit Encoder::literal(Term formula) {
  if (std::optional<Lit> known = cached(formula)) return *known;
  postorder(
      terms_, formula, [&](Term term) { return is_met(term); }, [&](Term term) { meet(term); });
  return *cached(formula);
}

bool Encoder::is_met(Term term) const {
  if (terms_.kind(term) == SortKind::Bool) return cached(term).has_value();
  return term.id() < met_.size() && met_[term.id()] != 0;
}

/// Arguments come first, so that definitions of nested terms do not nest calls.
void Encoder::meet(Term term) {
  if (terms_.kind(term) == SortKind::Bool) {
    const Lit lit = encode(term);
    Variables::set(literals_, term, lit.code());
    return;
  }
  const Op op = terms_.op(term);
  if (op == Op::Ite || op == Op::ToInt) auxiliary(term);
  if (op == Op::IntDiv || op == Op::IntMod)
    quotient(terms_.arg(term, 0), terms_.integer_value(terms_.arg(term, 1)));
  if (met_.size() <= term.id()) met_.resize(term.id() + 1, 0);
  met_[term.id()] = 1;
}

Lit Encoder::encode(Term term) {
  switch (terms_.op(term)) {
    case Op::Variable:
      return Lit(boolean(term), false);
    case Op::BoolValue:
      return solver_.true_literal() ^ terms_.is_false(term);
    case Op::Not:
      return !literal(terms_.arg(term, 0));
    case Op::And:
    case Op::Or:
      return encode_junction(term);
    case Op::Eq:
      return encode_equality(term);
    case Op::Ite:
      return encode_ite(term);
    case Op::Le:
      return comparison(terms_.arg(term, 0), terms_.arg(term, 1), false);
    case Op::Lt:
      return comparison(terms_.arg(term, 0), terms_.arg(term, 1), true);
    default:
      unreachable();
  }
}

void Encoder::define(std::initializer_list<Lit> clause) {
  solver_.add_clause(std::span(clause.begin(), clause.size()), Dpllt::Role::Definition, part_);
}

Var Encoder::gate(std::span<const Lit> inputs) {
  const Var var = solver_.new_var();
  std::vector<Var> on;
  for (Lit lit : inputs) on.push_back(lit.var());
  solver_.depends(var, on);
  return var;
}

/// g = a & b & ...; a disjunction is the negated conjunction of negated arguments.
Lit Encoder::encode_junction(Term term) {
  const bool is_or = terms_.op(term) == Op::Or;
  std::vector<Lit> inputs;
  for (Term arg : terms_.args(term)) inputs.push_back(literal(arg) ^ is_or);
  const Lit all(gate(inputs), false);
  std::vector<Lit> clause{all};
  for (Lit input : inputs) {
    define({!all, input});
    clause.push_back(!input);
  }
  solver_.add_clause(clause, Dpllt::Role::Definition, part_);
  return all ^ is_or;
}

Lit Encoder::encode_equality(Term term) {
  const Term left = terms_.arg(term, 0);
  const Term right = terms_.arg(term, 1);
  if (terms_.kind(left) == SortKind::Bool) {
    const Lit a = literal(left);
    const Lit b = literal(right);
    const Lit same(gate(std::vector<Lit>{a, b}), false);
    define({!same, !a, b});
    define({!same, a, !b});
    define({same, a, b});
    define({same, !a, !b});
    return same;
  }
  const Linear x = linear(left);
  const Linear y = linear(right);
  const Lit at_most = compare(x, y, false);
  const Lit less = compare(x, y, true);
  const Lit equal(gate(std::vector<Lit>{at_most, less}), false);
  define({!equal, at_most});
  define({!equal, !less});
  define({equal, !at_most, less});
  return equal;
}

Lit Encoder::encode_ite(Term term) {
  const Lit c = literal(terms_.arg(term, 0));
  const Lit a = literal(terms_.arg(term, 1));
  const Lit b = literal(terms_.arg(term, 2));
  const Lit result(gate(std::vector<Lit>{c, a, b}), false);
  define({!c, !a, result});
  define({!c, a, !result});
  define({c, !b, result});
  define({c, b, !result});
  define({!a, !b, result});  // follow from the others, and propagate without the condition
  define({a, b, !result});
  return result;
}

void Encoder::assert_formula(Term formula) {
  switch (terms_.op(formula)) {
    case Op::And:
      for (Term arg : terms_.args(formula)) assert_formula(arg);
      return;
    case Op::Or: {
      std::vector<Lit> clause;
      for (Term arg : terms_.args(formula)) clause.push_back(literal(arg));
      solver_.add_clause(clause, Dpllt::Role::Assertion, part_);
      return;
    }
    default: {
      const Lit unit = literal(formula);
      solver_.add_clause({&unit, 1}, Dpllt::Role::Assertion, part_);
    }
  }
}

// Numbers -----------------------------------------------------------------------------------------

Var Encoder::boolean(Term variable) {
  if (variables_.boolean(variable) == Variables::kNone)
    Variables::set(variables_.booleans, variable, solver_.new_var());
  return variables_.boolean(variable);
}

Column Encoder::column(Term variable) {
  if (variables_.column(variable) == Variables::kNone)
    Variables::set(
        variables_.columns, variable,
        solver_.new_column(terms_.kind(variable) == SortKind::Int ? Simplex::Integral::Yes
                                                                  : Simplex::Integral::No));
  return variables_.column(variable);
}

void Encoder::add_linear(Term term, const Number& factor, Linear& sum) {
  switch (terms_.op(term)) {
    case Op::Variable:
      sum.form.push_back({factor, column(term)});
      return;
    case Op::IntValue:
    case Op::RealValue:
      sum.constant.add_product(Number(terms_.number_value(term)), factor);
      return;
    case Op::Add:
      for (Term arg : terms_.args(term)) add_linear(arg, factor, sum);
      return;
    case Op::Mul:
      add_linear(terms_.arg(term, 1), factor * Number(terms_.number_value(terms_.arg(term, 0))),
                 sum);
      return;
    case Op::ToReal:
      add_linear(terms_.arg(term, 0), factor, sum);
      return;
    case Op::Ite:
    case Op::ToInt:
      sum.form.push_back({factor, auxiliary(term)});
      return;
    case Op::IntDiv:
      sum.form.push_back(
          {factor, quotient(terms_.arg(term, 0), terms_.integer_value(terms_.arg(term, 1)))});
      return;
    case Op::IntMod: {  // a mod d = a - d * (a div d)
      const mpz_class& divisor = terms_.integer_value(terms_.arg(term, 1));
      const Column q = quotient(terms_.arg(term, 0), divisor);
      add_linear(terms_.arg(term, 0), factor, sum);
      sum.form.push_back({factor * -Number(mpq_class(divisor)), q});
      return;
    }
    default:
      unreachable();
  }
}

Encoder::Linear Encoder::linear(Term term) {
  Linear sum;
  add_linear(term, 1, sum);
  return sum;
}

Lit Encoder::compare(const Linear& left, const Linear& right, bool strict) {
  LinearForm form = left.form;
  for (const Summand& summand : right.form) form.push_back({-summand.factor, summand.column});
  return solver_.at_most(std::move(form), right.constant - left.constant, strict);
}

Lit Encoder::comparison(Term left, Term right, bool strict) {
  return compare(linear(left), linear(right), strict);
}

Column Encoder::auxiliary(Term term) {
  if (term.id() < auxiliary_.size() && auxiliary_[term.id()] != Variables::kNone)
    return auxiliary_[term.id()];
  const Column fresh = solver_.new_column(
      terms_.kind(term) == SortKind::Int ? Simplex::Integral::Yes : Simplex::Integral::No);
  Variables::set(auxiliary_, term, fresh);
  if (terms_.op(term) == Op::Ite)
    define_ite(term, fresh);
  else
    define_floor(term, fresh);
  return fresh;
}

/// c => column = a, not c => column = b, and the bounds that follow if both are constants.
void Encoder::define_ite(Term term, Column column) {
  const Lit c = literal(terms_.arg(term, 0));
  const Linear self{{{Number(1), column}}, {}};
  std::vector<Var> on{c.var()};
  for (std::size_t i : {1, 2}) {
    const Linear branch = linear(terms_.arg(term, i));
    const Lit high = compare(self, branch, false);
    const Lit low = compare(branch, self, false);
    define({c ^ (i == 1), high});
    define({c ^ (i == 1), low});
    on.push_back(high.var());
    on.push_back(low.var());
  }
  solver_.column_depends(column, on);
}

/// low <= form - ... : asserts low <= form <= high (< if strict) as part of the column's
/// definition.
void Encoder::bound_below_and_above(Column column, const Linear& form, Number low, Number high,
                                    bool strict_high) {
  const Lit above = compare({{}, std::move(low)}, form, false);
  const Lit below = compare(form, {{}, std::move(high)}, strict_high);
  define({above});
  define({below});
  solver_.column_depends(column, std::vector<Var>{above.var(), below.var()});
}

/// q = a div d: 0 <= a - d * q <= |d| - 1.
Column Encoder::quotient(Term dividend, const mpz_class& divisor) {
  Number d{mpq_class(divisor)};
  for (const Quotient& each : quotients_)
    if (each.dividend == dividend && each.divisor == d) return each.column;
  const Column q = solver_.new_column(Simplex::Integral::Yes);
  quotients_.push_back({dividend, d, q});
  Linear remainder = linear(dividend);
  remainder.form.push_back({-d, q});
  bound_below_and_above(q, remainder, 0, d.absolute() - 1, false);
  return q;
}

/// k = to_int r: 0 <= r - k < 1.
void Encoder::define_floor(Term term, Column column) {
  Linear fraction = linear(terms_.arg(term, 0));
  fraction.form.push_back({Number(-1), column});
  bound_below_and_above(column, fraction, 0, 1, true);
}

}  // namespace lem::arith
