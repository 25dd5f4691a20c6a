// Terms as literals and linear forms. Boolean structure is encoded once per term by Tseitin's
// clauses, in both directions; comparisons become atoms over shared columns; equations are the
// conjunction of two atoms; `ite` over numbers, `div`, `mod` and `to_int` get a column with a
// definition. What is not linear arithmetic with Booleans is unsupported, and said to be.
// Tests: tests/unit/smt/conformance_test.cpp, tests/unit/smt/arith_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "arith/dpllt.h"
#include "term/term_store.h"

namespace lem::arith {

/// Columns and literals of the variables of terms; several encoders may share them.
struct Variables {
  std::vector<std::uint32_t> columns;   // by term id; kNone: none
  std::vector<std::uint32_t> booleans;  // likewise
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t column(Term term) const { return at(columns, term); }
  std::uint32_t boolean(Term term) const { return at(booleans, term); }
  static void set(std::vector<std::uint32_t>& table, Term term, std::uint32_t to) {
    if (table.size() <= term.id()) table.resize(term.id() + 1, kNone);
    table[term.id()] = to;
  }

 private:
  static std::uint32_t at(const std::vector<std::uint32_t>& table, Term term) {
    return term.id() < table.size() ? table[term.id()] : kNone;
  }
};

/// Which terms Encoder supports: linear arithmetic with Booleans. Remembers what it has seen.
class Support {
 public:
  explicit Support(const TermStore& terms) : terms_(terms) {}
  bool operator()(Term term) {
    const Known seen = known(term);
    return seen == Known::Unseen ? look_at(term) : seen == Known::Yes;
  }

 private:
  enum class Known : std::uint8_t { Unseen, No, Yes };
  Known known(Term term) const {
    return term.id() < known_.size() ? known_[term.id()] : Known::Unseen;
  }
  bool look_at(Term term);

  const TermStore& terms_;
  std::vector<Known> known_;  // by term id
};

class Encoder {
 public:
  /// `part`: of the clauses made here, for proofs.
  Encoder(const TermStore& terms, Dpllt& solver, Variables& variables, std::uint32_t part = 0)
      : terms_(terms), solver_(solver), variables_(variables), part_(part) {}

  /// require: the formula is supported
  Lit literal(Term formula);
  /// Asserts the formula in the solver's current scope; disjunctions of conjuncts are clauses.
  void assert_formula(Term formula);
  /// The column of a numeric variable.
  Column column(Term variable);
  /// The solver's variable of a Boolean one.
  Var boolean(Term variable);
  bool knows(Term formula) const { return cached(formula).has_value(); }

 private:
  struct Linear {
    LinearForm form;
    Number constant;
  };
  std::optional<Lit> cached(Term term) const {
    if (term.id() >= literals_.size() || literals_[term.id()] == Variables::kNone) return {};
    return Lit::from_code(literals_[term.id()]);
  }
  bool is_met(Term term) const;
  void meet(Term term);
  Lit encode(Term term);
  Lit encode_junction(Term term);
  Lit encode_equality(Term term);
  Lit encode_ite(Term term);
  Lit comparison(Term left, Term right, bool strict);
  Lit compare(const Linear& left, const Linear& right, bool strict);
  void define(std::initializer_list<Lit> clause);
  Var gate(std::span<const Lit> inputs);

  void add_linear(Term term, const Number& factor, Linear& sum);
  Linear linear(Term term);
  Column auxiliary(Term term);
  void define_ite(Term term, Column column);
  Column quotient(Term dividend, const mpz_class& divisor);
  void define_floor(Term term, Column column);
  void bound_below_and_above(Column column, const Linear& form, Number low, Number high,
                             bool strict_high);

  const TermStore& terms_;
  Dpllt& solver_;
  Variables& variables_;
  std::uint32_t part_;
  std::vector<std::uint32_t> literals_;   // codes by term id
  std::vector<std::uint32_t> auxiliary_;  // columns of ite, to_int by term id
  std::vector<std::uint8_t> met_;         // numeric terms whose definitions are there
  struct Quotient {
    Term dividend;
    Number divisor;
    Column column;
  };
  std::vector<Quotient> quotients_;
};

}  // namespace lem::arith
