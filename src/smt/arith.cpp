// Linear arithmetic of our own behind SmtSolver. What it does not support, and integer queries it
// gives up on, go to a Z3 solver that is made when it is first needed and then told what is
// asserted; both are counted, never silent.
#include "smt/arith.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "arith/encoder.h"
#include "smt/projection.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

struct ArithStats {
  explicit ArithStats(Stats& all)
      : queries(all.counter("smt.arith.queries")),
        gave_up(all.counter("smt.arith.gave_up")),
        unsupported(all.counter("smt.arith.unsupported")),
        conflicts(all.counter("smt.arith.conflicts")),
        pivots(all.counter("smt.arith.pivots")),
        branches(all.counter("smt.arith.branches")),
        cuts(all.counter("smt.arith.cuts")),
        projected_by_z3(all.counter("smt.arith.projected_by_z3")) {}
  Counter &queries, &gave_up, &unsupported, &conflicts, &pivots, &branches, &cuts, &projected_by_z3;
};

class ArithSolver final : public SmtSolver, public Projector {
 public:
  ArithSolver(TermStore& terms, Workload workload, std::stop_token stop, Stats* stats)
      : terms_(terms),
        workload_(workload),
        stop_(std::move(stop)),
        stats_(stats != nullptr ? *stats : own_stats_),
        support_(terms),
        encoder_(terms, solver_, variables_),
        scopes_(1) {
    solver_.set_stop(stop_);
  }

  void add(Term formula) override {
    if (terms_.is_true(formula)) return;
    scopes_.back().formulas.push_back(formula);
    if (support_(formula))
      encoder_.assert_formula(formula);
    else
      scopes_.back().unsupported = true;
  }
  void push() override {
    scopes_.emplace_back();
    solver_.push();
  }
  void pop() override {
    assert(scopes_.size() > 1 && "no scope is open");
    scopes_.pop_back();
    solver_.pop();
  }
  Answer solve(std::span<const Term> assumptions) override;
  using SmtSolver::solve;
  Term value(Term term) override;
  const std::vector<Term>& core() const override { return core_; }
  void limit_time(std::uint32_t milliseconds) override {
    milliseconds_ = milliseconds;
    solver_.limit_time(milliseconds / 1000.0);
    if (z3_) z3_->limit_time(milliseconds);
  }
  void limit_work(std::uint32_t units) override {
    work_ = units;
    solver_.limit_work(units);
    if (z3_) z3_->limit_work(units);
  }
  Projector* projector() override { return this; }
  std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate) override;

 private:
  struct Scope {
    std::vector<Term> formulas;
    bool unsupported = false;
  };

  void take_core(std::span<const Term> assumptions);
  Answer ask_z3(std::span<const Term> assumptions);
  void count();

  TermStore& terms_;
  Workload workload_;
  std::stop_token stop_;
  Stats own_stats_;
  ArithStats stats_;
  arith::Support support_;
  arith::Dpllt solver_;
  arith::Variables variables_;
  arith::Encoder encoder_;
  std::vector<Scope> scopes_;
  std::vector<arith::Lit> literals_;
  std::vector<Term> core_;
  std::uint32_t milliseconds_ = 0;
  std::uint32_t work_ = 0;
  arith::Dpllt::Counts counted_;
  std::uint64_t pivots_counted_ = 0;

  std::unique_ptr<SmtSolver> z3_;
  std::size_t told_ = 0;   // formulas of the outermost scope that z3_ has
  bool z3_scope_ = false;  // z3_ has a scope open, with the inner scopes of its last query
  bool from_z3_ = false;   // the last answer is z3_'s
  std::unique_ptr<ModelProjector> linear_projector_, z3_projector_;
};

void ArithSolver::count() {
  const arith::Dpllt::Counts& now = solver_.counts();
  ++stats_.queries;
  stats_.conflicts += now.conflicts - counted_.conflicts;
  stats_.branches += now.branches - counted_.branches;
  stats_.cuts += now.cuts - counted_.cuts;
  counted_ = now;
  stats_.pivots +=
      solver_.simplex().pivots() - std::exchange(pivots_counted_, solver_.simplex().pivots());
}

Answer ArithSolver::solve(std::span<const Term> assumptions) {
  core_.clear();
  from_z3_ = false;
  if (stop_.stop_requested()) return Answer::Unknown;
  const bool supported =
      std::none_of(scopes_.begin(), scopes_.end(), [](const Scope& s) { return s.unsupported; }) &&
      std::all_of(assumptions.begin(), assumptions.end(), [&](Term t) { return support_(t); });
  if (!supported) {
    ++stats_.unsupported;
    return ask_z3(assumptions);
  }
  literals_.clear();
  for (Term term : assumptions) literals_.push_back(encoder_.literal(term));
  const arith::Answer answer = solver_.solve(literals_);
  count();
  switch (answer) {
    case arith::Answer::Sat:
      return Answer::Sat;
    case arith::Answer::Unsat:
      take_core(assumptions);
      return Answer::Unsat;
    case arith::Answer::Unknown:
      break;
  }
  if (!solver_.gave_up_on_integers()) return Answer::Unknown;  // stopped, or a limit
  ++stats_.gave_up;
  return ask_z3(assumptions);
}

/// Of assumptions with the same literal the first one.
void ArithSolver::take_core(std::span<const Term> assumptions) {
  std::vector<arith::Lit> taken;
  for (std::size_t i = 0; i < assumptions.size(); ++i) {
    const arith::Lit lit = literals_[i];
    if (!solver_.failed(lit) || std::find(taken.begin(), taken.end(), lit) != taken.end()) continue;
    taken.push_back(lit);
    core_.push_back(assumptions[i]);
  }
}

Answer ArithSolver::ask_z3(std::span<const Term> assumptions) {
  if (!z3_) {
    z3_ = make_z3(terms_, workload_, stop_);
    if (milliseconds_ > 0) z3_->limit_time(milliseconds_);
    if (work_ > 0) z3_->limit_work(work_);
  }
  if (z3_scope_) z3_->pop();
  for (; told_ < scopes_[0].formulas.size(); ++told_) z3_->add(scopes_[0].formulas[told_]);
  z3_->push();
  z3_scope_ = true;
  for (std::size_t i = 1; i < scopes_.size(); ++i)
    for (Term formula : scopes_[i].formulas) z3_->add(formula);
  const Answer answer = z3_->solve(assumptions);
  from_z3_ = true;
  core_ = z3_->core();
  return answer;
}

Term ArithSolver::value(Term term) {
  if (from_z3_) return z3_->value(term);
  if (terms_.is_variable(term)) {
    if (terms_.kind(term) == SortKind::Bool) {
      const std::uint32_t var = variables_.boolean(term);
      return terms_.boolean(var != arith::Variables::kNone && solver_.model_value(var));
    }
    if (terms_.is_numeric(terms_.sort(term))) {
      const std::uint32_t column = variables_.column(term);
      const arith::Number number =
          column == arith::Variables::kNone ? arith::Number() : solver_.model_number(column);
      return terms_.number(number.rational(), terms_.sort(term));
    }
    return terms_.default_value(terms_.sort(term));
  }
  if (terms_.is_value(term)) return term;
  TermMap model;
  for (Term variable : variables_of(terms_, term)) model[variable] = value(variable);
  return evaluate(terms_, term, model);
}

std::optional<std::vector<Term>> ArithSolver::project(Term formula,
                                                      std::span<const Term> eliminate) {
  if (from_z3_) return z3_->projector()->project(formula, eliminate);
  TermMap model;
  for (Term variable : variables_of(terms_, formula)) model[variable] = value(variable);
  for (Term variable : eliminate) model[variable] = value(variable);
  if (!linear_projector_) linear_projector_ = make_linear_projector(terms_);
  if (auto literals = linear_projector_->project(formula, eliminate, model)) return literals;
  ++stats_.projected_by_z3;
  if (!z3_projector_) z3_projector_ = make_z3_projector(terms_);
  return z3_projector_->project(formula, eliminate, model);
}

}  // namespace

std::unique_ptr<SmtSolver> make_arith(TermStore& terms, Workload workload, std::stop_token stop,
                                      Stats* stats) {
  return std::make_unique<ArithSolver>(terms, workload, std::move(stop), stats);
}

}  // namespace lem::smt
