// Whether two transition systems from different readers are the same function by function: states,
// inputs and properties in the same order, and the same values of every formula under assignments
// drawn at random. Cheap, and enough to see a writer or reader that changes a model.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "model/problem.h"
#include "target.h"
#include "term/smtlib/printer.h"
#include "term/traverse.h"

namespace lem::fuzz {

/// Bool and bitvec 1 are one in BTOR2.
inline std::string value_text(const TermStore& terms, Term value) {
  if (terms.is_true(value)) return "#b1";
  if (terms.is_false(value)) return "#b0";
  return smtlib::term_text(terms, value);
}

/// The same sequence of numbers makes the same values in any store.
inline Term draw(TermStore& terms, Sort sort, std::mt19937_64& random) {
  switch (terms.kind(sort)) {
    case SortKind::Bool:
      return terms.boolean((random() & 1) != 0);
    case SortKind::BitVec: {
      if (terms.width(sort) == 1) return terms.bv((random() & 1) != 0 ? 1 : 0, 1);
      unsigned long bits = random();
      return terms.bv(mpz_class(bits % 3 == 0 ? bits : bits % 17), terms.width(sort));
    }
    case SortKind::Int:
    case SortKind::Real:
      return terms.number(mpq_class(static_cast<long>(random() % 21) - 10), sort);
    case SortKind::Float:
    case SortKind::Array:
      return terms.default_value(sort);
  }
  return terms.default_value(sort);
}

/// `same` compares two terms.
template <class Same>
void same_property(const Property& left, const Property& right, const Same& same) {
  must(left.is_justice() == right.is_justice(), "another kind of property");
  if (!left.is_justice()) return same(left.bad_term(), right.bad_term(), "property");
  const std::vector<Term>& l = left.often_terms();
  const std::vector<Term>& r = right.often_terms();
  must(l.size() == r.size(), "another number of recurring signals");
  for (std::size_t i = 0; i < l.size(); ++i) same(l[i], r[i], "recurring signal");
}

class Comparison {
 public:
  Comparison(const Problem& left, const Problem& right) : left_(left), right_(right) {}

  void run() {
    const TransitionSystem& l = left_.system();
    const TransitionSystem& r = right_.system();
    must(l.states().size() == r.states().size(), "another number of states");
    must(l.inputs().size() == r.inputs().size(), "another number of inputs");
    must(left_.properties.size() == right_.properties.size(), "another number of properties");
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      TermMap at_left = assignment(l, seed);
      TermMap at_right = assignment(r, seed);
      auto same = [&](Term a, Term b, const char* what) {
        std::string va = value_text(l.terms(), evaluate(l.terms(), a, at_left));
        std::string vb = value_text(r.terms(), evaluate(r.terms(), b, at_right));
        must(va == vb, std::string("another ") + what + ": " + va + " and " + vb);
      };
      same(l.init_formula(), r.init_formula(), "initial condition");
      same(l.trans_formula(), r.trans_formula(), "transition relation");
      same(l.constraint(), r.constraint(), "constraint");
      for (std::size_t i = 0; i < left_.properties.size(); ++i)
        same_property(left_.properties[i], right_.properties[i], same);
      for (std::size_t i = 0; i < l.states().size(); ++i)
        if (l.states()[i].update && r.states()[i].update)
          same(l.states()[i].update, r.states()[i].update, "next state");
    }
  }

 private:
  static TermMap assignment(const TransitionSystem& system, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    TermMap map;
    auto give = [&](Term variable) {
      map[variable] = draw(system.terms(), system.terms().sort(variable), random);
    };
    for (const StateVar& state : system.states()) {
      give(state.current);
      give(state.next);
    }
    for (Term input : system.inputs()) give(input);
    return map;
  }

  const Problem& left_;
  const Problem& right_;
};

/// require: both are over terms
inline void must_be_same(const Problem& left, const Problem& right) {
  Comparison(left, right).run();
}

}  // namespace lem::fuzz
