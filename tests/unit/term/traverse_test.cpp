#include "term/traverse.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "term/postorder.h"

namespace lem {
namespace {

class Traverse : public ::testing::Test {
 protected:
  Term flag(std::string_view name) { return t_.variable(name, t_.bool_sort()); }
  Term number(std::string_view name) { return t_.variable(name, t_.int_sort()); }
  /// Alternating operators over two variables: nothing merges.
  Term deep() {
    Term term = u_;
    for (int i = 0; i < kDeep; ++i) term = t_.make(i % 2 == 0 ? Op::BvAdd : Op::BvXor, {term, v_});
    return term;
  }
  /// Each level has the one below twice: 2^levels paths.
  Term shared(int levels) {
    Term term = u_;
    for (int i = 0; i < levels; ++i)
      term = t_.make(Op::BvMul, {term, t_.make(Op::BvXor, {term, v_})});
    return term;
  }
  static constexpr int kDeep = 200'000;

  TermStore t_;
  Term p_ = flag("p"), q_ = flag("q"), r_ = flag("r");
  Term x_ = number("x"), y_ = number("y"), z_ = number("z");
  Term u_ = t_.variable("u", t_.bv_sort(8)), v_ = t_.variable("v", t_.bv_sort(8));
};

TEST_F(Traverse, SubstitutionIsSimultaneous) {
  Term difference = t_.make_sub(x_, t_.make_mul(t_.integer(2), y_));
  EXPECT_EQ(substitute(t_, difference, {{x_, y_}, {y_, x_}}),
            t_.make_sub(y_, t_.make_mul(t_.integer(2), x_)));
  EXPECT_EQ(substitute(t_, x_, {{x_, t_.make_add(x_, t_.integer(1))}}),
            t_.make_add(x_, t_.integer(1)));
}

TEST_F(Traverse, SubstitutionReplacesTermsFromOutside) {
  Term product = t_.make_mul(x_, y_);
  Term atom = t_.make_le(product, z_);
  EXPECT_EQ(substitute(t_, atom, {{product, t_.integer(1)}, {x_, t_.integer(5)}}),
            t_.make_le(t_.integer(1), z_));
  EXPECT_EQ(substitute(t_, atom, {{atom, p_}}), p_);
}

TEST_F(Traverse, SubstitutionRewrites) {
  Term formula = t_.make_and(p_, t_.make_le(x_, y_));
  EXPECT_EQ(substitute(t_, formula, {{x_, t_.integer(1)}, {y_, t_.integer(2)}}), p_);
  EXPECT_EQ(substitute(t_, t_.make_extract(u_, 3, 2), {{u_, t_.bv(0xAB, 8)}}), t_.bv(2, 2));
  EXPECT_EQ(substitute(t_, t_.make(Op::BvSignExtend, {u_}, 8), {{u_, t_.bv(0x80, 8)}}),
            t_.bv(0xFF80, 16));
}

TEST_F(Traverse, SubstitutionReachesConstantArrays) {
  Sort sort = t_.array_sort(t_.int_sort(), t_.int_sort());
  Term array = t_.make_store(t_.make_const_array(sort, x_), y_, z_);
  Term expected = t_.make_store(t_.make_const_array(sort, t_.integer(4)), y_, z_);
  EXPECT_EQ(substitute(t_, array, {{x_, t_.integer(4)}}), expected);
}

TEST_F(Traverse, SubstitutionKeepsWhatDoesNotChange) {
  Term term = shared(10);
  std::size_t size = t_.size();
  EXPECT_EQ(substitute(t_, term, {{x_, y_}}), term);
  EXPECT_EQ(t_.size(), size);
  EXPECT_EQ(substitute(t_, term, {}), term);
}

TEST_F(Traverse, SubstitutionIsKeptBetweenTerms) {
  Substitution substitution(t_);
  substitution.add(u_, v_);
  Term first = substitution.apply(shared(10));
  std::size_t size = t_.size();
  EXPECT_EQ(substitution.apply(shared(10)), first);
  EXPECT_EQ(t_.size(), size);
  EXPECT_EQ(substitution.apply(t_.make(Op::BvNeg, {shared(10)})), t_.make(Op::BvNeg, {first}));
}

TEST_F(Traverse, SharedSubtermsAreVisitedOnce) {
  Term term = shared(100);
  EXPECT_EQ(dag_size(t_, term), 202U);
  EXPECT_EQ(variables_of(t_, term), (std::vector{u_, v_}));
  Term other = substitute(t_, term, {{u_, t_.make(Op::BvNot, {u_})}});
  EXPECT_EQ(dag_size(t_, other), 203U);
  EXPECT_TRUE(t_.is_value(evaluate(t_, term, {{u_, t_.bv(3, 8)}, {v_, t_.bv(4, 8)}})));
}

TEST_F(Traverse, EvaluationGivesDefaultsToTheRest) {
  Term sum = t_.make_add(t_.make_mul(x_, y_), z_);
  EXPECT_EQ(evaluate(t_, sum, {{x_, t_.integer(3)}, {y_, t_.integer(4)}, {z_, t_.integer(5)}}),
            t_.integer(17));
  EXPECT_EQ(evaluate(t_, sum, {{z_, t_.integer(5)}}), t_.integer(5));
  EXPECT_EQ(evaluate(t_, t_.make_or(p_, t_.make_not(q_)), {}), t_.boolean(true));
  Term array = t_.variable("m", t_.array_sort(t_.int_sort(), t_.real_sort()));
  EXPECT_EQ(evaluate(t_, t_.make_select(array, x_), {}), t_.real(0));
  EXPECT_EQ(evaluate(t_, array, {}), t_.default_value(t_.sort(array)));
}

TEST_F(Traverse, VisitsArgumentsFirstAndEachTermOnce) {
  Term root = t_.make_ite(t_.make_le(x_, y_), t_.make_mul(x_, z_), t_.make_mul(x_, y_));
  std::set<Term> seen;
  std::array roots{root, t_.make_mul(x_, y_), root};
  for_each_subterm(t_, roots, [&](Term term) {
    for (Term arg : t_.args(term)) EXPECT_TRUE(seen.contains(arg));
    EXPECT_TRUE(seen.insert(term).second);
  });
  EXPECT_TRUE(seen.contains(root));
  EXPECT_EQ(seen.size(), dag_size(t_, root));
}

TEST_F(Traverse, PostorderMakesArgumentsFirstAndOnlyWhatIsMissing) {
  Term product = t_.make_mul(x_, z_);
  Term root = t_.make_ite(p_, product, t_.make_add(product, y_));
  std::set<Term> made{x_};
  std::vector<Term> order;
  postorder(
      t_, root, [&](Term term) { return made.contains(term); },
      [&](Term term) {
        for (Term arg : t_.args(term)) EXPECT_TRUE(made.contains(arg));
        EXPECT_TRUE(made.insert(term).second);
        order.push_back(term);
      });
  EXPECT_EQ(order.back(), root);
  EXPECT_EQ(order.size() + 1, dag_size(t_, root));
}

TEST_F(Traverse, VariablesAreInOrderOfCreation) {
  std::array roots{t_.make_le(z_, x_), r_, t_.make_and(r_, p_)};
  EXPECT_EQ(variables_of(t_, roots), (std::vector{p_, r_, x_, z_}));
  EXPECT_TRUE(variables_of(t_, t_.integer(3)).empty());
  EXPECT_EQ(variables_of(t_, x_), std::vector{x_});
}

TEST_F(Traverse, ConjunctsAndDisjuncts) {
  Term both = t_.make_or(q_, r_);
  EXPECT_EQ(conjuncts(t_, t_.make_and(p_, both)), (std::vector{p_, both}));
  EXPECT_EQ(conjuncts(t_, both), std::vector{both});
  EXPECT_EQ(disjuncts(t_, both), (std::vector{q_, r_}));
  EXPECT_EQ(disjuncts(t_, p_), std::vector{p_});
  EXPECT_EQ(conjuncts(t_, t_.boolean(true)), std::vector{t_.boolean(true)});
}

TEST_F(Traverse, ConjunctsOfLongJunctionsAreFlat) {
  std::vector<Term> flags;
  for (int i = 0; i < 50; ++i) flags.push_back(flag("p" + std::to_string(i)));
  Term last = flag("last");
  Term nested = t_.make_and(t_.make_and(flags), last);
  ASSERT_EQ(t_.args(nested).size(), 2U);
  EXPECT_EQ(conjuncts(t_, nested).size(), 51U);
}

TEST_F(Traverse, ConjunctsOfSharedJunctionsAreListedOnce) {
  std::array<std::vector<Term>, 2> side;
  for (int i = 0; i < 33; ++i)
    for (std::size_t k : {0U, 1U})
      side[k].push_back(flag("s" + std::to_string(i) + (k == 0 ? "a" : "b")));
  Term left = t_.make_and(side[0]);
  Term right = t_.make_and(side[1]);
  for (int level = 0; level < 60; ++level) {
    for (std::size_t k : {0U, 1U}) side[k].assign({left, right});
    for (int i = 0; i < 33; ++i)
      for (std::size_t k : {0U, 1U})
        side[k].push_back(
            flag("l" + std::to_string(level) + "_" + std::to_string(i) + (k == 0 ? "a" : "b")));
    left = t_.make_and(side[0]);
    right = t_.make_and(side[1]);
  }
  EXPECT_EQ(conjuncts(t_, t_.make_and(left, right)).size(), 61U * 66U);
}

TEST_F(Traverse, AtomsAreBelowBooleanStructure) {
  Term less = t_.make_le(x_, y_);
  Term equal = t_.make_eq(u_, v_);
  Term structure = t_.make_ite(p_, t_.make_not(less), t_.make_eq(q_, t_.make_and(less, equal)));
  EXPECT_EQ(atoms_of(t_, structure), (std::vector{p_, q_, less, equal}));
  EXPECT_EQ(atoms_of(t_, t_.make_not(p_)), std::vector{p_});
  EXPECT_TRUE(atoms_of(t_, t_.boolean(true)).empty());
  Term inside = t_.make_le(t_.make_ite(q_, x_, y_), z_);
  EXPECT_EQ(atoms_of(t_, inside), std::vector{t_.atom_of(inside)});
}

TEST_F(Traverse, SizeCountsSubtermsOnce) {
  EXPECT_EQ(dag_size(t_, x_), 1U);
  EXPECT_EQ(dag_size(t_, t_.make_mul(x_, x_)), 2U);
  EXPECT_EQ(dag_size(t_, t_.make_le(t_.make_mul(x_, y_), t_.integer(3))), 5U);
}

TEST_F(Traverse, DepthCostsNoStack) {
  Term term = deep();
  EXPECT_EQ(dag_size(t_, term), kDeep + 2U);
  EXPECT_EQ(variables_of(t_, term).size(), 2U);
  Term swapped = substitute(t_, term, {{u_, t_.make(Op::BvNeg, {u_})}});
  EXPECT_EQ(dag_size(t_, swapped), kDeep + 3U);
  EXPECT_TRUE(t_.is_value(evaluate(t_, term, {{u_, t_.bv(1, 8)}, {v_, t_.bv(3, 8)}})));
  std::size_t made = 0;
  std::vector<bool> done(t_.size());
  postorder(
      t_, term, [&](Term at) { return done[at.id()]; },
      [&](Term at) {
        done[at.id()] = true;
        ++made;
      });
  EXPECT_EQ(made, kDeep + 2U);
}

TEST_F(Traverse, DepthOfFormulasCostsNoStack) {
  Term formula = p_;
  for (int i = 0; i < kDeep; ++i) {
    Term other = flag("f" + std::to_string(i));
    formula = i % 2 == 0 ? t_.make_and(formula, other) : t_.make_or(formula, other);
  }
  EXPECT_EQ(atoms_of(t_, formula).size(), kDeep + 1U);
  EXPECT_EQ(conjuncts(t_, t_.make_not(formula)).size(), 1U);
  EXPECT_EQ(evaluate(t_, formula, {}), t_.boolean(false));
}

}  // namespace
}  // namespace lem
