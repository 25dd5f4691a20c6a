// TermStore: hash-consed terms. Equal structure is the same handle; handles stay valid as long as
// the store, which outlives every solver that translates from it. Constructors rewrite (rewrite.h):
// what they return is equivalent to what was asked for, in the normal form described at Op, so that
// x > 5, 6 <= x and not (x <= 5) over Int are one atom under a sign.
// Tests: tests/unit/term/.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "term/float_value.h"
#include "term/term.h"

namespace lem {

class TermStore {
 public:
  TermStore();
  ~TermStore();
  TermStore(const TermStore&) = delete;
  TermStore& operator=(const TermStore&) = delete;

  // Sorts ---------------------------------------------------------------------------------------
  Sort bool_sort() const { return Sort(1); }
  Sort int_sort() const { return Sort(2); }
  Sort real_sort() const { return Sort(3); }
  Sort bv_sort(std::uint32_t width);  // require: width > 0
  Sort array_sort(Sort index, Sort element);
  Sort float_sort(FloatFormat format);  // require: is supported
  SortKind kind(Sort sort) const { return sorts_[sort.id_].kind; }
  std::uint32_t width(Sort bv) const;
  FloatFormat format(Sort floats) const;
  Sort index_sort(Sort array) const;
  Sort element_sort(Sort array) const;
  bool is_numeric(Sort sort) const {
    return kind(sort) == SortKind::Int || kind(sort) == SortKind::Real;
  }

  // Leaves --------------------------------------------------------------------------------------
  /// The variable of that name and sort; the same pair is the same term.
  Term variable(std::string_view name, Sort sort);
  /// A new variable, whose name starts with `prefix`.
  Term fresh(std::string_view prefix, Sort sort);
  Term boolean(bool value) const { return value ? true_ : false_; }
  Term bv(const mpz_class& value, std::uint32_t width);  // taken modulo 2^width
  Term integer(const mpz_class& value);
  Term real(const mpq_class& value);
  Term floating(const FloatValue& value);
  /// The number as a value of an Int, Real, BitVec or Float sort, rounded to nearest in the last.
  ///   require: integral for Int, BitVec
  Term number(const mpq_class& value, Sort sort);
  /// false, 0 or an array of those.
  Term default_value(Sort sort);

  // Applications (rewritten on construction) ------------------------------------------------------
  Term make(Op op, std::span<const Term> args, std::uint32_t p0 = 0, std::uint32_t p1 = 0);
  Term make(Op op, std::initializer_list<Term> args, std::uint32_t p0 = 0, std::uint32_t p1 = 0) {
    return make(op, std::span(args.begin(), args.size()), p0, p1);
  }
  Term make_not(Term a) { return make(Op::Not, {a}); }
  Term make_and(std::span<const Term> args);  // true without arguments
  Term make_or(std::span<const Term> args);   // false without arguments
  Term make_and(Term a, Term b) { return make(Op::And, {a, b}); }
  Term make_or(Term a, Term b) { return make(Op::Or, {a, b}); }
  Term make_implies(Term a, Term b) { return make_or(make_not(a), b); }
  Term make_xor(Term a, Term b) { return make_not(make_eq(a, b)); }
  Term make_eq(Term a, Term b) { return make(Op::Eq, {a, b}); }
  Term make_distinct(std::span<const Term> args);
  Term make_ite(Term c, Term a, Term b) { return make(Op::Ite, {c, a, b}); }
  Term make_add(Term a, Term b) { return make(Op::Add, {a, b}); }
  Term make_neg(Term a);  // arithmetic
  Term make_sub(Term a, Term b) { return make_add(a, make_neg(b)); }
  Term make_mul(Term a, Term b) { return make(Op::Mul, {a, b}); }
  Term make_le(Term a, Term b) { return make(Op::Le, {a, b}); }
  Term make_lt(Term a, Term b) { return make(Op::Lt, {a, b}); }
  Term make_ge(Term a, Term b) { return make_le(b, a); }
  Term make_gt(Term a, Term b) { return make_lt(b, a); }
  Term make_to_real(Term a);  // the argument itself if it is Real
  Term make_bv_sub(Term a, Term b) { return make(Op::BvAdd, {a, make(Op::BvNeg, {b})}); }
  Term make_bv_ule(Term a, Term b) { return make_not(make(Op::BvUlt, {b, a})); }
  Term make_bv_sle(Term a, Term b) { return make_not(make(Op::BvSlt, {b, a})); }
  Term make_extract(Term a, std::uint32_t high, std::uint32_t low) {
    return make(Op::BvExtract, {a}, high, low);
  }
  Term make_concat(Term high, Term low) { return make(Op::BvConcat, {high, low}); }
  Term make_rotate_left(Term a, std::uint32_t by);
  Term make_rotate_right(Term a, std::uint32_t by);
  Term make_select(Term array, Term index) { return make(Op::Select, {array, index}); }
  Term make_store(Term array, Term index, Term value) {
    return make(Op::Store, {array, index, value});
  }
  Term make_const_array(Sort array, Term value);

  // Looking at terms ----------------------------------------------------------------------------
  Op op(Term t) const { return nodes_[t.id_].op; }
  Sort sort(Term t) const { return nodes_[t.id_].sort; }
  SortKind kind(Term t) const { return kind(sort(t)); }
  std::uint32_t width(Term bv) const { return width(sort(bv)); }
  /// Stays valid while the store lives, whatever is made meanwhile.
  std::span<const Term> args(Term t) const { return {nodes_[t.id_].args, nodes_[t.id_].size}; }
  Term arg(Term t, std::size_t i) const { return nodes_[t.id_].args[i]; }
  std::uint32_t param(Term t, std::size_t i) const {
    return i == 0 ? nodes_[t.id_].p0 : nodes_[t.id_].p1;
  }
  const std::string& name(Term variable) const;
  bool is_true(Term t) const { return t == true_; }
  bool is_false(Term t) const { return t == false_; }
  bool is_variable(Term t) const { return op(t) == Op::Variable; }
  /// A number, float, bit-vector or truth value, or an array of values: what evaluation ends in.
  /// Equal values of one sort are the same term.
  bool is_value(Term t) const { return nodes_[t.id_].is_value; }
  const mpz_class& integer_value(Term t) const;  // of BvValue (unsigned) and IntValue
  const mpq_class& real_value(Term t) const;     // of RealValue
  FloatValue float_value(Term t) const;          // of FpValue
  mpq_class number_value(Term t) const;          // of IntValue and RealValue
  mpz_class signed_value(Term bv) const;         // of BvValue in two's complement
  /// Without a leading negation.
  Term atom_of(Term t) const { return op(t) == Op::Not ? arg(t, 0) : t; }

  std::size_t size() const { return nodes_.size(); }            // ids are below
  Term term_of_id(std::uint32_t id) const { return Term(id); }  // require: 0 < id < size()

 private:
  friend class Rewriter;
  struct SortNode {
    SortKind kind;
    std::uint32_t width;
    Sort index;
    Sort element;
    FloatFormat format{};
  };
  struct Node {
    Op op;
    bool is_value;
    Sort sort;
    std::uint32_t p0;  // parameter, or index into names_, integers_, reals_
    std::uint32_t p1;
    std::uint32_t size;
    const Term* args;
  };
  /// The hash-consed node, not rewritten.
  Term intern(Op op, Sort sort, std::span<const Term> args, std::uint32_t p0, std::uint32_t p1);
  Term intern_leaf(Op op, Sort sort, std::uint32_t p0);
  const Term* keep(std::span<const Term> args);
  void grow_table();

  std::vector<SortNode> sorts_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> table_;  // open addressing: node ids, 0 free
  std::vector<std::unique_ptr<Term[]>> blocks_;
  std::size_t block_used_ = 0;
  std::size_t block_size_ = 0;
  std::deque<std::string> names_;
  std::deque<mpz_class> integers_;
  std::deque<mpq_class> reals_;
  std::unordered_map<std::string, Term> leaves_;  // by a text key: variables and numbers
  std::uint32_t fresh_ = 0;
  Term true_;
  Term false_;
};

}  // namespace lem
