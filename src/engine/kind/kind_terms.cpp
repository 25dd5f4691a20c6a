// k-induction on transition systems [Sheeran00]. Simple-path constraints are demanded when a model
// repeats a state [Een03]; over infinite domains they do not make the method complete.
// Tests: tests/unit/engine/term_engines_test.cpp.
#include "engine/kind/kind_terms.h"

#include "engine/parts/terms/system.h"
#include "smt/smt_solver.h"

namespace lem {

namespace {

class KindOnTerms {
 public:
  KindOnTerms(const Problem& problem, const Context& ctx)
      : ctx_(ctx),
        system_(problem),
        terms_(system_.terms()),
        base_path_(system_, "base:"),
        step_path_(system_, "step:"),
        base_(smt::make_z3(terms_, smt::Workload::Stream, ctx.stop)),
        step_(smt::make_z3(terms_, smt::Workload::Stream, ctx.stop)),
        simple_(ctx.options.on("kind.simple-path")),
        depth_(ctx.stats.counter("kind.k")) {}

  Verdict check() {
    auto max_k = static_cast<std::size_t>(ctx_.options.get("kind.max-k"));
    base_->add(base_path_.at(system_.init(), 0));
    for (std::size_t k = 0; !ctx_.stopped(); ++k) {
      if (max_k != 0 && k > max_k) return Unknown{Reason::BoundReached};
      depth_.value = k;
      if (ctx_.progress.due()) ctx_.progress.publish("kind: k = " + std::to_string(k));
      // The step case for k good steps, then the base case for the one after them.
      switch (k == 0 ? smt::Answer::Sat : good_steps_lead_to_good(k)) {
        case smt::Answer::Unsat:
          return Safe{TermInvariant{terms_.boolean(true), static_cast<std::uint32_t>(k),
                                    demanded_ ? SimplePath::Yes : SimplePath::No}};
        case smt::Answer::Sat:
          break;
        case smt::Answer::Unknown:
          return give_up();
      }
      Term bad = base_path_.at(system_.bad(), k);
      switch (base_->solve({&bad, 1})) {
        case smt::Answer::Sat:
          return Unsafe{system_.trace(k + 1, [&](Term variable, std::size_t step) {
            return base_->value(base_path_.at(variable, step));
          })};
        case smt::Answer::Unsat:
          break;
        case smt::Answer::Unknown:
          return give_up();
      }
      base_->add(terms_.make_not(bad));
      base_->add(base_path_.between(system_.trans(), k));
      step_->add(terms_.make_not(step_path_.at(system_.bad(), k)));
      step_->add(step_path_.between(system_.trans(), k));
    }
    return give_up();
  }

 private:
  Verdict give_up() const { return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp}; }

  /// !bad at 0..k-1, bad at k, with differences demanded where a model repeats a state.
  smt::Answer good_steps_lead_to_good(std::size_t k) {
    Term bad = step_path_.at(system_.bad(), k);
    while (true) {
      smt::Answer answer = step_->solve({&bad, 1});
      if (answer != smt::Answer::Sat || !simple_ || !demand_difference(k)) return answer;
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
        demanded_ = true;
        return true;
      }
    }
    return false;
  }

  const Context& ctx_;
  TermSystem system_;
  TermStore& terms_;
  TermUnroller base_path_, step_path_;
  std::unique_ptr<smt::SmtSolver> base_, step_;
  bool simple_;
  bool demanded_ = false;
  Counter& depth_;
};

}  // namespace

Verdict kind_on_terms(const Problem& problem, const Context& ctx) {
  return KindOnTerms(problem, ctx).check();
}

}  // namespace lem
