// Words told in integers: formulas have the same value under all assignments, formulas over
// integers mean the same when they are told in words again, and evidence about the encoded system
// comes back.
#include <gtest/gtest.h>

#include <random>

#include "check/certify.h"
#include "engine/engine.h"
#include "support/bounded_options.h"
#include "support/explicit_terms.h"
#include "support/random_system.h"
#include "term/smtlib/printer.h"
#include "transform/terms/int_decoding.h"
#include "transform/transform.h"

namespace lem::engine {
namespace {

/// Random formulas over three words of different widths, with the operators that have an exact
/// encoding.
class Formulas {
 public:
  explicit Formulas(std::uint32_t seed) : random_(seed) {
    words_ = {t.variable("x", t.bv_sort(3)), t.variable("y", t.bv_sort(3)),
              t.variable("z", t.bv_sort(2))};
  }
  Term formula() {
    Term a = word(3, 3), b = word(3, 3);
    switch (below(5)) {
      case 0:
        return t.make_eq(a, b);
      case 1:
        return t.make(Op::BvUlt, {a, b});
      case 2:
        return t.make_and(t.make(Op::BvSlt, {a, b}), t.make_not(t.make_eq(b, word(3, 2))));
      case 3:
        return t.make_eq(t.make_extract(a, 1, 1), t.bv(1, 1));
      default:
        return t.make(Op::BvSlt, {a, b});
    }
  }
  template <class Visit>
  void for_all_assignments(const Visit& visit) {
    for (int x = 0; x < 8; ++x)
      for (int y = 0; y < 8; ++y)
        for (int z = 0; z < 4; ++z)
          visit(TermMap{{words_[0], t.bv(x, 3)}, {words_[1], t.bv(y, 3)}, {words_[2], t.bv(z, 2)}});
  }
  const std::vector<Term>& words() const { return words_; }

  TermStore t;

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  Term constant(std::uint32_t width) { return t.bv(below(1U << width), width); }
  Term word(std::uint32_t width, int depth) {
    if (depth == 0 || below(5) == 0) {
      if (below(3) == 0) return constant(width);
      return width == 3 ? words_[below(2)]
                        : t.make_extract(words_[below(2)], width - 1 + below(4 - width), 0);
    }
    auto sub = [&] { return word(width, depth - 1); };
    switch (below(13)) {
      case 0:
        return t.make(Op::BvNeg, {sub()});
      case 1:
        return t.make(Op::BvNot, {sub()});
      case 2:
        return t.make(Op::BvMul, {constant(width), sub()});
      case 3:
        return t.make_ite(formula_at(depth - 1), sub(), sub());
      case 4:
        return width == 3
                   ? t.make(below(2) == 0 ? Op::BvZeroExtend : Op::BvSignExtend, {words_[2]}, 1)
                   : sub();
      case 5:
        return width == 3 ? t.make_concat(t.make_extract(words_[0], 2, 2), words_[2]) : sub();
      case 6:
        return t.make(Op::BvAnd, {sub(), t.bv((1 << below(width + 1)) - 1, width)});
      case 7: {
        static constexpr Op kShifts[] = {Op::BvShl, Op::BvLshr, Op::BvAshr};
        return t.make(kShifts[below(3)], {sub(), constant(width)});
      }
      case 8: {
        static constexpr Op kDivisions[] = {Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem};
        return t.make(kDivisions[below(4)], {sub(), constant(width)});
      }
      default:
        return t.make(Op::BvAdd, {sub(), sub()});
    }
  }
  Term formula_at(int depth) {
    return t.make(below(2) == 0 ? Op::BvUlt : Op::BvSlt, {word(3, depth), word(3, depth)});
  }

  std::mt19937 random_;
  std::vector<Term> words_;
};

TEST(IntegersFuzz, FormulasHaveTheSameValue) {
  std::size_t exact = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Formulas random(seed);
    TermStore& t = random.t;
    Term formula = random.formula();
    transform::WordClasses classes(t);
    classes.add(formula);
    transform::IntEncoding encoding(t, classes);
    Term encoded = encoding.term(formula);
    SCOPED_TRACE(smtlib::term_text(t, formula));
    if (!encoding.opaque().empty()) continue;
    ++exact;
    transform::IntDecoding decoding(t);
    for (Term bv : random.words())
      if (encoding.variable(bv) != bv) decoding.add(encoding.variable(bv), bv, classes.word(bv));
    std::optional<Term> decoded = decoding.formula(encoded);
    ASSERT_TRUE(decoded);
    random.for_all_assignments([&](const TermMap& values) {
      TermMap integers = values;
      for (const auto& [bv, value] : values)
        if (encoding.variable(bv) != bv)
          integers[encoding.variable(bv)] = t.integer(
              classes.word(bv).is_signed ? t.signed_value(value) : t.integer_value(value));
      Term truth = evaluate(t, formula, values);
      ASSERT_EQ(truth, evaluate(t, encoded, integers)) << "encoded";
      ASSERT_EQ(truth, evaluate(t, *decoded, values)) << "decoded";
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(exact, 1000U);
}

TEST(IntegersFuzz, EvidenceComesBack) {
  std::size_t proofs = 0, runs = 0, words = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomSystemParams params;
    params.states = 2;
    params.max_width = 3;
    params.relations = seed % 3 == 0;
    Problem problem = test::random_system(seed, params);
    bool safe = !test::explore_terms(problem).trace.has_value();
    Options options = test::bounded_options("transform.integers=on", 40);
    Stats stats;
    Log log;
    Progress progress;
    Context ctx{options, stats, log, progress, {}};
    transform::Pipeline pipeline(problem, ctx, Rung::Terms);
    words += stats.counter("transform.integers.words").value;
    Verdict verdict = pipeline.back(check_one(*find_engine("ic3ia"), pipeline.problem(), ctx));
    if (std::holds_alternative<Unknown>(verdict)) {
      EXPECT_GT(stats.counter("transform.integers.opaque").value, 0U);
      continue;
    }
    ASSERT_EQ(std::holds_alternative<Safe>(verdict), safe);
    Result<check::Certified> certified = check::certify(problem, verdict, {});
    ASSERT_TRUE(certified.ok()) << certified.error().message;
    (safe ? proofs : runs) += 1;
  }
  EXPECT_GT(proofs, 8U);
  EXPECT_GT(runs, 8U);
  EXPECT_GT(words, 30U);
}

}  // namespace
}  // namespace lem::engine
