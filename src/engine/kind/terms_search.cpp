// k-induction on transition systems [Sheeran00, Een03].
// Tests: tests/unit/engine/term_engines_test.cpp.
#include "engine/kind/terms_search.h"

#include "engine/kind/options.h"
#include "engine/kind/stats.h"
#include "engine/parts/common/outcome.h"
#include "engine/parts/terms/system.h"
#include "smt/solvers.h"

namespace lem::engine {

namespace {

class KindTermsSearch {
 public:
  KindTermsSearch(const Problem& problem, const Context& ctx)
      : ctx_(ctx),
        config_(ctx.options),
        stats_(ctx.stats),
        system_(problem),
        terms_(system_.terms()),
        base_path_(system_, "base:"),
        step_path_(system_, "step:"),
        base_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)),
        step_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)) {}

  Verdict run() {
    base_->add(base_path_.at(system_.init(), 0));
    for (std::size_t k = 0; !ctx_.stopped(); ++k) {
      if (config_.beyond(k)) return Unknown{Reason::BoundReached};
      stats_.k.value = k;
      if (ctx_.progress.due()) ctx_.progress.publish("kind: k = " + std::to_string(k));
      // The step case for k good steps, then the base case for the one after them.
      switch (k == 0 ? smt::Answer::Sat : good_steps_lead_to_good(k)) {
        case smt::Answer::Unsat:
          return Safe{TermInvariant{terms_.boolean(true), static_cast<std::uint32_t>(k),
                                    demanded_ ? SimplePath::Yes : SimplePath::No}};
        case smt::Answer::Sat:
          break;
        case smt::Answer::Unknown:
          return unknown(ctx_);
      }
      Term bad = base_path_.at(system_.bad(), k);
      switch (reaches(bad)) {
        case smt::Answer::Sat:
          return Unsafe{system_.trace(k + 1, [&](Term variable, std::size_t step) {
            return base_->value(base_path_.at(variable, step));
          })};
        case smt::Answer::Unsat:
          break;
        case smt::Answer::Unknown:
          return unknown(ctx_);
      }
      base_->add(terms_.make_not(bad));
      base_->add(base_path_.between(system_.trans(), k));
      step_->add(terms_.make_not(step_path_.at(system_.bad(), k)));
      step_->add(step_path_.between(system_.trans(), k));
    }
    return unknown(ctx_);
  }

 private:
  smt::Answer reaches(Term bad) {
    TimerScope time(stats_.base);
    ++stats_.queries;
    return base_->solve({&bad, 1});
  }

  /// !bad at 0..k-1, bad at k, with differences demanded where a model repeats a state.
  smt::Answer good_steps_lead_to_good(std::size_t k) {
    TimerScope time(stats_.step);
    Term bad = step_path_.at(system_.bad(), k);
    while (true) {
      ++stats_.queries;
      smt::Answer answer = step_->solve({&bad, 1});
      if (answer != smt::Answer::Sat || !config_.simple_path || !demand_difference(k))
        return answer;
    }
  }

  bool demand_difference(std::size_t k) {
    std::vector<std::vector<Term>> rows;
    for (std::size_t i = 0; i <= k; ++i) {
      std::vector<Term>& row = rows.emplace_back();
      for (Term variable : system_.current())
        row.push_back(step_->value(step_path_.at(variable, i)));
      for (std::size_t j = 0; j < i; ++j) {
        if (rows[j] != row) continue;
        std::vector<Term> some;
        for (Term variable : system_.current()) {
          Term same = terms_.make_eq(step_path_.at(variable, i), step_path_.at(variable, j));
          some.push_back(terms_.make_not(same));
        }
        step_->add(terms_.make_or(some));
        ++stats_.differences;
        demanded_ = true;
        return true;
      }
    }
    return false;
  }

  const Context& ctx_;
  KindConfig config_;
  KindStats stats_;
  TermSystem system_;
  TermStore& terms_;
  TermUnroller base_path_, step_path_;
  std::unique_ptr<smt::SmtSolver> base_, step_;
  bool demanded_ = false;  // some difference was
};

}  // namespace

Verdict kind_on_terms(const Problem& problem, const Context& ctx) {
  return KindTermsSearch(problem, ctx).run();
}

}  // namespace lem::engine
