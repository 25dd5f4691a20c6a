// Our arithmetic solver against Z3, and every 25th time against cvc5 as well, on random incremental
// traces: answers agree, models satisfy what was asked, cores are enough, interpolants are
// interpolants. LEM_ARITH_TRACES=50000 runs the long form, LEM_ARITH_FROM=N starts at another seed.
#include "smt/arith.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "smt/interpolate/interpolator.h"
#include "support/random_aig.h"
#include "term/traverse.h"

namespace lem::smt {
namespace {

std::uint64_t traces(std::uint64_t fallback) {
  const char* text = std::getenv("LEM_ARITH_TRACES");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

/// The first seed: long runs are made in pieces.
std::uint64_t first_seed() {
  const char* text = std::getenv("LEM_ARITH_FROM");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
}

enum class Numbers : std::uint8_t { Integers, Reals, Mixed };

/// Random formulas over few variables, so that conflicts are frequent.
class Formulas {
 public:
  Formulas(TermStore& terms, test::Random& random, std::uint64_t seed)
      : t(terms),
        random_(random),
        numbers_(static_cast<Numbers>(seed % 3)),
        large_(random.percent(20)),
        degenerate_(seed % 4 == 1) {
    for (int i = 0; i < 4; ++i) {
      const bool integer = numbers_ == Numbers::Integers || (numbers_ == Numbers::Mixed && i < 2);
      numeric.push_back(
          t.variable("n" + std::to_string(i), integer ? t.int_sort() : t.real_sort()));
    }
    for (int i = 0; i < 3; ++i)
      booleans.push_back(t.variable("b" + std::to_string(i), t.bool_sort()));
  }

  mpq_class number(bool integral) {
    if (degenerate_) return static_cast<int>(random_.below(3)) - 1;
    mpq_class value = static_cast<int>(random_.below(13)) - 6;
    if (large_ && random_.percent(30)) value *= mpq_class(mpz_class(1) << (30 + random_.below(60)));
    if (!integral && random_.percent(20)) value /= 1 + random_.below(5);
    return value;
  }
  Term numeric_term(Sort sort, int depth) {
    const bool integral = t.kind(sort) == SortKind::Int;
    Term sum = t.number(number(integral), sort);
    const std::uint32_t summands = 1 + random_.below(3);
    for (std::uint32_t i = 0; i < summands; ++i) {
      Term variable = numeric[random_.below(static_cast<std::uint32_t>(numeric.size()))];
      if (integral && t.kind(variable) != SortKind::Int) variable = t.make(Op::ToInt, {variable});
      if (!integral) variable = t.make_to_real(variable);
      if (depth > 0 && random_.percent(10))
        variable = t.make_ite(formula(depth - 1), variable, numeric_term(sort, depth - 1));
      if (integral && random_.percent(5))
        variable = t.make(random_.percent(50) ? Op::IntDiv : Op::IntMod,
                          {variable, t.integer(static_cast<int>(random_.below(5)) + 2)});
      sum = t.make_add(sum, t.make_mul(t.number(number(integral), sort), variable));
    }
    return sum;
  }
  Term atom(int depth) {
    if (random_.percent(15))
      return booleans[random_.below(static_cast<std::uint32_t>(booleans.size()))];
    const bool integral =
        numbers_ == Numbers::Integers || (numbers_ == Numbers::Mixed && random_.percent(40));
    const Sort sort = integral ? t.int_sort() : t.real_sort();
    const Term left = numeric_term(sort, depth);
    // Many bounds through one point make simplex pivot without moving.
    const Term right = t.number(degenerate_ ? mpq_class() : number(integral), sort);
    switch (random_.below(4)) {
      case 0:
        return t.make_eq(left, right);
      case 1:
        return t.make_lt(left, right);
      default:
        return t.make_le(left, right);
    }
  }
  Term formula(int depth) {
    Term result = depth == 0 ? atom(0) : Term();
    if (!result) {
      const Term a = formula(depth - 1), b = formula(depth - 1);
      switch (random_.below(6)) {
        case 0:
          result = t.make_eq(a, b);
          break;
        case 1:
          result = t.make_ite(atom(0), a, b);
          break;
        case 2:
        case 3:
          result = t.make_and(a, b);
          break;
        default:
          result = t.make_or(a, b);
      }
    }
    return random_.percent(30) ? t.make_not(result) : result;
  }

  TermStore& t;
  std::vector<Term> numeric, booleans;

 private:
  test::Random& random_;
  Numbers numbers_;
  bool large_, degenerate_;
};

struct Tally {
  int sat = 0, unsat = 0, unknown = 0, cvc5 = 0;
};

/// One trace: assertions, scopes and queries, each answer judged.
class Trace {
 public:
  Trace(std::uint64_t seed, Stats& stats)
      : random_(seed),
        formulas_(t_, random_, seed),
        judge_(make_z3(t_, Workload::Single, {})),
        tested_(make_arith(t_, Workload::Stream, {}, &stats)),
        with_cvc5_(seed % 25 == 0),
        asserted_(1) {
    judge_->limit_time(300);
    tested_->limit_time(300);
    for (int i = 0; i < 12; ++i)
      pool_.push_back(formulas_.formula(static_cast<int>(random_.below(3))));
  }

  void run(Tally& tally) {
    for (int i = 0; i < 25 && !testing::Test::HasFailure(); ++i) {
      switch (random_.below(6)) {
        case 0:
          if (asserted_.size() > 3) break;
          tested_->push();
          judge_->push();
          asserted_.emplace_back();
          break;
        case 1:
          if (asserted_.size() == 1) break;
          tested_->pop();
          judge_->pop();
          asserted_.pop_back();
          break;
        case 2: {
          if (asserted_.size() == 1 && random_.percent(60)) break;
          const Term formula = any();
          tested_->add(formula);
          judge_->add(formula);
          asserted_.back().push_back(formula);
          break;
        }
        default:
          ask(tally);
      }
    }
  }

 private:
  Term any() {
    if (random_.percent(15)) pool_.push_back(formulas_.formula(1));
    const Term term = pool_[random_.below(static_cast<std::uint32_t>(pool_.size()))];
    return random_.percent(30) ? t_.make_not(term) : term;
  }

  void ask(Tally& tally) {
    std::vector<Term> assumptions;
    for (std::uint32_t i = random_.below(6); i > 0; --i) assumptions.push_back(any());
    const Answer answer = tested_->solve(assumptions);
    const Answer expected = judge_->solve(assumptions);
    const Answer second = with_cvc5_ ? ask_cvc5(assumptions) : Answer::Unknown;
    tally.cvc5 += second == Answer::Unknown ? 0 : 1;
    switch (answer) {
      case Answer::Unknown:
        ++tally.unknown;
        return;
      case Answer::Unsat:
        ++tally.unsat;
        ASSERT_NE(expected, Answer::Sat);
        ASSERT_NE(second, Answer::Sat) << "cvc5 disagrees";
        ASSERT_NE(judge_->solve(tested_->core()), Answer::Sat) << "the core is not enough";
        return;
      case Answer::Sat:
        ++tally.sat;
        ASSERT_NE(expected, Answer::Unsat);
        ASSERT_NE(second, Answer::Unsat) << "cvc5 disagrees";
        for (const std::vector<Term>& scope : asserted_)
          assumptions.insert(assumptions.end(), scope.begin(), scope.end());
        TermMap model;
        for (Term variable : variables_of(t_, assumptions))
          model[variable] = tested_->value(variable);
        for (Term formula : assumptions)
          ASSERT_TRUE(t_.is_true(evaluate(t_, formula, model))) << "the model is none";
    }
  }

  Answer ask_cvc5(const std::vector<Term>& assumptions) {
    std::unique_ptr<SmtSolver> solver = make_cvc5(t_, Workload::Single, {});
    solver->limit_time(300);
    for (const std::vector<Term>& scope : asserted_)
      for (Term formula : scope) solver->add(formula);
    return solver->solve(assumptions);
  }

  TermStore t_;
  test::Random random_;
  Formulas formulas_;
  std::unique_ptr<SmtSolver> judge_, tested_;
  bool with_cvc5_;
  std::vector<Term> pool_;
  std::vector<std::vector<Term>> asserted_;
};

TEST(ArithSolver, AgreesWithZ3OnRandomTraces) {
  Tally tally;
  Stats stats;
  const std::uint64_t count = traces(100);
  for (std::uint64_t seed = first_seed(); seed < first_seed() + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Trace(seed, stats).run(tally);
  }
  std::uint64_t gave_up = stats.counter("smt.arith.gave_up").value;
  std::printf(
      "traces %lu sat %d unsat %d unknown %d, of cvc5 %d, asked Z3 %lu branches %lu cuts %lu\n",
      count, tally.sat, tally.unsat, tally.unknown, tally.cvc5, gave_up,
      stats.counter("smt.arith.branches").value, stats.counter("smt.arith.cuts").value);
  EXPECT_GT(tally.sat, static_cast<int>(count));
  EXPECT_GT(tally.unsat, static_cast<int>(count));
  EXPECT_LT(gave_up, count / 4);
  EXPECT_GT(stats.counter("smt.arith.branches").value, 0U);
  EXPECT_GT(stats.counter("smt.arith.cuts").value, 0U);
  EXPECT_EQ(stats.counter("smt.arith.unsupported").value, 0U);
}

/// A random path over three variables; its interpolants under each system are checked by Z3.
TEST(ArithInterpolants, OfRandomPathsAreInterpolants) {
  int found = 0, refused = 0;
  const std::uint64_t count = traces(100);
  for (std::uint64_t seed = first_seed(); seed < first_seed() + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TermStore t;
    test::Random random(seed);
    Formulas formulas(t, random, seed);
    std::vector<Term> current, next;
    TermMap prime;
    for (std::size_t i = 0; i < 3; ++i) {
      current.push_back(formulas.numeric[i]);
      current.push_back(formulas.booleans[i]);
    }
    for (Term variable : current) {
      next.push_back(t.variable(t.name(variable) + "'", t.sort(variable)));
      prime[variable] = next.back();
    }
    auto over_state = [&](Term formula) {  // the input is local to steps
      return substitute(t, formula, {{formulas.numeric[3], formulas.numeric[2]}});
    };
    // A relation between the state, the input, and the next state: either side of each atom is
    // renamed at random by combining two formulas.
    auto step = [&]() {
      std::vector<Term> parts;
      for (std::size_t i = 0; i < current.size(); ++i) {
        if (random.percent(20)) continue;
        if (t.kind(current[i]) == SortKind::Bool)
          parts.push_back(t.make_eq(next[i], formulas.formula(1)));
        else
          parts.push_back(t.make_eq(next[i], formulas.numeric_term(t.sort(current[i]), 1)));
      }
      parts.push_back(
          t.make_or(formulas.formula(1), substitute(t, over_state(formulas.formula(1)), prime)));
      return t.make_and(parts);
    };
    auto states = [&]() {
      return over_state(t.make_and(
          std::vector<Term>{formulas.formula(1), formulas.formula(1), formulas.formula(2)}));
    };
    Path path{current, next, states(), {}, states()};
    for (std::uint32_t i = random.below(4); i > 0; --i) path.steps.push_back(step());
    for (arith::System system :
         {arith::System::McMillan, arith::System::Pudlak, arith::System::Dual}) {
      std::optional<Sequence> sequence =
          make_proof_interpolator(t, {}, 5000, system)->interpolate(path);
      if (sequence) {
        ++found;
        ASSERT_TRUE(is_interpolant_sequence(t, path, *sequence, {}));
        continue;
      }
      ++refused;
    }
  }
  std::printf("interpolated %d, without interpolants %d\n", found, refused);
  EXPECT_GT(found, static_cast<int>(count / 4));
}

}  // namespace
}  // namespace lem::smt
