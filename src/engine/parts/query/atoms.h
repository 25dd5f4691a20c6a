// Atoms of cubes: formulas without a sign, numbered in the order in which they come, so that cubes,
// frames and subsumption over theories are those over latches. A literal is an atom with a sign.
// Tests: tests/unit/engine/parts/query_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/parts/common/cube.h"
#include "term/term_store.h"

namespace lem::engine {

class Atoms {
 public:
  /// Borrows the store.
  explicit Atoms(TermStore& terms) : terms_(terms) {}

  TermStore& terms() const { return terms_; }
  std::size_t size() const { return atoms_.size(); }
  /// Of the literals there are: all are less.
  std::size_t codes() const { return 2 * atoms_.size(); }

  /// The literal that stands for the formula; its atom is numbered if it is new.
  Lit literal(Term formula);
  bool contains(Term atom) const { return index_.contains(atom); }
  Term operator[](sat::Var atom) const;
  Term formula(Lit lit) const;
  std::vector<Term> formulas(std::span<const Lit> cube) const;
  Term conjunction(std::span<const Lit> cube) const;
  /// The literals of the clause !cube, in the cube's order.
  std::vector<Term> negations(std::span<const Lit> cube) const;

 private:
  TermStore& terms_;
  std::vector<Term> atoms_;
  std::unordered_map<Term, sat::Var> index_;
};

/// How often lemmas were made of an atom: generalization drops rare ones first.
class AtomActivity {
 public:
  double operator[](Lit lit) const { return lit.var() < counts_.size() ? counts_[lit.var()] : 0; }
  void bump(std::span<const Lit> cube);
  /// What the count of an atom starts with.
  void start(sat::Var atom, double count);
  /// Least active first; equal ones stay in their order.
  void order(std::vector<Lit>& cube) const;

 private:
  std::vector<double> counts_;
};

}  // namespace lem::engine
