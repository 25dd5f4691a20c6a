// Interpolators on paths of several theories: what they answer is checked, what they cannot answer
// is no answer, and what goes wrong in a child process stays there.
#include "smt/interpolate/interpolator.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "smt/smt_solver.h"
#include "term/traverse.h"

namespace lem::smt {
namespace {

/// A path over two variables of one sort and a Bool, with an input local to each step.
struct Sample {
  Sample(TermStore& terms, Sort sort)
      : t(terms),
        x(terms.variable("x", sort)),
        y(terms.variable("y", sort)),
        b(terms.variable("b", terms.bool_sort())),
        x1(terms.variable("x'", sort)),
        y1(terms.variable("y'", sort)),
        b1(terms.variable("b'", terms.bool_sort())),
        input(terms.variable("i", sort)) {}

  Path path(Term first, Term step, std::size_t steps, Term last) {
    current = {x, y, b};
    next = {x1, y1, b1};
    return {current, next, first, std::vector<Term>(steps, step), last};
  }
  TermStore& t;
  Term x, y, b, x1, y1, b1, input;
  std::vector<Term> current, next;
};

/// x = y = 0; both grow by the same input; then x = y still holds: last is x != y.
Path together(Sample& s, std::size_t steps, bool satisfiable) {
  TermStore& t = s.t;
  Sort sort = t.sort(s.x);
  bool word = t.kind(sort) == SortKind::BitVec;
  auto sum = [&](Term a, Term c) { return word ? t.make(Op::BvAdd, {a, c}) : t.make_add(a, c); };
  Term zero = t.number(0, sort);
  Term first = t.make_and(std::vector<Term>{t.make_eq(s.x, zero), t.make_eq(s.y, zero), s.b});
  Term more = satisfiable ? t.number(1, sort) : zero;
  Term step = t.make_and(std::vector<Term>{t.make_eq(s.x1, sum(s.x, s.input)),
                                           t.make_eq(s.y1, sum(sum(s.y, s.input), more)),
                                           t.make_eq(s.b1, s.b)});
  return s.path(first, step, steps, t.make_and(s.b, t.make_not(t.make_eq(s.x, s.y))));
}

struct Source {
  std::string name;
  std::function<std::unique_ptr<Interpolator>(TermStore&)> make;
};

std::vector<Source> sources() {
  constexpr std::uint32_t kPatience = 20'000;
  auto isolated = [](TermStore& terms, std::unique_ptr<Interpolator> inner) {
    return isolate(std::move(inner), terms, {}, kPatience);
  };
  return {
      {"spacer", [=](TermStore& t) { return isolated(t, make_spacer_interpolator(t)); }},
      {"backward", [=](TermStore& t) { return isolated(t, make_backward_interpolator(t, {})); }},
      {"backward in place", [](TermStore& t) { return make_backward_interpolator(t, {}); }}};
}

void expect_interpolants(TermStore& terms, const Path& path, const Source& source) {
  std::optional<Sequence> sequence = source.make(terms)->interpolate(path);
  ASSERT_TRUE(sequence.has_value()) << source.name;
  EXPECT_TRUE(is_interpolant_sequence(terms, path, *sequence, {})) << source.name;
}

TEST(Interpolators, AnswerPathsOverIntegersAndReals) {
  for (const Source& source : sources())
    for (bool integers : {true, false}) {
      TermStore t;
      Sample s(t, integers ? t.int_sort() : t.real_sort());
      for (std::size_t steps : {0, 1, 3}) expect_interpolants(t, together(s, steps, false), source);
    }
}

TEST(Interpolators, AnswerPathsOverWords) {
  for (const Source& source : sources()) {
    TermStore t;
    Sample s(t, t.bv_sort(3));
    for (std::size_t steps : {0, 1}) expect_interpolants(t, together(s, steps, false), source);
  }
}

/// Integers that count, reals that follow them, words that tell the parity.
TEST(Interpolators, AnswerPathsOverSeveralTheories) {
  for (const Source& source : sources()) {
    TermStore t;
    Term n = t.variable("n", t.int_sort()), n1 = t.variable("n'", t.int_sort());
    Term r = t.variable("r", t.real_sort()), r1 = t.variable("r'", t.real_sort());
    Term p = t.variable("p", t.bv_sort(1)), p1 = t.variable("p'", t.bv_sort(1));
    std::vector<Term> current{n, r, p}, next{n1, r1, p1};
    Term first = t.make_and(std::vector<Term>{t.make_eq(n, t.integer(0)), t.make_eq(r, t.real(0)),
                                              t.make_eq(p, t.bv(0, 1))});
    Term step = t.make_and(std::vector<Term>{t.make_eq(n1, t.make_add(n, t.integer(1))),
                                             t.make_eq(r1, t.make_add(r, t.real(mpq_class(1, 2)))),
                                             t.make_eq(p1, t.make(Op::BvNot, {p}))});
    Path path{current,
              next,
              first,
              {step, step},
              t.make_or(t.make_lt(t.make_to_real(n), r), t.make_eq(p, t.bv(1, 1)))};
    expect_interpolants(t, path, source);
  }
}

TEST(Interpolators, AnswerPathsOverArrays) {
  TermStore t;
  Sort memory = t.array_sort(t.int_sort(), t.int_sort());
  Term a = t.variable("a", memory), a1 = t.variable("a'", memory);
  Term i = t.variable("i", t.int_sort()), i1 = t.variable("i'", t.int_sort());
  std::vector<Term> current{a, i}, next{a1, i1};
  Term first = t.make_eq(t.make_select(a, i), t.integer(1));
  Term step = t.make_and(t.make_eq(a1, t.make_store(a, t.make_add(i, t.integer(1)), t.integer(1))),
                         t.make_eq(i1, t.make_add(i, t.integer(1))));
  Path path{
      current, next, first, {step, step}, t.make_not(t.make_eq(t.make_select(a, i), t.integer(1)))};
  expect_interpolants(t, path, sources()[2]);
}

TEST(Interpolators, HaveNoAnswerForSatisfiablePaths) {
  for (const Source& source : sources())
    for (bool integers : {true, false}) {
      TermStore t;
      Sample s(t, integers ? t.int_sort() : t.bv_sort(4));
      EXPECT_FALSE(source.make(t)->interpolate(together(s, 2, true)).has_value()) << source.name;
    }
}

/// Weakest preconditions of steps that leave nothing open are interpolants.
TEST(Interpolators, WeakestPreconditionsInterpolateFunctionalPaths) {
  for (bool integers : {true, false}) {
    TermStore t;
    Sample s(t, integers ? t.int_sort() : t.bv_sort(8));
    Source source{"wp", make_wp_interpolator};
    Path path = together(s, 4, false);
    for (Term& step : path.steps)
      step = substitute(t, step, {{s.input, t.number(3, t.sort(s.input))}});
    expect_interpolants(t, path, source);
  }
}

/// Over integers nothing wraps: the atoms are right here although the words could wrap.
TEST(Interpolators, TellWordsInIntegers) {
  TermStore t;
  Sample s(t, t.bv_sort(16));
  Source source{"integers", [](TermStore& terms) {
                  return isolate(make_integer_interpolator(terms, make_spacer_interpolator(terms)),
                                 terms, {}, 20'000);
                }};
  expect_interpolants(t, together(s, 3, false), source);
}

TEST(InterpolantCheck, RejectsWhatIsNone) {
  TermStore t;
  Sample s(t, t.int_sort());
  Path path = together(s, 1, false);
  Term equal = t.make_eq(s.x, s.y);
  Term yes = t.boolean(true);
  auto accepts = [&](const Sequence& sequence) {
    return is_interpolant_sequence(t, path, sequence, {});
  };
  EXPECT_TRUE(accepts({equal, equal}));
  EXPECT_FALSE(accepts({equal})) << "too short";
  EXPECT_FALSE(accepts({equal, yes})) << "does not exclude the end";
  EXPECT_FALSE(accepts({yes, equal})) << "is not implied by the step";
  EXPECT_FALSE(accepts({t.make_le(t.integer(1), s.x), equal})) << "is not implied by the start";
  Term stranger = t.make_or(equal, t.make_eq(s.input, t.integer(0)));
  EXPECT_FALSE(accepts({stranger, equal})) << "speaks of an input";
}

// Child processes ---------------------------------------------------------------------------------

class Misbehaving final : public Interpolator {
 public:
  explicit Misbehaving(std::function<std::optional<Sequence>()> act) : act_(std::move(act)) {}
  std::string_view name() const override { return "misbehaving"; }
  std::optional<Sequence> interpolate(const Path&) override { return act_(); }

 private:
  std::function<std::optional<Sequence>()> act_;
};

class IsolatedInterpolators : public testing::Test {
 protected:
  std::optional<Sequence> run(std::function<std::optional<Sequence>()> act,
                              std::uint32_t milliseconds = 10'000) {
    auto isolated =
        isolate(std::make_unique<Misbehaving>(std::move(act)), t, stop_.get_token(), milliseconds);
    return isolated->interpolate(path_);
  }
  void expect_no_child() {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  TermStore t;
  Sample s{t, t.int_sort()};
  Path path_ = together(s, 1, false);
  Term equal_ = t.make_eq(s.x, s.y);
  std::stop_source stop_;
};

TEST_F(IsolatedInterpolators, BringTermsThatAreNewAcross) {
  std::size_t before = t.size();
  auto sequence = run([&]() -> Sequence {
    Term fresh = t.make_le(t.make_add(s.x, t.make_mul(t.integer(77), s.y)), t.integer(12345));
    return {equal_, fresh};
  });
  ASSERT_TRUE(sequence.has_value());
  EXPECT_GT(t.size(), before);
  EXPECT_EQ((*sequence)[0], equal_);
  EXPECT_EQ((*sequence)[1],
            t.make_le(t.make_add(s.x, t.make_mul(t.integer(77), s.y)), t.integer(12345)));
  expect_no_child();
}

TEST_F(IsolatedInterpolators, SurviveCrashes) {
  EXPECT_FALSE(run([]() -> std::optional<Sequence> { _exit(114); }).has_value());
  EXPECT_FALSE(run([]() -> std::optional<Sequence> {
    kill(getpid(), SIGKILL);
    return {};
  }));
  EXPECT_FALSE(run([]() -> std::optional<Sequence> { throw std::runtime_error("no"); }));
  EXPECT_FALSE(run([&]() -> std::optional<Sequence> { return Sequence{equal_}; })) << "too short";
  expect_no_child();
}

TEST_F(IsolatedInterpolators, AreKilledWhenLate) {
  auto start = std::chrono::steady_clock::now();
  auto sleeping = []() -> std::optional<Sequence> {
    std::this_thread::sleep_for(std::chrono::minutes(5));
    return {};
  };
  EXPECT_FALSE(run(sleeping, 100).has_value());
  expect_no_child();
  stop_.request_stop();
  EXPECT_FALSE(run(sleeping).has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  expect_no_child();
}

}  // namespace
}  // namespace lem::smt
