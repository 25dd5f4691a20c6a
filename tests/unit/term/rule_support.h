// Rules of the simplifier as rows: the term that is asked for, and the normal form that comes out,
// both as SMT-LIB text. A row also checks that the rule is sound: with values for the variables the
// input folds to what the normal form evaluates to.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string>
#include <vector>

#include "term/smtlib/printer.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"
#include "term/traverse.h"

namespace lem {

struct Rule {
  const char* name;
  const char* input;
  const char* normal_form;
};

/// A store with variables; the order of their declaration is that of terms.
class RuleScope {
 public:
  RuleScope() {
    declare({"p", "q", "r", "s"}, t.bool_sort());
    declare({"x", "y", "z"}, t.int_sort());
    declare({"f", "g", "h"}, t.real_sort());
    declare({"a", "b", "c"}, t.bv_sort(8));
    declare({"i", "j", "k"}, t.bv_sort(1));
    declare({"m", "n"}, t.bv_sort(4));
    declare({"A", "B"}, t.array_sort(t.int_sort(), t.int_sort()));
    declare({"M"}, t.array_sort(t.bv_sort(4), t.bv_sort(8)));
    declare({"d", "e"}, t.float_sort({3, 4}));
  }

  /// The term of a text when variables stand for what the map says.
  Term read(const std::string& text, const TermMap& map = {}) {
    auto document = smtlib::read_document("rule", text);
    EXPECT_TRUE(document.ok()) << text;
    smtlib::TermParser parser(t, *document);
    for (Term var : vars) parser.bind(t.name(var), map.contains(var) ? map.at(var) : var);
    auto result = parser.term(document->top().at(0));
    EXPECT_TRUE(result.ok()) << text << ": " << (result ? "" : result.error().text());
    return result ? *result : t.boolean(false);
  }
  TermMap values(std::mt19937& random) {
    TermMap map;
    for (Term var : vars) map[var] = value(t.sort(var), random);
    return map;
  }

  TermStore t;
  std::vector<Term> vars;

 private:
  void declare(std::initializer_list<const char*> names, Sort sort) {
    for (const char* name : names) vars.push_back(t.variable(name, sort));
  }
  /// Mostly corner cases.
  Term value(Sort sort, std::mt19937& random) {
    auto pick = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    int small = static_cast<int>(pick(15)) - 7;
    switch (t.kind(sort)) {
      case SortKind::Bool:
        return t.boolean(pick(2) == 0);
      case SortKind::BitVec: {
        std::uint32_t width = t.width(sort);
        mpz_class middle = mpz_class(1) << (width - 1);
        if (pick(3) == 0) return t.bv(mpz_class(middle + small % 2), width);
        return t.bv(pick(2) == 0 ? small : static_cast<int>(pick(1U << width)), width);
      }
      case SortKind::Int:
        return t.integer(pick(8) == 0 ? (mpz_class(small) << 70) : mpz_class(small));
      case SortKind::Real:
        return t.real(mpq_class(small) / (1 + pick(4)));
      case SortKind::Float:
        return t.floating({t.format(sort), pick(1U << t.format(sort).bits())});
      case SortKind::Array: {
        Term array = t.make_const_array(sort, value(t.element_sort(sort), random));
        for (unsigned left = pick(4); left > 0; --left)
          array = t.make_store(array, value(t.index_sort(sort), random),
                               value(t.element_sort(sort), random));
        return array;
      }
    }
    return {};
  }
};

inline void expect_rules(std::span<const Rule> rules) {
  for (const Rule& rule : rules) {
    RuleScope scope;
    Term made = scope.read(rule.input);
    EXPECT_EQ(smtlib::term_text(scope.t, made), rule.normal_form)
        << rule.name << ": " << rule.input;
    std::mt19937 random(1);
    for (int round = 0; round < 40; ++round) {
      TermMap map = scope.values(random);
      ASSERT_EQ(scope.read(rule.input, map), evaluate(scope.t, made, map))
          << rule.name << " is unsound: " << rule.input;
    }
  }
}

}  // namespace lem
