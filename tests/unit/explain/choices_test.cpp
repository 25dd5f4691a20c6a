#include "explain/choices.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "check/cfa.h"
#include "check/replay.h"
#include "check/terms.h"
#include "frontend/frontend.h"
#include "support/decided.h"
#include "support/random_aig.h"
#include "support/random_system.h"
#include "term/traverse.h"

namespace lem::explain {
namespace {

using Random = std::mt19937_64;

std::vector<bool> which_needed(const NeededChoices& found) {
  std::vector<bool> out(found.all.size());
  for (std::size_t i : found.needed) out[i] = true;
  return out;
}

/// Whether the trace, or its beginning, is a violation; nullopt if it breaks a constraint.
std::optional<bool> violates(const Problem& problem, Trace trace) {
  std::optional<std::string> last;
  for (; !trace.inputs.empty(); trace.inputs.pop_back()) {
    last = check::replay(problem.aig(), problem.property().bad(), trace);
    if (!last) return true;
    if (last->find("constraint") != std::string::npos) return std::nullopt;
  }
  return false;
}

/// The trace with other values for what is not fixed, one bit of `bits` for each.
Trace completed(const Aig& aig, const Trace& trace, const NeededChoices& found,
                const std::vector<bool>& fixed, std::uint64_t bits) {
  Trace other = trace;
  for (std::size_t i = 0; i < found.all.size(); ++i) {
    const Choice& choice = found.all[i];
    if (fixed[i]) continue;
    bool value = (bits & 1) != 0;
    bits = bits >> 1 | bits << 63;
    if (aig.is_latch(choice.signal))
      other.initial[choice.signal - aig.first_latch()] = value;
    else
      other.inputs[choice.step][choice.signal - aig.first_input()] = value;
  }
  return other;
}

/// Random values for what is free: violations all. Without one needed value, some run escapes,
/// which is looked for where all runs can be tried. Returns how often it was.
std::size_t expect_forced(const Problem& problem, const Trace& trace, std::uint64_t seed) {
  Result<NeededChoices> found = needed_choices(problem, trace, {});
  EXPECT_TRUE(found.ok() && found->minimal);
  if (!found) return 0;
  std::vector<bool> needed = which_needed(*found);
  Random random(seed);
  for (int round = 0; round < 20; ++round)
    EXPECT_NE(violates(problem, completed(problem.aig(), trace, *found, needed, random())),
              std::optional(false))
        << "seed " << seed;
  std::size_t free = found->all.size() - found->needed.size() + 1;
  if (free > 10) return 0;
  for (std::size_t lost : found->needed) {
    std::vector<bool> fewer = needed;
    fewer[lost] = false;
    bool escaped = false;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << free && !escaped; ++bits)
      escaped = violates(problem, completed(problem.aig(), trace, *found, fewer, bits)) ==
                std::optional(false);
    EXPECT_TRUE(escaped) << "seed " << seed << ", choice " << lost;
  }
  return found->needed.size();
}

TEST(NeededChoices, OfCircuitsForceTheViolation) {
  std::size_t runs = 0, escapes = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Problem problem = test::random_problem(seed, test::varied_params(seed));
    std::optional<Verdict> verdict = test::decided(problem, "ic3");
    const auto* unsafe = verdict ? std::get_if<Unsafe>(&*verdict) : nullptr;
    if (unsafe == nullptr) continue;
    ++runs;
    escapes += expect_forced(problem, std::get<Trace>(unsafe->run), seed);
  }
  EXPECT_GE(runs, 10U);
  EXPECT_GE(escapes, 5U);
}

Term random_value(TermStore& terms, Sort sort, Random& random) {
  if (terms.kind(sort) == SortKind::Bool) return terms.boolean((random() & 1) != 0);
  if (terms.kind(sort) == SortKind::BitVec) return terms.bv(random() % 1024, terms.width(sort));
  return terms.number(mpq_class(static_cast<long>(random() % 9) - 4), sort);
}

/// The run of a functional system with these inputs and first state.
TermTrace simulated(const TransitionSystem& system, const TermTrace& choices) {
  TermStore& terms = system.terms();
  TermTrace out = choices;
  for (std::size_t k = 0; k < out.steps.size(); ++k) {
    TermMap before;
    if (k > 0) {
      for (std::size_t i = 0; i < system.states().size(); ++i)
        before[system.states()[i].current] = out.steps[k - 1].states[i];
      for (std::size_t i = 0; i < system.inputs().size(); ++i)
        before[system.inputs()[i]] = out.steps[k - 1].inputs[i];
    }
    for (std::size_t i = 0; i < system.states().size(); ++i) {
      const StateVar& state = system.states()[i];
      if (k > 0 && state.update) out.steps[k].states[i] = evaluate(terms, state.update, before);
    }
  }
  return out;
}

std::optional<bool> violates(const Problem& problem, TermTrace trace) {
  for (; !trace.steps.empty(); trace.steps.pop_back()) {
    auto wrong = check::replay(problem.system(), problem.property().bad_term(), trace);
    if (!wrong) return true;
    if (wrong->find("constraint") != std::string::npos) return std::nullopt;
  }
  return false;
}

TEST(NeededChoices, OfSystemsForceTheViolation) {
  std::size_t runs = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Problem problem = test::random_system(seed);
    const TransitionSystem& system = problem.system();
    std::optional<Verdict> verdict = test::decided(problem, "ic3ia");
    const auto* unsafe = verdict ? std::get_if<Unsafe>(&*verdict) : nullptr;
    if (unsafe == nullptr || !system.is_functional()) continue;
    ++runs;
    Result<NeededChoices> found = needed_choices(problem, unsafe->run, {});
    ASSERT_TRUE(found.ok() && found->minimal) << "seed " << seed;
    std::vector<bool> needed = which_needed(*found);
    Random random(seed);
    for (int round = 0; round < 20; ++round) {
      TermTrace other = std::get<TermTrace>(unsafe->run);
      for (std::size_t i = 0; i < found->all.size(); ++i) {
        const Choice& choice = found->all[i];
        TermTrace::Step& step = other.steps[choice.step];
        bool input = choice.kind == Choice::Kind::Input;
        std::vector<Term>& values = input ? step.inputs : step.states;
        std::size_t at = 0;
        while ((input ? system.inputs()[at] : system.states()[at].current) != choice.variable) ++at;
        Sort sort = system.terms().sort(choice.variable);
        EXPECT_EQ(values[at], choice.value);
        if (!needed[i]) values[at] = random_value(system.terms(), sort, random);
      }
      EXPECT_NE(violates(problem, simulated(system, other)), std::optional(false))
          << "seed " << seed;
    }
  }
  EXPECT_GE(runs, 10U);
}

/// x := any; y := any; z := any; assume z > 0; if x > 10 then error: y and z are free.
TEST(NeededChoices, OfProgramsAreThoseOnThePath) {
  auto store = std::make_shared<TermStore>();
  CfaBuilder builder(store);
  Sort word = store->bv_sort(8);
  Term x = builder.add_variable("x", word), y = builder.add_variable("y", word),
       z = builder.add_variable("z", word);
  LocationId start = builder.add_location("start"), branch = builder.add_location("branch"),
             end = builder.add_location("end"), error = builder.add_location("error");
  Term positive = store->make(Op::BvSlt, {store->bv(0, 8), z});
  Term large = store->make(Op::BvSlt, {store->bv(10, 8), x});
  EdgeId choose =
      builder.add_edge(start,
                       Command::sequence({Command::havoc(x), Command::havoc(y), Command::havoc(z),
                                          Command::assume(positive), Command::assign(y, z)}),
                       branch);
  EdgeId fails = builder.add_edge(branch, Command::assume(large), error);
  builder.add_edge(branch, Command::assume(store->make_not(large)), end);
  builder.set_initial(start);
  builder.set_error(error);
  auto cfa = std::move(builder).freeze();
  ASSERT_TRUE(cfa.ok());
  Problem problem{*cfa, {{"unreachable", ErrorLocation{}}}, {}};
  Term zero = store->bv(0, 8), eleven = store->bv(11, 8), five = store->bv(5, 8);
  CfaTrace trace{{choose, fails}, {{zero, zero, zero}, {eleven, five, five}, {eleven, five, five}}};
  ASSERT_EQ(check::replay(*cfa, trace, {}), std::nullopt);
  Result<NeededChoices> found = needed_choices(problem, trace, {});
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->minimal);
  ASSERT_EQ(found->all.size(), 3U);
  ASSERT_EQ(found->needed.size(), 1U);
  EXPECT_EQ(found->all[found->needed[0]].variable, x);
  EXPECT_EQ(found->all[found->needed[0]].value, eleven);
}

TEST(NeededChoices, OfARelationAreInputsWhereTheseDetermineIt) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Term x = store->variable("x", store->int_sort());
  Term after = store->variable("x.next", store->int_sort());
  builder.add_state(x, after);
  Term i = builder.add_input("i", store->int_sort());
  builder.set_init(x, store->number(mpq_class(0), store->int_sort()));
  builder.add_trans(store->make_eq(after, store->make_add(x, i)));
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  auto number = [&](long n) { return store->number(mpq_class(n), store->int_sort()); };
  Problem problem{*system, {{"p", store->make_eq(x, number(5))}}, {}};
  TermTrace trace{
      {{{number(0)}, {number(2)}}, {{number(2)}, {number(3)}}, {{number(5)}, {number(0)}}}};
  ASSERT_EQ(check::replay(*system, problem.property().bad_term(), trace), std::nullopt);
  Result<NeededChoices> found = needed_choices(problem, trace, {});
  ASSERT_TRUE(found.ok() && found->minimal);
  ASSERT_EQ(found->needed.size(), 2U);
  for (std::size_t needed : found->needed) EXPECT_EQ(found->all[needed].variable, i);
}

}  // namespace
}  // namespace lem::explain
