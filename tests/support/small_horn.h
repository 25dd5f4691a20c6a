// Small Horn systems with calls, and random ones over few values with the truth about them.
#pragma once

#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/problem.h"
#include "term/traverse.h"

namespace lem::test {

struct NamedHorn {
  std::string name;
  bool safe;
  HornSystem system;
};

inline Problem horn_problem(HornSystem system) {
  return {std::move(system), {{"query", NoQuery{}, "query", Goal::Avoid, {}}}, {}};
}

/// The running example of [Komuravelli14 Fig. 1]: M calls T and twice D; M's input is at least
/// twice its output and 4, which needs 2 * out <= in of the recursive T.
inline NamedHorn procedures(bool safe) {
  HornSystem s{std::make_shared<TermStore>(), {}, {}};
  TermStore& t = *s.terms;
  Sort i = t.int_sort();
  for (const char* name : {"M", "T", "D"}) s.predicates.push_back({name, {i, i}, {"in", "out"}});
  PredicateId m = 0, tt = 1, d = 2;
  Term a = t.variable("a", i), b = t.variable("b", i), c = t.variable("c", i),
       e = t.variable("e", i);
  auto number = [&](int n) { return t.integer(n); };
  s.clauses.push_back(
      {{{tt, {a, b}}, {d, {b, c}}, {d, {c, e}}}, t.boolean(true), {{m, {a, e}}}, {}});
  s.clauses.push_back({{}, t.make_le(a, number(0)), {{tt, {a, a}}}, {}});
  s.clauses.push_back({{{tt, {t.make_sub(a, number(2)), b}}},
                       t.make_gt(a, number(0)),
                       {{tt, {a, t.make_add(b, number(1))}}},
                       {}});
  s.clauses.push_back({{}, t.boolean(true), {{d, {a, t.make_sub(a, number(1))}}}, {}});
  Term twice = t.make_add(t.make_mul(number(2), b), number(safe ? 4 : 5));
  s.clauses.push_back({{{m, {a, b}}}, t.make_lt(a, twice), {}, {}});
  return {"procedures", safe, std::move(s)};
}

/// McCarthy's function: 91 for all that is at most 101.
inline NamedHorn mccarthy(bool safe) {
  HornSystem s{std::make_shared<TermStore>(), {}, {}};
  TermStore& t = *s.terms;
  Sort i = t.int_sort();
  s.predicates.push_back({"mc", {i, i}, {"n", "r"}});
  Term n = t.variable("n", i), u = t.variable("u", i), r = t.variable("r", i);
  Term high = t.make_gt(n, t.integer(100));
  s.clauses.push_back({{}, high, {{0, {n, t.make_sub(n, t.integer(10))}}}, {}});
  s.clauses.push_back(
      {{{0, {t.make_add(n, t.integer(11)), u}}, {0, {u, r}}}, t.make_not(high), {{0, {n, r}}}, {}});
  Term wrong =
      safe ? t.make_and(t.make_le(n, t.integer(101)), t.make_not(t.make_eq(r, t.integer(91))))
           : t.make_eq(r, t.integer(93));
  s.clauses.push_back({{{0, {n, r}}}, wrong, {}, {}});
  return {"mccarthy", safe, std::move(s)};
}

/// Two counters over words that a query joins, and an argument that nobody needs.
inline NamedHorn joined_words(bool safe) {
  HornSystem s{std::make_shared<TermStore>(), {}, {}};
  TermStore& t = *s.terms;
  Sort w = t.bv_sort(4);
  for (const char* name : {"even", "odd"}) s.predicates.push_back({name, {w, w}, {"x", "junk"}});
  Term x = t.variable("x", w), j = t.variable("j", w), k = t.variable("k", w);
  auto word = [&](int n) { return t.bv(n, 4); };
  for (PredicateId p : {0, 1}) {
    s.clauses.push_back({{}, t.boolean(true), {{p, {word(static_cast<int>(p)), j}}}, {}});
    s.clauses.push_back({{{p, {x, j}}},
                         t.boolean(true),
                         {{p, {t.make(Op::BvAdd, {x, word(2)}), t.make(Op::BvNot, {j})}}},
                         {}});
  }
  Term y = safe ? x : t.make(Op::BvAdd, {x, word(5)});
  s.clauses.push_back({{{0, {x, j}}, {1, {y, k}}}, t.boolean(true), {}, {}});
  return {"joined words", safe, std::move(s)};
}

/// An array is handed down and up: a recursive procedure writes each element below n.
inline NamedHorn array_filler(bool safe) {
  HornSystem s{std::make_shared<TermStore>(), {}, {}};
  TermStore& t = *s.terms;
  Sort i = t.int_sort();
  Sort arr = t.array_sort(i, i);
  s.predicates.push_back({"fill", {i, arr}, {"n", "a"}});
  s.predicates.push_back({"goal", {i}, {"n"}});
  Term n = t.variable("n", i), a = t.variable("a", arr), b = t.variable("b", arr);
  s.clauses.push_back({{}, t.boolean(true), {{0, {t.integer(0), a}}}, {}});
  s.clauses.push_back({{{0, {n, a}}, {1, {n}}},
                       t.make_eq(b, t.make_store(a, n, t.integer(7))),
                       {{0, {t.make_add(n, t.integer(1)), b}}},
                       {}});
  s.clauses.push_back({{}, t.boolean(true), {{1, {t.integer(0)}}}, {}});
  s.clauses.push_back(
      {{{1, {n}}}, t.make_lt(n, t.integer(2)), {{1, {t.make_add(n, t.integer(1))}}}, {}});
  Term at = t.make_select(a, t.integer(0));
  Term wrong =
      t.make_and(t.make_eq(n, t.integer(safe ? 1 : 2)),
                 safe ? t.make_not(t.make_eq(at, t.integer(7))) : t.make_eq(at, t.integer(7)));
  s.clauses.push_back({{{0, {n, a}}}, wrong, {}, {}});
  return {"array filler", safe, std::move(s)};
}

inline std::vector<NamedHorn> small_horn_systems() {
  std::vector<NamedHorn> all;
  for (bool safe : {true, false}) {
    all.push_back(procedures(safe));
    all.push_back(mccarthy(safe));
    all.push_back(joined_words(safe));
    all.push_back(array_filler(safe));
  }
  return all;
}

/// Over words of two bits: up to three predicates of one or two arguments, clauses with up to three
/// body atoms.
inline HornSystem random_horn(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  HornSystem s{std::make_shared<TermStore>(), {}, {}};
  TermStore& t = *s.terms;
  Sort w = t.bv_sort(2);
  std::size_t predicates = 1 + below(3);
  for (std::size_t p = 0; p < predicates; ++p) {
    std::size_t arity = 1 + below(2);
    s.predicates.push_back(
        {"p" + std::to_string(p), std::vector<Sort>(arity, w), std::vector<std::string>(arity)});
  }
  std::vector<Term> variables;
  for (const char* name : {"x", "y", "z"}) variables.push_back(t.variable(name, w));
  auto word = [&]() -> Term {
    Term v = variables[below(variables.size())];
    switch (below(5)) {
      case 0:
        return t.bv(static_cast<int>(below(4)), 2);
      case 1:
        return t.make(Op::BvAdd, {v, t.bv(static_cast<int>(1 + below(3)), 2)});
      default:
        return v;
    }
  };
  auto constraint = [&]() -> Term {
    std::vector<Term> parts;
    for (std::size_t i = below(3); i-- > 0;) {
      Term part = below(2) == 0 ? t.make_eq(word(), word()) : t.make(Op::BvUlt, {word(), word()});
      parts.push_back(below(2) == 0 ? part : t.make_not(part));
    }
    return t.make_and(parts);
  };
  auto atom = [&] {
    PredicateId p = below(predicates);
    HornAtom made{p, {}};
    for (std::size_t i = 0; i < s.predicates[p].sorts.size(); ++i) made.args.push_back(word());
    return made;
  };
  std::size_t clauses = 2 + predicates + below(5);
  for (std::size_t c = 0; c < clauses; ++c) {
    HornClause clause;
    for (std::size_t j = c < 2 ? 0 : below(4); j-- > 0;) clause.body.push_back(atom());
    clause.constraint = constraint();
    clause.head = atom();
    s.clauses.push_back(std::move(clause));
  }
  for (std::size_t q = 1 + below(2); q-- > 0;) {
    HornClause query;
    for (std::size_t j = 1 + below(2); j-- > 0;) query.body.push_back(atom());
    query.constraint = t.make_and(constraint(), constraint());
    s.clauses.push_back(std::move(query));
  }
  return s;
}

/// Whether a query has a derivation: all facts, by enumeration of the values of every clause.
///   require: variables are words of two bits
inline bool has_derivation(const HornSystem& system) {
  TermStore& t = *system.terms;
  std::set<std::pair<PredicateId, std::vector<Term>>> facts;
  auto tuple = [&](const HornAtom& atom, const TermMap& values) {
    std::vector<Term> result;
    for (Term arg : atom.args) result.push_back(evaluate(t, arg, values));
    return std::pair(atom.predicate, result);
  };
  for (bool more = true; more;) {
    more = false;
    for (const HornClause& clause : system.clauses) {
      std::vector<Term> variables = variables_of(system, clause);
      for (std::size_t code = 0; code < std::size_t{1} << (2 * variables.size()); ++code) {
        TermMap values;
        for (std::size_t i = 0; i < variables.size(); ++i)
          values[variables[i]] = t.bv(static_cast<int>((code >> (2 * i)) & 3), 2);
        bool fires = t.is_true(evaluate(t, clause.constraint, values));
        for (const HornAtom& atom : clause.body)
          fires = fires && facts.contains(tuple(atom, values));
        if (!fires) continue;
        if (!clause.head) return true;
        more = facts.insert(tuple(*clause.head, values)).second || more;
      }
    }
  }
  return false;
}

}  // namespace lem::test
