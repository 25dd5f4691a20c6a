// Encodes bit-vector paths as integers: Spacer finds good predicates for linear arithmetic and poor
// ones for bit-vectors. Wrap-around is ignored and operators that are not arithmetic become opaque,
// so the result interpolates another path; its atoms, translated back, are candidates that the
// caller checks on the abstract path.
#include <algorithm>
#include <cassert>
#include <map>

#include "smt/interpolate/interpolator.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

/// Bool and BitVec terms to Bool and Int terms.
class ToIntegers {
 public:
  ToIntegers(TermStore& terms, bool is_signed) : terms_(terms), signed_(is_signed) {}

  Term variable(Term bv) {
    if (terms_.kind(bv) != SortKind::BitVec) return bv;
    auto [at, added] = variables_.try_emplace(bv);
    if (added) {
      at->second = terms_.fresh("int", terms_.int_sort());
      back_[at->second] = bv;
    }
    return at->second;
  }
  const std::map<Term, Term>& back() const { return back_; }

  Term formula(Term root) {
    for_each_subterm(terms_, std::span(&root, 1), [&](Term term) {
      if (!done_.contains(term)) done_[term] = translate(term);
    });
    return done_[root];
  }

 private:
  Term translate(Term term) {
    std::vector<Term> args;
    for (Term arg : terms_.args(term)) args.push_back(done_[arg]);
    switch (terms_.op(term)) {
      case Op::Variable:
        return variable(term);
      case Op::BvValue:
        return terms_.integer(signed_ ? terms_.signed_value(term) : terms_.integer_value(term));
      case Op::BoolValue:
      case Op::IntValue:
      case Op::RealValue:
      case Op::ConstArray:
        return term;
      case Op::BvNeg:
        return terms_.make_neg(args[0]);
      case Op::BvAdd:
        return terms_.make_add(args[0], args[1]);
      case Op::BvMul:
        if (!terms_.is_value(args[0]) && !terms_.is_value(args[1])) return opaque();
        return terms_.make_mul(args[0], args[1]);
      case Op::BvUlt:
      case Op::BvSlt:
        return terms_.make_lt(args[0], args[1]);
      case Op::BvZeroExtend:
      case Op::BvSignExtend:
        return args[0];
      case Op::Eq:
      case Op::Ite:
      case Op::Not:
      case Op::And:
      case Op::Or:
        return terms_.make(terms_.op(term), args);
      default:
        return terms_.kind(term) == SortKind::BitVec ? opaque() : term;
    }
  }
  /// A fresh variable: nothing is known about the value.
  Term opaque() { return terms_.fresh("opaque", terms_.int_sort()); }

  TermStore& terms_;
  bool signed_;
  std::map<Term, Term> variables_;
  std::map<Term, Term> back_;
  TermMap done_;
};

/// Atoms over the integers back to bit-vectors.
class ToBits {
 public:
  ToBits(TermStore& terms, const std::map<Term, Term>& back, bool is_signed)
      : terms_(terms), back_(back), signed_(is_signed) {}

  /// The formula with its atoms translated; atoms that have no counterpart become true.
  Term formula(Term root) {
    TermMap atoms;
    for (Term atom : atoms_of(terms_, root)) {
      std::optional<Term> made = atom_of(atom);
      atoms[atom] = made ? *made : terms_.boolean(true);
    }
    return substitute(terms_, root, atoms);
  }

 private:
  struct Side {
    std::vector<std::pair<Term, mpz_class>> parts;  // bit-vector, positive factor
    mpz_class constant = 0;
  };

  std::optional<Term> atom_of(Term atom) {
    if (terms_.is_variable(atom)) return atom;
    bool equation = terms_.op(atom) == Op::Eq;
    if (!equation && terms_.op(atom) != Op::Le) return {};
    if (terms_.kind(terms_.arg(atom, 0)) != SortKind::Int) return {};
    // left <= right with positive factors on both sides
    Side left;
    Side right;
    if (!collect(terms_.arg(atom, 0), left, right)) return {};
    if (!collect(terms_.arg(atom, 1), right, left)) return {};
    mpz_class shift = right.constant - left.constant;
    left.constant = shift < 0 ? mpz_class(-shift) : mpz_class(0);
    right.constant = shift > 0 ? shift : mpz_class(0);
    std::uint32_t width = width_of(left, right, equation);
    if (width == 0) return {};
    Term a = build(left, width);
    Term b = build(right, width);
    if (equation) return terms_.make_eq(a, b);
    return signed_ ? terms_.make_bv_sle(a, b) : terms_.make_bv_ule(a, b);
  }

  bool collect(Term sum, Side& same, Side& other) {
    std::vector<Term> parts{sum};
    if (terms_.op(sum) == Op::Add) parts.assign(terms_.args(sum).begin(), terms_.args(sum).end());
    for (Term part : parts) {
      mpz_class factor = 1;
      if (terms_.op(part) == Op::IntValue) {
        same.constant += terms_.integer_value(part);
        continue;
      }
      if (terms_.op(part) == Op::Mul && terms_.op(terms_.arg(part, 0)) == Op::IntValue) {
        factor = terms_.integer_value(terms_.arg(part, 0));
        part = terms_.arg(part, 1);
      }
      auto at = back_.find(part);
      if (at == back_.end()) return false;
      if (factor > 0)
        same.parts.emplace_back(at->second, factor);
      else
        other.parts.emplace_back(at->second, mpz_class(-factor));
    }
    return true;
  }

  /// Equations hold modulo the width; comparisons of sums are extended so that they do not wrap.
  std::uint32_t width_of(const Side& left, const Side& right, bool equation) const {
    std::uint32_t width = 0;
    mpz_class weight = 0;
    for (const Side* side : {&left, &right}) {
      mpz_class total = 0;
      for (const auto& [term, factor] : side->parts) {
        width = std::max(width, terms_.width(term));
        total += factor;
      }
      weight = std::max(weight, total);
    }
    if (equation || width == 0) return width;
    bool sums = weight > 1 || (left.parts.size() + right.parts.size() > 1 &&
                               (left.constant != 0 || right.constant != 0));
    mpz_class bound = std::max(left.constant, right.constant);
    auto needed = static_cast<std::uint32_t>(mpz_sizeinbase(bound.get_mpz_t(), 2)) + 1;
    if (sums) width += static_cast<std::uint32_t>(mpz_sizeinbase(weight.get_mpz_t(), 2)) + 1;
    return std::max(width, std::min(needed, width + 2));
  }

  Term build(const Side& side, std::uint32_t width) {
    Term sum = terms_.bv(side.constant, width);
    for (const auto& [term, factor] : side.parts) {
      Term wide = terms_.make(signed_ ? Op::BvSignExtend : Op::BvZeroExtend, {term},
                              width - terms_.width(term));
      sum = terms_.make(Op::BvAdd, {sum, terms_.make(Op::BvMul, {wide, terms_.bv(factor, width)})});
    }
    return sum;
  }

  TermStore& terms_;
  const std::map<Term, Term>& back_;
  bool signed_;
};

class IntegerInterpolator final : public Interpolator {
 public:
  IntegerInterpolator(TermStore& terms, std::unique_ptr<Interpolator> inner)
      : terms_(terms), inner_(std::move(inner)) {}
  std::string_view name() const override { return "integers"; }

  std::optional<Sequence> interpolate(const Path& path) override {
    bool is_signed = mostly_signed(path);
    ToIntegers forward(terms_, is_signed);
    std::vector<Term> current;
    std::vector<Term> next;
    for (Term variable : path.current) current.push_back(forward.variable(variable));
    for (Term variable : path.next) next.push_back(forward.variable(variable));
    Path integers{current, next, forward.formula(path.first), {}, forward.formula(path.last)};
    for (Term step : path.steps) integers.steps.push_back(forward.formula(step));
    std::optional<Sequence> sequence = inner_->interpolate(integers);
    if (!sequence) return {};
    ToBits backward(terms_, forward.back(), is_signed);
    for (Term& cut : *sequence) cut = backward.formula(cut);
    return sequence;
  }

 private:
  bool mostly_signed(const Path& path) const {
    std::vector<Term> roots = path.steps;
    roots.insert(roots.end(), {path.first, path.last});
    int balance = 0;
    for_each_subterm(terms_, roots, [&](Term term) {
      if (terms_.op(term) == Op::BvSlt) ++balance;
      if (terms_.op(term) == Op::BvUlt) --balance;
    });
    return balance >= 0;
  }

  TermStore& terms_;
  std::unique_ptr<Interpolator> inner_;
};

}  // namespace

std::unique_ptr<Interpolator> make_integer_interpolator(TermStore& terms,
                                                        std::unique_ptr<Interpolator> inner) {
  return std::make_unique<IntegerInterpolator>(terms, std::move(inner));
}

}  // namespace lem::smt
