// Each pass on Horn systems keeps the answer, and evidence comes back through it.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "check/horn.h"
#include "support/small_horn.h"
#include "transform/passes.h"

namespace lem::transform {
namespace {

struct Quiet {
  Options options;
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, {}};
};

using Pass = Transformed (*)(const Problem&, const Context&);
constexpr Pass kPasses[] = {apply_horn_inline, apply_horn_prune, apply_horn_slice};

/// A derivation by enumeration, over words of two bits.
std::optional<Derivation> enumerate(const HornSystem& system) {
  TermStore& t = *system.terms;
  std::map<std::pair<PredicateId, std::vector<Term>>, std::size_t> known;
  Derivation found;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t c = 0; c < system.clauses.size(); ++c) {
      const HornClause& clause = system.clauses[c];
      std::vector<Term> variables = variables_of(system, clause);
      for (std::size_t code = 0; code < std::size_t{1} << (2 * variables.size()); ++code) {
        Derivation::Step step{c, {}, {}};
        TermMap values;
        for (std::size_t i = 0; i < variables.size(); ++i)
          step.values.push_back(values[variables[i]] =
                                    t.bv(static_cast<int>((code >> (2 * i)) & 3), 2));
        auto tuple = [&](const HornAtom& atom) {
          std::vector<Term> result;
          for (Term arg : atom.args) result.push_back(evaluate(t, arg, values));
          return std::pair(atom.predicate, result);
        };
        bool fires = t.is_true(evaluate(t, clause.constraint, values));
        for (const HornAtom& atom : clause.body) {
          auto premise = known.find(tuple(atom));
          fires = fires && premise != known.end();
          if (fires) step.premises.push_back(premise->second);
        }
        if (!fires) continue;
        found.steps.push_back(step);
        if (!clause.head) return found;
        bool added = known.try_emplace(tuple(*clause.head), found.steps.size() - 1).second;
        if (!added) found.steps.pop_back();
        more = added || more;
      }
    }
  }
  return {};
}

TEST(HornPasses, KeepTheAnswerAndTheDerivation) {
  Quiet quiet;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = test::horn_problem(test::random_horn(seed));
    bool unsafe = test::has_derivation(problem.horn());
    for (Pass pass : kPasses) {
      Transformed made = pass(problem, quiet.ctx);
      std::optional<Derivation> run = enumerate(made.problem.horn());
      ASSERT_EQ(run.has_value(), unsafe);
      if (!run) continue;
      auto back = made.back->run(*run);
      ASSERT_TRUE(back);
      EXPECT_EQ(check::replay(problem.horn(), std::get<Derivation>(*back)), std::nullopt);
    }
  }
}

TEST(HornInline, ResolvesCallsThatAreNotRecursive) {
  Quiet quiet;
  Problem problem = test::horn_problem(test::procedures(true).system);
  Transformed made = apply_horn_inline(problem, quiet.ctx);
  ASSERT_EQ(made.problem.horn().predicates.size(), 1U);
  EXPECT_EQ(made.problem.horn().predicates[0].name, "T");
  TermStore& t = *problem.horn().terms;
  Term in = t.variable("in", t.int_sort()), out = t.variable("out", t.int_sort());
  Interpretation claim{{{{in, out}, t.make_le(t.make_mul(t.integer(2), out), in)}}};
  auto back = made.back->certificate(claim);
  ASSERT_TRUE(back);
  const auto& all = std::get<Interpretation>(*back);
  ASSERT_EQ(check::misfit(problem.horn(), all), std::nullopt);
  EXPECT_EQ(check::check_interpretation(problem.horn(), all, {}).holds, check::TermHolds::Yes);
}

TEST(HornSlice, DropsArgumentsThatNobodyNeeds) {
  Quiet quiet;
  Problem problem = test::horn_problem(test::joined_words(true).system);
  Transformed made = apply_horn_slice(problem, quiet.ctx);
  for (const Predicate& predicate : made.problem.horn().predicates)
    EXPECT_EQ(predicate.sorts.size(), 1U);
}

TEST(HornPrune, DropsWhatNoQueryDependsOn) {
  Quiet quiet;
  test::NamedHorn one = test::procedures(true);
  one.system.clauses.pop_back();  // the query
  Problem problem = test::horn_problem(std::move(one.system));
  Transformed made = apply_horn_prune(problem, quiet.ctx);
  EXPECT_TRUE(made.problem.horn().predicates.empty());
  auto back = made.back->certificate(Interpretation{});
  ASSERT_TRUE(back);
  EXPECT_EQ(check::check_interpretation(problem.horn(), std::get<Interpretation>(*back), {}).holds,
            check::TermHolds::Yes);
}

}  // namespace
}  // namespace lem::transform
