// The classes of values.h: which terms share a class, and the intervals of their values.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/cfa.h"
#include "term/term_classes.h"
#include "term/traverse.h"

namespace lem::transform {

/// Numbers from `low` up to, not including, `high`; no number: no bound.
struct HalfOpenInterval {
  std::optional<mpz_class> low, high;
};

/// flow op value: whether a term is in an interval, as unsigned or signed bits or as an integer.
struct Comparison {
  enum class Order : std::uint8_t { Equality, Unsigned, Signed };
  Term flow;
  Order order;
  HalfOpenInterval inside;  // in that order; of an equality, the unsigned value
};

/// The values of a sort cut into intervals, which are numbered in the order that comparisons
/// prefer. Number and interval go both ways.
class Partition {
 public:
  /// `prefer_signed`: number them as signed bits.
  Partition(const TermStore& terms, Sort sort, bool prefer_signed);
  void cut_at(const Comparison& comparison);
  /// All constants that are assigned. Each gets an interval for itself among them, so that it can
  /// stand for its interval.
  void separate(const std::set<mpz_class>& constants);

  std::size_t size() const { return cuts_.size() + 1; }
  std::uint32_t width() const;  // of a number
  std::size_t number_of(const mpz_class& value) const;
  /// A value of the interval, the constant in it if there is one. Numbers from size() on mean the
  /// last interval.
  Term representative(TermStore& terms, const mpz_class& number) const;

  /// The comparison on the number of the interval.
  Term on_number(TermStore& terms, const Comparison& comparison, Term number) const;
  /// "The number is one of `members`", as a formula over the value.
  Term on_value(TermStore& terms, const std::vector<bool>& members, Term value) const;
  /// The number as a term over the value.
  Term number_term(TermStore& terms, Term value) const;

 private:
  mpz_class key(const mpz_class& value) const;
  mpz_class value(const mpz_class& key) const;
  std::vector<HalfOpenInterval> keys_inside(const Comparison& comparison) const;
  std::size_t number_of_key(const mpz_class& key) const;
  Term numbers_inside(TermStore& terms, const HalfOpenInterval& keys, Term number) const;
  Term keys_inside_term(TermStore& terms, std::size_t first, std::size_t end, Term value) const;
  Term below(TermStore& terms, const mpz_class& key, Term value) const;

  Sort sort_;
  std::uint32_t bits_;  // 0: integers
  bool signed_;
  mpz_class half_, count_;       // 2^(bits-1), 2^bits
  std::set<mpz_class> pending_;  // cuts, until separate()
  std::vector<mpz_class> cuts_;  // keys: where intervals start, but for the first
  std::vector<std::optional<mpz_class>> constant_;  // by number: the key of its constant
};

/// Terms that are variables, or choices between those and constants, by class.
class ValueClasses {
 public:
  explicit ValueClasses(const Cfa& cfa);

  /// The intervals of a term's class; none if it keeps its values.
  const Partition* partition(Term flow) const;
  /// The atom as a comparison of a term with a constant.
  std::optional<Comparison> comparison(Term atom) const;

 private:
  struct Members {
    bool computed = false;  // with, or compared with others
    std::vector<Comparison> comparisons;
    std::set<mpz_class> constants;
  };
  bool is_candidate(Term term) const;
  void collect(const Command& command);
  void collect(Term root);
  void look_at(Term term);
  void flows(Term from, Term to);
  void cut();

  const TermStore& terms_;
  TermClasses classes_;
  std::unordered_map<Term, Members> members_;       // by root
  std::unordered_map<Term, Partition> partitions_;  // by root
  std::vector<Term> todo_;
  std::set<Term> seen_;
};

}  // namespace lem::transform
