// Random terms together with their values, which are worked out here with GMP and nothing else: the
// yardstick for rewriting, evaluation and solvers. A pool grows by applying operators to earlier
// members, so that terms share subterms and meet the rules about equal and opposite arguments.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "support/random_aig.h"
#include "term/term_store.h"
#include "term/traverse.h"

namespace lem::test {

/// Bool (0, 1), BitVec (unsigned), Int, Real: a number. Float: its encoding. Array: elements over a
/// fallback.
struct Value {
  mpq_class number = 0;
  std::map<mpz_class, mpq_class> elements{};
};

struct Theory {
  std::vector<std::uint32_t> widths{};
  bool integers = false;
  bool reals = false;
  bool arrays = false;  // over bit-vectors, and over Int where there are integers
  bool floats = false;  // beside bit-vectors, to convert from and to
};

class RandomTerms {
 public:
  static constexpr std::size_t kAssignments = 3;
  static constexpr std::uint32_t kMaxWidth = 12;
  struct Sample {
    Term term;
    std::vector<Value> values;  // one per assignment
  };

  RandomTerms(std::uint64_t seed, const Theory& theory) : random_(seed), theory_(theory) {
    std::vector<Sort> sorts{t.bool_sort()};
    for (std::uint32_t width : theory.widths) sorts.push_back(t.bv_sort(width));
    if (theory.integers) sorts.push_back(t.int_sort());
    if (theory.reals) sorts.push_back(t.real_sort());
    if (theory.floats) sorts.push_back(t.float_sort(kFloat32));
    if (theory.arrays && !theory.widths.empty())
      sorts.push_back(t.array_sort(t.bv_sort(theory.widths[0]), t.bv_sort(theory.widths[1])));
    if (theory.arrays && theory.integers) sorts.push_back(t.array_sort(t.int_sort(), t.int_sort()));
    for (Sort sort : sorts) {
      for (int i = 0; i < 3; ++i) add_variable(sort);
      for (int i = 0; i < 2; ++i) add_constant(sort);
    }
  }

  /// Applies one operator; the result is the last of all().
  const Sample& grow();
  const std::vector<Sample>& all() const { return all_; }
  const TermMap& assignment(std::size_t i) const { return assignments_[i]; }
  /// The value as a term.
  Term term_of(const Value& value, Sort sort);

  TermStore t;

 private:
  using Numbers = std::vector<mpq_class>;
  using Function = std::function<mpq_class(const Numbers&)>;

  static mpz_class power(std::uint32_t bits) { return mpz_class(1) << bits; }
  static mpz_class wrap(const mpz_class& n, std::uint32_t width) {
    mpz_class out;
    mpz_fdiv_r_2exp(out.get_mpz_t(), n.get_mpz_t(), width);
    return out;
  }
  static mpz_class as_signed(const mpz_class& n, std::uint32_t width) {
    return n >= power(width - 1) ? mpz_class(n - power(width)) : n;
  }
  static mpz_class floor_of(const mpq_class& q) {
    mpz_class out;
    mpz_fdiv_q(out.get_mpz_t(), q.get_num_mpz_t(), q.get_den_mpz_t());
    return out;
  }

  /// Floats are worked out by the host, whose registers are those of IEEE 754 (SSE).
  static float host(const mpq_class& bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits.get_num().get_ui()));
  }
  static mpq_class encoding(float value) {
    return std::isnan(value) ? 0x7FC00000U : std::bit_cast<std::uint32_t>(value);
  }

  const Sample& pick(Sort sort) {
    const std::vector<std::size_t>& pool = pools_[sort];
    auto size = static_cast<std::uint32_t>(pool.size());
    std::uint32_t at =
        random_.percent(50) ? random_.below(size) : size - 1 - random_.below(std::min(size, 6U));
    return all_[pool[at]];
  }
  Sort any_sort() {
    auto at = pools_.begin();
    std::advance(at, random_.below(static_cast<std::uint32_t>(pools_.size())));
    return at->first;
  }
  Sort number_sort() {
    if (!theory_.reals) return t.int_sort();
    if (!theory_.integers) return t.real_sort();
    return random_.percent(50) ? t.int_sort() : t.real_sort();
  }
  Sort bv_sort() {
    while (true)
      if (Sort sort = any_sort(); t.kind(sort) == SortKind::BitVec) return sort;
  }
  Sort array_sort() {
    while (true)
      if (Sort sort = any_sort(); t.kind(sort) == SortKind::Array) return sort;
  }

  void add(Term term, std::vector<Value> values) {
    pools_[t.sort(term)].push_back(all_.size());
    all_.push_back({term, std::move(values)});
  }
  /// A scalar operator: `apply` is what it does to numbers.
  void add(Term term, const std::vector<Sample>& args, const Function& apply) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < kAssignments; ++i) {
      Numbers numbers;
      for (const Sample& arg : args) numbers.push_back(arg.values[i].number);
      values.push_back({apply(numbers)});
    }
    add(term, std::move(values));
  }
  mpq_class random_number(Sort sort);
  Value random_value(Sort sort);
  void add_variable(Sort sort);
  void add_constant(Sort sort);
  bool equal(const Value& a, const Value& b, Sort sort) const;

  void grow_core();
  void grow_junction();
  void grow_bv();
  void grow_bv_binary(Sort sort);
  void grow_bv_shape(Sort sort);
  void grow_number();
  void grow_conversion();
  void grow_array();
  void grow_float();
  void grow_float_conversion();

  Random random_;
  Theory theory_;
  std::map<Sort, std::vector<std::size_t>> pools_;
  std::vector<Sample> all_;
  std::vector<TermMap> assignments_{kAssignments};
};

inline const RandomTerms::Sample& RandomTerms::grow() {
  std::vector<void (RandomTerms::*)()> ways{&RandomTerms::grow_core, &RandomTerms::grow_junction};
  if (!theory_.widths.empty()) ways.insert(ways.end(), 3, &RandomTerms::grow_bv);
  if (theory_.integers || theory_.reals) ways.insert(ways.end(), 3, &RandomTerms::grow_number);
  if (theory_.integers && theory_.reals) ways.push_back(&RandomTerms::grow_conversion);
  if (theory_.floats) {
    ways.insert(ways.end(), 3, &RandomTerms::grow_float);
    ways.push_back(&RandomTerms::grow_float_conversion);
  }
  if (theory_.arrays) ways.insert(ways.end(), 3, &RandomTerms::grow_array);
  std::size_t before = all_.size();
  while (all_.size() == before)  // a way may find its result too large
    (this->*ways[random_.below(static_cast<std::uint32_t>(ways.size()))])();
  return all_.back();
}

// Leaves ------------------------------------------------------------------------------------------

inline mpq_class RandomTerms::random_number(Sort sort) {
  switch (t.kind(sort)) {
    case SortKind::Bool:
      return random_.below(2);
    case SortKind::BitVec: {
      std::uint32_t width = t.width(sort);
      mpz_class edges[] = {0, 1, power(width) - 1, power(width - 1), power(width - 1) - 1};
      if (random_.percent(40)) return wrap(edges[random_.below(5)], width);
      return wrap(mpz_class(random_.below(1U << kMaxWidth)), width);
    }
    case SortKind::Int:
      return static_cast<int>(random_.below(11)) - 5;
    case SortKind::Real: {
      mpq_class out(static_cast<int>(random_.below(21)) - 10, random_.below(4) + 1);
      out.canonicalize();
      return out;
    }
    case SortKind::Float: {
      static constexpr float kEdges[] = {0.0F, -0.0F, 1.0F, -1.0F, 1e-45F, 3e38F, -INFINITY, NAN};
      if (random_.percent(50)) return encoding(kEdges[random_.below(8)]);
      if (random_.percent(50)) return encoding(static_cast<float>(random_.below(400)) / 8 - 25);
      return encoding(std::bit_cast<float>(random_.below(1U << 31) * 2 + random_.below(2)));
    }
    case SortKind::Array:
      break;
  }
  unreachable();
}

inline Value RandomTerms::random_value(Sort sort) {
  if (t.kind(sort) != SortKind::Array) return {random_number(sort)};
  Value out{random_number(t.element_sort(sort))};
  for (std::uint32_t i = random_.below(5); i > 0; --i)
    out.elements[random_number(t.index_sort(sort)).get_num()] = random_number(t.element_sort(sort));
  return out;
}

inline Term RandomTerms::term_of(const Value& value, Sort sort) {
  if (t.kind(sort) == SortKind::Bool) return t.boolean(value.number != 0);
  if (t.kind(sort) == SortKind::Float) return t.floating({t.format(sort), value.number.get_num()});
  if (t.kind(sort) != SortKind::Array) return t.number(value.number, sort);
  Term out = t.make_const_array(sort, t.number(value.number, t.element_sort(sort)));
  for (const auto& [index, element] : value.elements)
    out = t.make_store(out, t.number(index, t.index_sort(sort)),
                       t.number(element, t.element_sort(sort)));
  return out;
}

inline void RandomTerms::add_variable(Sort sort) {
  Term variable = t.variable("v" + std::to_string(all_.size()), sort);
  std::vector<Value> values;
  for (TermMap& assignment : assignments_) {
    values.push_back(random_value(sort));
    assignment[variable] = term_of(values.back(), sort);
  }
  add(variable, std::move(values));
}

inline void RandomTerms::add_constant(Sort sort) {
  Value value = random_value(sort);
  add(term_of(value, sort), std::vector<Value>(kAssignments, value));
}

// Core --------------------------------------------------------------------------------------------

inline bool RandomTerms::equal(const Value& a, const Value& b, Sort sort) const {
  if (t.kind(sort) != SortKind::Array) return a.number == b.number;
  auto at = [](const Value& array, const mpz_class& index) {
    auto found = array.elements.find(index);
    return found == array.elements.end() ? array.number : found->second;
  };
  if (t.kind(t.index_sort(sort)) == SortKind::BitVec) {
    for (mpz_class i = 0; i < power(t.width(t.index_sort(sort))); ++i)
      if (at(a, i) != at(b, i)) return false;
    return true;
  }
  for (const Value* array : {&a, &b})
    for (const auto& [index, element] : array->elements)
      if (at(a, index) != at(b, index)) return false;
  return a.number == b.number;
}

inline void RandomTerms::grow_core() {
  Sort sort = any_sort();
  Sample a = pick(sort), b = pick(sort), c = pick(t.bool_sort());
  bool is_eq = random_.percent(50);
  std::vector<Value> values;
  for (std::size_t i = 0; i < kAssignments; ++i) {
    if (is_eq)
      values.push_back({mpq_class(equal(a.values[i], b.values[i], sort) ? 1 : 0)});
    else
      values.push_back(c.values[i].number != 0 ? a.values[i] : b.values[i]);
  }
  add(is_eq ? t.make_eq(a.term, b.term) : t.make_ite(c.term, a.term, b.term), std::move(values));
}

inline void RandomTerms::grow_junction() {
  std::vector<Sample> args;
  std::vector<Term> terms;
  for (std::uint32_t i = 2 + random_.below(3); i > 0; --i) {
    args.push_back(pick(t.bool_sort()));
    terms.push_back(args.back().term);
  }
  auto all = [](const Numbers& n) -> mpq_class {
    return mpq_class(std::ranges::all_of(n, [](auto& x) { return x != 0; }));
  };
  auto any = [](const Numbers& n) -> mpq_class {
    return mpq_class(std::ranges::any_of(n, [](auto& x) { return x != 0; }));
  };
  switch (random_.below(6)) {
    case 0:
      return add(t.make(Op::And, terms), args, all);
    case 1:
      return add(t.make(Op::Or, terms), args, any);
    case 2:
      return add(t.make_not(terms[0]), args,
                 [](const Numbers& n) -> mpq_class { return 1 - n[0]; });
    case 3:
      return add(t.make_implies(terms[0], terms[1]), args,
                 [](const Numbers& n) -> mpq_class { return mpq_class(n[0] <= n[1]); });
    case 4:
      return add(t.make_xor(terms[0], terms[1]), args,
                 [](const Numbers& n) -> mpq_class { return mpq_class(n[0] != n[1]); });
    default:
      return add(t.make_distinct(std::vector<Term>{terms[0], terms[1]}), args,
                 [](const Numbers& n) -> mpq_class { return mpq_class(n[0] != n[1]); });
  }
}

// Bit-vectors -------------------------------------------------------------------------------------

inline void RandomTerms::grow_bv() {
  Sort sort = bv_sort();
  if (random_.percent(30)) return grow_bv_shape(sort);
  grow_bv_binary(sort);
}

inline void RandomTerms::grow_bv_binary(Sort sort) {
  std::uint32_t w = t.width(sort);
  using Z = mpz_class;
  using Apply = std::function<Z(const Z&, const Z&)>;
  auto s = [w](const Z& n) { return as_signed(n, w); };
  auto divide = [s](const Z& a, const Z& b) {
    return b != 0 ? Z(s(a) / s(b)) : Z(s(a) < 0 ? 1 : -1);
  };
  auto remain = [s](const Z& a, const Z& b) { return b != 0 ? Z(s(a) % s(b)) : a; };
  auto modulo = [s](const Z& a, const Z& b) {
    Z out = s(a);
    if (b != 0) mpz_fdiv_r(out.get_mpz_t(), out.get_mpz_t(), s(b).get_mpz_t());
    return out;
  };
  auto arithmetic_shift = [s, w](const Z& a, const Z& b) {
    Z out = s(a);
    mpz_fdiv_q_2exp(out.get_mpz_t(), out.get_mpz_t(), b < w ? b.get_ui() : w);
    return out;
  };
  const std::vector<std::pair<Op, Apply>> table = {
      {Op::BvNot, [](const Z& a, const Z&) { return Z(-1 - a); }},
      {Op::BvNeg, [](const Z& a, const Z&) { return Z(-a); }},
      {Op::BvAnd, [](const Z& a, const Z& b) { return Z(a & b); }},
      {Op::BvOr, [](const Z& a, const Z& b) { return Z(a | b); }},
      {Op::BvXor, [](const Z& a, const Z& b) { return Z(a ^ b); }},
      {Op::BvAdd, [](const Z& a, const Z& b) { return Z(a + b); }},
      {Op::BvMul, [](const Z& a, const Z& b) { return Z(a * b); }},
      {Op::BvUdiv, [](const Z& a, const Z& b) { return b != 0 ? Z(a / b) : Z(-1); }},
      {Op::BvUrem, [](const Z& a, const Z& b) { return b != 0 ? Z(a % b) : a; }},
      {Op::BvSdiv, divide},
      {Op::BvSrem, remain},
      {Op::BvSmod, modulo},
      {Op::BvShl, [w](const Z& a, const Z& b) { return b < w ? Z(a << b.get_ui()) : Z(0); }},
      {Op::BvLshr, [w](const Z& a, const Z& b) { return b < w ? Z(a >> b.get_ui()) : Z(0); }},
      {Op::BvAshr, arithmetic_shift},
      {Op::BvUlt, [](const Z& a, const Z& b) { return Z(a < b); }},
      {Op::BvSlt, [s](const Z& a, const Z& b) { return Z(s(a) < s(b)); }},
  };
  const auto& [op, apply] = table[random_.below(static_cast<std::uint32_t>(table.size()))];
  Sample a = pick(sort), b = pick(sort);
  bool unary = op == Op::BvNot || op == Op::BvNeg;
  Term term = unary ? t.make(op, {a.term}) : t.make(op, {a.term, b.term});
  std::uint32_t width = t.kind(term) == SortKind::Bool ? 1 : w;
  add(term, {a, b}, [&](const Numbers& n) -> mpq_class {
    return mpq_class(wrap(apply(n[0].get_num(), n[1].get_num()), width));
  });
}

inline void RandomTerms::grow_bv_shape(Sort sort) {
  std::uint32_t w = t.width(sort);
  Sample a = pick(sort);
  std::uint32_t by = random_.below(4);
  std::uint32_t low = random_.below(w), high = low + random_.below(w - low);
  switch (random_.below(6)) {
    case 0: {
      Sample b = pick(bv_sort());
      std::uint32_t v = t.width(b.term);
      if (w + v > kMaxWidth) return;
      return add(t.make_concat(a.term, b.term), {a, b},
                 [&](const Numbers& n) -> mpq_class { return n[0] * power(v) + n[1]; });
    }
    case 1:
      return add(t.make_extract(a.term, high, low), {a}, [&](const Numbers& n) -> mpq_class {
        return mpq_class(wrap(n[0].get_num() >> low, high - low + 1));
      });
    case 2:
      if (w + by > kMaxWidth) return;
      return add(t.make(Op::BvZeroExtend, {a.term}, by), {a},
                 [](const Numbers& n) -> mpq_class { return n[0]; });
    case 3:
      if (w + by > kMaxWidth) return;
      return add(t.make(Op::BvSignExtend, {a.term}, by), {a}, [&](const Numbers& n) -> mpq_class {
        return mpq_class(wrap(as_signed(n[0].get_num(), w), w + by));
      });
    default: {
      bool left = random_.percent(50);
      std::uint32_t shift = left ? by % w : (w - by % w) % w;  // to the left
      return add(left ? t.make_rotate_left(a.term, by) : t.make_rotate_right(a.term, by), {a},
                 [&](const Numbers& n) -> mpq_class {
                   mpz_class x = n[0].get_num();
                   return mpq_class(wrap(x << shift, w) | (x >> (w - shift)));
                 });
    }
  }
}

// Numbers -----------------------------------------------------------------------------------------

inline void RandomTerms::grow_number() {
  Sort sort = number_sort();
  Sample a = pick(sort), b = pick(sort);
  std::vector<Sample> args{a, b};
  auto is = [](bool truth) { return mpq_class(truth ? 1 : 0); };
  switch (random_.below(sort == t.int_sort() ? 11 : 9)) {
    case 0:
    case 1:
      return add(t.make_add(a.term, b.term), args,
                 [](const Numbers& n) -> mpq_class { return n[0] + n[1]; });
    case 2:
      return add(t.make_sub(a.term, b.term), args,
                 [](const Numbers& n) -> mpq_class { return n[0] - n[1]; });
    case 3:
      return add(t.make_neg(a.term), args, [](const Numbers& n) -> mpq_class { return -n[0]; });
    case 4: {
      // Non-linear, but not without end.
      for (const Value& value : a.values)
        if (abs(value.number) > 10'000 || value.number.get_den() > 10'000) return;
      return add(t.make_mul(a.term, b.term), args,
                 [](const Numbers& n) -> mpq_class { return n[0] * n[1]; });
    }
    case 5:
      return add(t.make_le(a.term, b.term), args,
                 [&](const Numbers& n) -> mpq_class { return is(n[0] <= n[1]); });
    case 6:
      return add(t.make_lt(a.term, b.term), args,
                 [&](const Numbers& n) -> mpq_class { return is(n[0] < n[1]); });
    case 7:
      return add(t.make_ge(a.term, b.term), args,
                 [&](const Numbers& n) -> mpq_class { return is(n[0] >= n[1]); });
    case 8: {
      mpq_class factor = random_number(sort);
      return add(t.make_mul(t.number(factor, sort), a.term), args,
                 [&](const Numbers& n) -> mpq_class { return factor * n[0]; });
    }
    default: {
      mpz_class divisor = random_number(sort).get_num();
      if (divisor == 0) divisor = 6;
      auto remainder = [&](const mpz_class& n) {
        mpz_class out;
        mpz_fdiv_r(out.get_mpz_t(), n.get_mpz_t(), mpz_class(abs(divisor)).get_mpz_t());
        return out;
      };
      if (random_.percent(50))
        return add(
            t.make(Op::IntMod, {a.term, t.integer(divisor)}), args,
            [&](const Numbers& n) -> mpq_class { return mpq_class(remainder(n[0].get_num())); });
      return add(t.make(Op::IntDiv, {a.term, t.integer(divisor)}), args,
                 [&](const Numbers& n) -> mpq_class {
                   return mpq_class((n[0].get_num() - remainder(n[0].get_num())) / divisor);
                 });
    }
  }
}

inline void RandomTerms::grow_conversion() {
  if (random_.percent(50)) {
    Sample a = pick(t.int_sort());
    return add(t.make_to_real(a.term), {a}, [](const Numbers& n) -> mpq_class { return n[0]; });
  }
  Sample a = pick(t.real_sort());
  add(t.make(Op::ToInt, {a.term}), {a},
      [](const Numbers& n) -> mpq_class { return mpq_class(floor_of(n[0])); });
}

// Floats ------------------------------------------------------------------------------------------

inline void RandomTerms::grow_float() {
  Sort sort = t.float_sort(kFloat32);
  Sample a = pick(sort), b = pick(sort);
  auto round = [](auto function) {
    return [function](float x, float) { return encoding(function(x)); };
  };
  auto is = [](bool truth) { return mpq_class(truth ? 1 : 0); };
  auto mode = [](Rounding rounding) { return static_cast<std::uint32_t>(rounding); };
  struct Row {
    Op op;
    std::uint32_t rounding;
    std::function<mpq_class(float, float)> apply;
  };
  const std::vector<Row> table = {
      {Op::FpNeg, 0, [](float x, float) { return encoding(-x); }},
      {Op::FpAbs, 0, [](float x, float) { return encoding(std::fabs(x)); }},
      {Op::FpAdd, 0, [](float x, float y) { return encoding(x + y); }},
      {Op::FpAdd, 0, [](float x, float y) { return encoding(x + y); }},
      {Op::FpMul, 0, [](float x, float y) { return encoding(x * y); }},
      {Op::FpDiv, 0, [](float x, float y) { return encoding(x / y); }},
      {Op::FpSqrt, 0, [](float x, float) { return encoding(std::sqrt(x)); }},
      {Op::FpRound, mode(Rounding::NearestEven), round([](float x) { return std::rint(x); })},
      {Op::FpRound, mode(Rounding::NearestAway), round([](float x) { return std::round(x); })},
      {Op::FpRound, mode(Rounding::Up), round([](float x) { return std::ceil(x); })},
      {Op::FpRound, mode(Rounding::Down), round([](float x) { return std::floor(x); })},
      {Op::FpRound, mode(Rounding::Zero), round([](float x) { return std::trunc(x); })},
      {Op::FpEq, 0, [is](float x, float y) { return is(x == y); }},
      {Op::FpLe, 0, [is](float x, float y) { return is(x <= y); }},
      {Op::FpLt, 0, [is](float x, float y) { return is(x < y); }},
  };
  const Row& row = table[random_.below(static_cast<std::uint32_t>(table.size()))];
  bool unary =
      row.op == Op::FpNeg || row.op == Op::FpAbs || row.op == Op::FpSqrt || row.op == Op::FpRound;
  Term term = unary ? t.make(row.op, {a.term}, row.rounding)
                    : t.make(row.op, {a.term, b.term}, row.rounding);
  add(term, {a, b}, [&](const Numbers& n) { return row.apply(host(n[0]), host(n[1])); });
}

/// From and to bit-vectors, and through double.
inline void RandomTerms::grow_float_conversion() {
  Sort sort = t.float_sort(kFloat32);
  std::uint32_t single = kFloat32.packed(), twice = kFloat64.packed();
  Sample a = pick(sort), b = pick(sort), v = pick(bv_sort());
  std::uint32_t w = t.width(v.term);
  auto integer = [w](const mpq_class& bits, double low, double high) -> mpq_class {
    double x = std::trunc(host(bits));
    return x >= low && x < high ? mpq_class(wrap(mpz_class(x), w)) : mpq_class(0);
  };
  double half = std::ldexp(1.0, static_cast<int>(w) - 1);
  switch (random_.below(5)) {
    case 0:
      return add(t.make(Op::FpFromSigned, {v.term}, single, 0), {v}, [&](const Numbers& n) {
        return encoding(static_cast<float>(as_signed(n[0].get_num(), w).get_si()));
      });
    case 1:
      return add(t.make(Op::FpFromUnsigned, {v.term}, single, 0), {v}, [&](const Numbers& n) {
        return encoding(static_cast<float>(n[0].get_num().get_ui()));
      });
    case 2:
      return add(t.make(Op::FpToSigned, {a.term}, w), {a},
                 [&](const Numbers& n) { return integer(n[0], -half, half); });
    case 3:
      return add(t.make(Op::FpToUnsigned, {a.term}, w), {a},
                 [&](const Numbers& n) { return integer(n[0], 0, 2 * half); });
    default: {
      Term x = t.make(Op::FpToFp, {a.term}, twice, 0), y = t.make(Op::FpToFp, {b.term}, twice, 0);
      Term sum = t.make(Op::FpToFp, {t.make(Op::FpAdd, {x, y}, 0)}, single, 0);
      return add(sum, {a, b}, [&](const Numbers& n) {
        return encoding(static_cast<float>(double{host(n[0])} + double{host(n[1])}));
      });
    }
  }
}

// Arrays ------------------------------------------------------------------------------------------

inline void RandomTerms::grow_array() {
  Sort sort = array_sort();
  Sample array = pick(sort);
  Sample index = pick(t.index_sort(sort));
  Sample element = pick(t.element_sort(sort));
  std::vector<Value> values;
  std::uint32_t way = random_.below(5);
  for (std::size_t i = 0; i < kAssignments; ++i) {
    Value value = array.values[i];
    mpz_class at = index.values[i].number.get_num();
    if (way <= 1) {
      auto found = value.elements.find(at);
      value = {found == value.elements.end() ? value.number : found->second};
    } else if (way == 4) {
      value = element.values[i];
    } else {
      value.elements[at] = element.values[i].number;
    }
    values.push_back(std::move(value));
  }
  Term term = way <= 1   ? t.make_select(array.term, index.term)
              : way == 4 ? t.make_const_array(sort, element.term)
                         : t.make_store(array.term, index.term, element.term);
  add(term, std::move(values));
}

}  // namespace lem::test
