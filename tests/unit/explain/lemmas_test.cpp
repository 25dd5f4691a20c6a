#include "explain/lemmas.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "check/cfa.h"
#include "check/circuit.h"
#include "check/induction.h"
#include "check/terms.h"
#include "explain/proofs.h"
#include "frontend/frontend.h"
#include "support/decided.h"
#include "support/random_aig.h"
#include "support/random_cfa.h"
#include "support/random_system.h"
#include "term/traverse.h"

namespace lem::explain {
namespace {

using Indices = std::vector<std::size_t>;
/// Whether the lemmas with these indices are a proof, by the checker.
using Proves = std::function<bool(const Indices&)>;

/// The subset proves, and no proper subset does: all of them up to ten lemmas, else those that lack
/// one lemma.
void expect_minimal(const Subset& subset, const Proves& proves, const std::string& what) {
  EXPECT_TRUE(subset.minimal) << what;
  EXPECT_TRUE(proves(subset.needed)) << what;
  std::size_t n = subset.needed.size();
  std::size_t full = std::size_t{1} << std::min<std::size_t>(n, 10);
  for (std::size_t mask = 0; n <= 10 && mask + 1 < full; ++mask) {
    Indices some;
    for (std::size_t i = 0; i < n; ++i)
      if ((mask >> i & 1) != 0) some.push_back(subset.needed[i]);
    EXPECT_FALSE(proves(some)) << what << ", subset " << mask << " of " << n;
  }
  for (std::size_t i = 0; n > 10 && i < n; ++i) {
    Indices some = subset.needed;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(proves(some)) << what << ", without lemma " << subset.needed[i];
  }
}

template <class Lemma>
std::vector<Lemma> chosen(const std::vector<Lemma>& all, const Indices& which) {
  std::vector<Lemma> out;
  for (std::size_t i : which) out.push_back(all[i]);
  return out;
}

/// The three checks on clauses, the last of which must exclude the bad state by themselves.
bool clauses_prove(const Aig& aig, AigLit bad, const std::vector<SignalClause>& clauses) {
  check::Finding kept =
      check::check_induction({aig, kAigFalse, clauses, 1, SimplePath::No}, std::stop_token());
  if (kept.holds != check::Holds::Yes) return false;
  check::Circuit circuit;
  std::vector<AigLit> leaves;
  for (std::uint32_t var = 1; var < aig.first_and(); ++var) leaves.push_back(circuit.fresh());
  check::Step at(circuit, aig, leaves, check::Cone(aig.num_vars(), true));
  check::Refutation refutation(circuit, std::stop_token());
  for (AigLit lit : aig.constraints()) refutation.require(at[lit]);
  for (SignalClause clause : clauses) {
    for (AigLit& lit : clause) lit = at[lit];
    refutation.require_any(clause);
  }
  refutation.require(at[bad]);
  return refutation.solve() == sat::SatResult::Unsat;
}

/// How many lemmas the proof had, if the engine found one; the needed ones are minimal.
std::size_t check_bits(const Problem& problem, const std::string& what) {
  std::optional<Verdict> verdict = test::decided(problem, "ic3");
  const auto* safe = verdict ? std::get_if<Safe>(&*verdict) : nullptr;
  if (safe == nullptr) return 0;
  AigLit bad = problem.property().bad();
  BitProof proof = proof_of(problem.aig(), bad, safe->certificate);
  if (proof.k != 1) return 0;
  Result<Subset> subset = needed_lemmas(proof, std::stop_token());
  EXPECT_TRUE(subset.ok()) << what;
  if (!subset) return 0;
  Proves proves = [&](const Indices& which) {
    return clauses_prove(problem.aig(), bad, chosen(proof.clauses, which));
  };
  expect_minimal(*subset, proves, what);
  return proof.clauses.size();
}

std::size_t check_terms(const Problem& problem, const char* engine, const std::string& what) {
  std::optional<Verdict> verdict = test::decided(problem, engine);
  const auto* safe = verdict ? std::get_if<Safe>(&*verdict) : nullptr;
  if (safe == nullptr) return 0;
  const TransitionSystem& system = problem.system();
  TermStore& terms = system.terms();
  Term bad = problem.property().bad_term();
  TermInvariant claim = std::get<TermInvariant>(safe->certificate);
  claim.invariant = terms.make_and(claim.invariant, terms.make_not(bad));
  std::vector<Term> lemmas = lemmas_of(terms, claim);
  Result<Subset> subset = needed_lemmas(system, bad, claim, lemmas, std::stop_token());
  EXPECT_TRUE(subset.ok()) << what;
  if (!subset) return 0;
  Proves proves = [&](const Indices& which) {
    TermInvariant some{terms.make_and(chosen(lemmas, which)), claim.k, claim.simple_path};
    return check::check_safety(system, bad, some.invariant, {}).holds == check::TermHolds::Yes &&
           check::check_induction(system, bad, some, {}).holds == check::TermHolds::Yes;
  };
  expect_minimal(*subset, proves, what);
  return lemmas.size();
}

std::size_t check_automaton(const Cfa& cfa, LocationInvariants claim, const std::string& what) {
  if (!claim.rounds.empty()) return 0;
  std::vector<LocationLemma> lemmas = lemmas_of(cfa, claim);
  Result<Subset> subset = needed_lemmas(cfa, claim, lemmas, std::stop_token());
  EXPECT_TRUE(subset.ok()) << what;
  if (!subset) return 0;
  Proves proves = [&](const Indices& which) {
    return check::check_invariants(cfa, claim_of(cfa, claim, chosen(lemmas, which)), {}).holds ==
           check::TermHolds::Yes;
  };
  expect_minimal(*subset, proves, what);
  return lemmas.size();
}

Problem load(const std::string& name) {
  auto problem = frontend::read_problem(LEM_SOURCE_DIR "/" + name);
  EXPECT_TRUE(problem.ok()) << name;
  return focus(*problem, 0);
}

// An x that is kept by y and a y that is kept by x, beside the property: neither can be dropped
// alone, and both are superfluous.
TEST(MinimalSubset, DropsLemmasThatOnlySupportEachOther) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Sort boolean = store->bool_sort();
  Term x = builder.add_state("x", boolean), y = builder.add_state("y", boolean),
       z = builder.add_state("z", boolean);
  for (Term state : {x, y, z}) builder.set_init(state, store->boolean(true));
  builder.set_update(x, y);
  builder.set_update(y, x);
  builder.set_update(z, z);
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Term bad = store->make_not(z);
  std::vector<Term> lemmas{x, y, z};
  TermInvariant claim{store->make_and(lemmas)};
  Result<Subset> subset = needed_lemmas(*system, bad, claim, lemmas, {});
  ASSERT_TRUE(subset.ok());
  EXPECT_EQ(subset->needed, Indices{2});
  EXPECT_EQ(subset->safety, Indices{2});
  EXPECT_EQ(subset->support, std::vector<Indices>{{2}});
}

TEST(MinimalSubset, OfKInductionKeepsTheDepth) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Sort word = store->bv_sort(4);
  Term x = builder.add_state("x", word), y = builder.add_state("y", word);
  builder.set_init(x, store->bv(0, 4));
  builder.set_init(y, store->bv(0, 4));
  // x goes 0, 1, 2, 0; from 3, which has no predecessor, it would get to 7 in four steps.
  Term two = store->make_eq(x, store->bv(2, 4));
  Term next = store->make(Op::BvAdd, {x, store->bv(1, 4)});
  builder.set_update(x, store->make_ite(two, store->bv(0, 4), next));
  builder.set_update(y, y);
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Term bad = store->make_eq(x, store->bv(7, 4));
  Term lemma = store->make_not(store->make_eq(x, store->bv(3, 4)));
  std::vector<Term> lemmas{store->make_eq(y, store->bv(0, 4)), store->make_not(bad), lemma};
  TermInvariant claim{store->make_and(lemmas), 5};
  ASSERT_EQ(check::check_induction(*system, bad, claim, {}).holds, check::TermHolds::Yes);
  Result<Subset> subset = needed_lemmas(*system, bad, claim, lemmas, {});
  ASSERT_TRUE(subset.ok());
  EXPECT_TRUE(subset->minimal);
  EXPECT_EQ(subset->needed, Indices{1});
  // With one step less, x != 3 is needed too.
  claim.k = 4;
  ASSERT_EQ(check::check_induction(*system, bad, claim, {}).holds, check::TermHolds::Yes);
  subset = needed_lemmas(*system, bad, claim, lemmas, {});
  ASSERT_TRUE(subset.ok());
  EXPECT_EQ(subset->needed, (Indices{1, 2}));
}

TEST(MinimalSubset, StopsWithAProof) {
  std::stop_source stopped;
  stopped.request_stop();
  Problem problem = load("examples/vmt/bakery_safe.vmt");
  std::optional<Verdict> verdict = test::decided(problem, "ic3ia");
  ASSERT_TRUE(verdict.has_value());
  TermInvariant claim = certificate_as<TermInvariant>(*verdict);
  std::vector<Term> lemmas = lemmas_of(problem.system().terms(), claim);
  Result<Subset> subset = needed_lemmas(problem.system(), problem.property().bad_term(), claim,
                                        lemmas, stopped.get_token());
  ASSERT_TRUE(subset.ok());
  EXPECT_FALSE(subset->minimal);
  EXPECT_EQ(subset->needed.size(), lemmas.size());
}

// Fifty models with proofs of at least two lemmas: examples, and random circuits, systems and
// automata.
TEST(MinimalSubset, IsMinimalOnFiftyModels) {
  std::size_t models = 0, lemmas = 0;
  auto count = [&](std::size_t found) {
    if (found < 2) return;
    ++models;
    lemmas += found;
  };
  for (const char* name : {"arbiter_safe", "counter_mod6_safe", "peterson_safe",
                           "shift_registers_safe", "uninitialised_constraint_safe"})
    count(check_bits(load("examples/aiger/" + std::string(name) + ".aag"), name));
  for (const char* name :
       {"examples/vmt/bakery_safe.vmt", "examples/chc/two_loops_safe.smt2",
        "examples/lustre/stopwatch_contract_safe.lus", "tests/regress/chc/parity_safe.smt2",
        "tests/regress/vmt/real_bounds_safe.vmt"})
    for (const char* engine : {"ic3ia", "ctigar"})
      count(check_terms(load(name), engine, std::string(name) + " by " + engine));
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    count(check_bits(test::random_problem(seed, test::varied_params(seed)),
                     "circuit " + std::to_string(seed)));
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    count(check_terms(test::random_system(seed), "ic3ia", "system " + std::to_string(seed)));
  for (std::uint32_t seed = 0; seed < 80; ++seed) {
    test::RandomCfa random(seed);
    Problem problem{*random.cfa, {{"unreachable", ErrorLocation{}}}, {}};
    std::optional<Verdict> verdict = test::decided(problem, "ic3cfa");
    const auto* safe = verdict ? std::get_if<Safe>(&*verdict) : nullptr;
    if (safe != nullptr)
      count(check_automaton(*random.cfa, std::get<LocationInvariants>(safe->certificate),
                            "automaton " + std::to_string(seed)));
  }
  EXPECT_GE(models, 50U);
  RecordProperty("lemmas", static_cast<int>(lemmas));
}

}  // namespace
}  // namespace lem::explain
