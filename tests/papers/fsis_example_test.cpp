// The examples of [Santi23 2] and the slip of [Lange18 Alg. 4].
//
// The figures are lost in the text; what it says about them is kept and the rest is filled in:
//   Figure 2: P = A | B; B & !C has a successor outside d = B | C; from C all successors satisfy C.
//   Figure 3: P = A | C; S1 = ABC -> S2 = AB!C -> S3 = A!BC -> S1, initial S1; the red state !AB!C
//   is entered from A!B!C only. States the text does not mention stay where they are.
// For Figure 3 the text says that MIC "should return C". But S1 -> S2 leaves C, so C is not
// inductive; the minimal inductive subclause of !A | B | C is B | C, and it is the only one.
#include <gtest/gtest.h>

#include <functional>

#include "check/certify.h"
#include "engine/fsis/mic.h"
#include "engine/registry.h"

namespace lem::engine {

namespace {

// A state is three bits: A = 4, B = 2, C = 1.
using State = std::uint32_t;

/// The system with that successor function, initial state and set of bad states.
Problem system_of(const std::function<State(State)>& successor, State initial,
                  const std::function<bool(State)>& is_bad) {
  AigBuilder builder;
  std::vector<AigLit> latches;
  for (std::uint32_t bit : {4U, 2U, 1U})
    latches.push_back(builder.add_latch((initial & bit) != 0 ? Reset::One : Reset::Zero));
  std::vector<AigLit> next(3, kAigFalse);
  AigLit bad = kAigFalse;
  for (State state = 0; state < 8; ++state) {
    AigLit here = kAigTrue;
    for (std::uint32_t i = 0; i < 3; ++i)
      here = builder.and_gate(here, latches[i] ^ ((state & (4U >> i)) == 0));
    for (std::uint32_t i = 0; i < 3; ++i)
      if ((successor(state) & (4U >> i)) != 0) next[i] = builder.or_gate(next[i], here);
    if (is_bad(state)) bad = builder.or_gate(bad, here);
  }
  for (std::uint32_t i = 0; i < 3; ++i) builder.set_next(latches[i], next[i]);
  return {std::move(builder).freeze(), {{"P", bad}}, {}};
}

Problem figure2() {
  // Initial ABC; AB!C and !AB!C step to A!B!C, which leaves B | C.
  auto successor = [](State s) -> State { return s == 0b110 || s == 0b010 ? 0b100 : s; };
  return system_of(successor, 0b111, [](State s) { return (s & 0b110) == 0; });
}

State figure3_successor(State s) {
  switch (s) {
    case 0b111:
      return 0b110;
    case 0b110:
      return 0b101;
    case 0b101:
      return 0b111;
    case 0b100:
      return 0b010;
    default:
      return s;
  }
}
bool figure3_bad(State s) {
  return (s & 0b101) == 0;
}
Problem figure3() {
  return system_of(figure3_successor, 0b111, figure3_bad);
}

struct Lab {
  explicit Lab(Problem model, Implicate implicate = Implicate::Linear,
               MicEffort effort = MicEffort::Implicate)
      : problem(std::move(model)),
        cnf(problem),
        solver(cnf.make_solver()),
        mic(cnf, *solver, implicate, effort) {}
  /// The cube of `states`: "a!b!c", literals left out are open.
  Cube cube(std::string_view text) const {
    std::vector<Lit> lits;
    bool negative = false;
    for (char c : text) {
      if (c != '!')
        lits.push_back(to_lit(problem.aig().latch(static_cast<std::uint32_t>(c - 'a'))) ^ negative);
      negative = c == '!';
    }
    return Cube(lits);
  }
  Problem problem;
  TransitionCnf cnf;
  std::unique_ptr<sat::Cdcl> solver;
  Mic mic;
};

}  // namespace

TEST(FsisFigure2, DownOfBOrCIsC) {
  Lab lab(figure2());
  EXPECT_EQ(lab.mic.down(lab.cube("!b!c")), lab.cube("!c"));
}

TEST(FsisFigure2, DownOfTheWholeLatticeIsTheLargestInductiveSubclause) {
  // A | B | C is inductive relative to P: no state of P steps to 000.
  Lab lab(figure2());
  EXPECT_EQ(lab.mic.down(lab.cube("!a!b!c")), lab.cube("!a!b!c"));
}

TEST(FsisFigure3, MicOfTheCtiIsBOrC) {
  for (Implicate implicate : {Implicate::Linear, Implicate::Binary})
    for (MicEffort effort : {MicEffort::Implicate, MicEffort::Minimal}) {
      Lab lab(figure3(), implicate, effort);
      EXPECT_EQ(lab.mic.mic(lab.cube("a!b!c")), lab.cube("!b!c"));
    }
}

TEST(FsisFigure3, CIsNotInductive) {
  Lab lab(figure3());
  EXPECT_EQ(lab.mic.down(lab.cube("!c")), std::nullopt);
}

TEST(FsisFigure3, PropertyIsProvedWithTheClauseBOrC) {
  Problem problem = figure3();
  Options options;
  options.declare(kFsisInfo.options);
  Stats stats;
  Log log;
  Progress progress;
  Verdict verdict = check_one(kFsisInfo, problem, {options, stats, log, progress, {}});
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_TRUE(check::certify(problem, verdict, {}).ok());
  const auto& clauses = certificate_as<InductiveInvariant>(verdict).clauses;
  SignalClause b_or_c = {problem.aig().latch(1), problem.aig().latch(2)};
  EXPECT_EQ(std::count(clauses.begin(), clauses.end(), b_or_c), 1);
}

/// DOWN on explicit states, in the printed form of [Lange18 Alg. 4] and in the corrected one. A
/// clause is the set of its negated literals as (care, value) bits; {8, 0} stands for "true".
struct BitCube {
  State care, value;
  bool contains(State s) const { return (s & care) == value; }
  friend bool operator==(BitCube, BitCube) = default;
};
static constexpr BitCube kTrue{8, 0};
enum class Form { Printed, Corrected };

static BitCube explicit_down(BitCube cube, Form form) {
  constexpr State kInitial = 0b111;
  while (true) {
    bool initiation_query_sat = cube.contains(kInitial);  // I & !d
    if (initiation_query_sat == (form == Form::Corrected)) return kTrue;
    bool inductive = true;
    for (State s = 0; s < 8 && inductive; ++s) {
      if (figure3_bad(s) || cube.contains(s) || !cube.contains(figure3_successor(s))) continue;
      cube.care &= ~(s ^ cube.value);  // literals in common with the counterexample
      cube.value &= cube.care;
      inductive = false;
    }
    if (inductive) return cube;
  }
}

TEST(FsisErrata, PrintedInitiationTestOfDownRejectsEveryGoodClause) {
  BitCube cti{0b111, 0b100};
  EXPECT_EQ(explicit_down(cti, Form::Corrected), cti);  // !A | B | C: nothing enters A!B!C
  EXPECT_EQ(explicit_down(cti, Form::Printed), kTrue);
  Lab lab(figure3());
  EXPECT_EQ(lab.mic.down(lab.cube("a!b!c")), lab.cube("a!b!c"));
}

TEST(FsisErrata, PrintedInitiationTestOfDownAcceptsAClauseThatFailsInitially) {
  // d = !A is false initially; the printed test lets it pass on to consecution, where A = 1 is
  // never left by states with A = 0: "inductive".
  BitCube not_a{0b100, 0b100};
  EXPECT_EQ(explicit_down(not_a, Form::Printed), not_a);
  EXPECT_EQ(explicit_down(not_a, Form::Corrected), kTrue);
  Lab lab(figure3());
  EXPECT_EQ(lab.mic.down(lab.cube("a")), std::nullopt);
}

/// [Lange18 Alg. 5] on an explicit implication: rho => d iff d contains x and y (bits 0 and 2).
static std::vector<int> explicit_implicate(std::vector<int> d, Form form) {
  auto implied = [](const std::vector<int>& clause) {
    return std::count(clause.begin(), clause.end(), 0) > 0 &&
           std::count(clause.begin(), clause.end(), 2) > 0;
  };
  std::vector<int> kept;
  while (!d.empty()) {
    int head = d.front();
    d.erase(d.begin());
    std::vector<int> tested = d;
    if (form == Form::Corrected) tested.insert(tested.end(), kept.begin(), kept.end());
    if (!implied(tested)) kept.push_back(head);
  }
  return kept;
}

TEST(FsisErrata, PrintedImplicateForgetsWhatItKept) {
  EXPECT_EQ(explicit_implicate({0, 1, 2}, Form::Corrected), (std::vector<int>{0, 2}));
  EXPECT_EQ(explicit_implicate({0, 1, 2}, Form::Printed),
            (std::vector<int>{0, 1, 2}));  // not prime
}

}  // namespace lem::engine
