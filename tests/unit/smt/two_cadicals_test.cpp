// libcvc5.so brings a CaDiCaL of its own version: neither may be called in place of the other
// (docs/gotchas.md).
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sat/cadical.h"
#include "smt/smt_solver.h"

namespace lem {
namespace {

/// Pigeons + 1 pigeons in as many holes: unsatisfiable, and only by search.
sat::SatResult pigeons_by_cadical(std::uint32_t holes) {
  std::unique_ptr<sat::SatSolver> solver = sat::make_cadical();
  std::vector<std::vector<sat::Lit>> sits(holes + 1);
  for (auto& row : sits)
    for (std::uint32_t h = 0; h < holes; ++h) row.push_back({solver->new_var(), false});
  for (const auto& row : sits) solver->add_clause(row);
  for (std::uint32_t h = 0; h < holes; ++h)
    for (std::size_t p = 0; p < sits.size(); ++p)
      for (std::size_t q = 0; q < p; ++q)
        solver->add_clause(std::vector<sat::Lit>{!sits[p][h], !sits[q][h]});
  return solver->solve({});
}

smt::Answer factors_by_cvc5(unsigned product) {
  TermStore terms;
  Sort sort = terms.bv_sort(12);
  Term x = terms.variable("x", sort);
  Term y = terms.variable("y", sort);
  std::unique_ptr<smt::SmtSolver> solver = smt::make_cvc5(terms, smt::Workload::Single, {});
  for (Term factor : {x, y}) {
    solver->add(terms.make(Op::BvUlt, {terms.bv(1, 12), factor}));
    solver->add(terms.make(Op::BvUlt, {factor, terms.bv(64, 12)}));
  }
  solver->add(terms.make_eq(terms.make(Op::BvMul, {x, y}), terms.bv(product, 12)));
  return solver->solve();
}

TEST(TwoCadicals, BothWorkInOneProcess) {
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(pigeons_by_cadical(6), sat::SatResult::Unsat);
    EXPECT_EQ(factors_by_cvc5(2021), smt::Answer::Sat);    // 43 * 47
    EXPECT_EQ(factors_by_cvc5(2027), smt::Answer::Unsat);  // a prime
  }
}

TEST(TwoCadicals, OursIsNotVisibleToLibraries) {
  ASSERT_EQ(factors_by_cvc5(2021), smt::Answer::Sat);  // so that the library is there
  void* constructor = dlsym(RTLD_DEFAULT, "_ZN7CaDiCaL6SolverC1Ev");
  if (constructor == nullptr) return;  // a libcvc5 without CaDiCaL inside: nothing to mix up
  Dl_info where{};
  ASSERT_NE(dladdr(constructor, &where), 0);
  EXPECT_NE(std::string(where.dli_fname).find("libcvc5"), std::string::npos) << where.dli_fname;
}

}  // namespace
}  // namespace lem
