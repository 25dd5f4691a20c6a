// cvc5 behind SmtSolver.
//
// cvc5 1.0.3 cannot be interrupted from outside: solve() runs in slices of its deterministic
// resource units, each twice as long as the last (what a slice learnt is mostly lost: slices of one
// length never ended a query of 3 s), and looks at the stop token between them. So stopping takes
// at most about as long as the query took until then.
//
// What cvc5 raises (write chains between constant arrays, constant arrays of a variable, a theory
// outside its logic) becomes Unknown. Its objects may be inconsistent afterwards, so the solver is
// rebuilt from the formulas kept here. Tests: tests/unit/smt/.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <string>

#include "smt/cvc5_terms.h"
#include "smt/projection.h"
#include "smt/smt_solver.h"
#include "smt/theories.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

using Clock = std::chrono::steady_clock;

/// The least logic is the fastest: 5 times as fast as QF_ALL on pigeons over Int.
std::string logic_of(const Theories& theories) {
  bool numbers = theories.integers || theories.reals;
  std::string logic = "QF_";
  if (theories.arrays) logic += 'A';
  if (theories.bit_vectors || theories.floats) logic += "BV";
  if (theories.floats) logic += "FP";
  if (numbers) logic += theories.nonlinear ? 'N' : 'L';
  if (theories.integers) logic += 'I';
  if (theories.reals) logic += 'R';
  if (numbers) logic += 'A';
  if (logic == "QF_A") return "QF_AX";
  return logic == "QF_" ? "QF_UF" : logic;
}

/// A cvc5 instance with what was translated into it.
struct Instance {
  Instance(TermStore& terms, const std::string& logic, Workload workload)
      : translate(solver, terms) {
    solver.setOption("incremental", "true");
    solver.setOption("produce-models", "true");
    solver.setOption("produce-unsat-assumptions", "true");
    if (workload == Workload::Sums) solver.setOption("solve-bv-as-int", "sum");
    solver.setLogic(logic);
  }
  cvc5::Solver solver;
  Cvc5Terms translate;
};

class Cvc5Solver final : public SmtSolver, public Projector {
 public:
  Cvc5Solver(TermStore& terms, Workload workload, std::stop_token stop)
      : terms_(terms), workload_(workload), stop_(std::move(stop)) {}

  void add(Term formula) override {
    assert(terms_.kind(formula) == SortKind::Bool && "formulas are asserted");
    keep_model();
    asserted_.push_back(formula);
  }
  void push() override {
    keep_model();
    scopes_.push_back(asserted_.size());
  }
  void pop() override {
    assert(!scopes_.empty() && "every pop has its push");
    keep_model();
    asserted_.resize(scopes_.back());
    scopes_.pop_back();
    while (instance_ && given_scopes_ > scopes_.size()) leave_scope();
  }
  Answer solve(std::span<const Term> assumptions) override;
  using SmtSolver::solve;
  Term value(Term term) override;
  const std::vector<Term>& core() const override { return core_; }
  void limit_time(std::uint32_t milliseconds) override { time_ = milliseconds; }
  void limit_work(std::uint32_t units) override { work_ = units; }
  Projector* projector() override { return this; }
  /// By values alone: cvc5 has no projection that implies what it projects.
  std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate) override {
    TermMap model;
    for (Term variable : variables_of(terms_, formula)) model[variable] = value(variable);
    return project_by_values(terms_, formula, eliminate, model);
  }

 private:
  void build();
  void hand_over();
  void leave_scope();
  cvc5::Result run(const std::vector<cvc5::Term>& assumptions);
  Answer ask(std::span<const Term> assumptions);
  void keep_model();

  TermStore& terms_;
  Workload workload_;
  std::stop_token stop_;
  std::uint32_t time_ = 0;
  std::uint32_t work_ = 0;

  // The formulas as they were asserted; cvc5 gets those beyond given_ at the next query.
  std::vector<Term> asserted_;
  std::vector<std::size_t> scopes_;  // sizes of asserted_ at each push
  std::unique_ptr<Instance> instance_;
  bool widest_logic_ = false;
  std::size_t given_ = 0;
  std::size_t given_scopes_ = 0;

  bool model_is_live_ = false;  // the last answer was Sat and cvc5 still has its model
  TermMap model_;               // else its values of all variables
  std::vector<Term> core_;
};

void Cvc5Solver::build() {
  instance_.reset();  // one at a time
  std::string logic = workload_ == Workload::Sums ? "QF_BV" : logic_of(theories_of(terms_));
  if (widest_logic_) logic = "QF_ALL";
  instance_ = std::make_unique<Instance>(terms_, logic, workload_);
  given_ = 0;
  given_scopes_ = 0;
}

void Cvc5Solver::leave_scope() {
  // The formulas of the scope are forgotten, given or not.
  --given_scopes_;
  given_ = std::min(given_, asserted_.size());
  try {
    instance_->solver.pop();
  } catch (const cvc5::CVC5ApiException&) {
    instance_.reset();
  }
}

/// Brings cvc5 to the formulas and scopes of this solver.
void Cvc5Solver::hand_over() {
  for (std::size_t scope = given_scopes_; scope <= scopes_.size(); ++scope) {
    std::size_t end = scope < scopes_.size() ? scopes_[scope] : asserted_.size();
    for (; given_ < end; ++given_)
      instance_->solver.assertFormula(instance_->translate.to_cvc5(asserted_[given_]));
    if (scope == scopes_.size()) break;
    instance_->solver.push();
    ++given_scopes_;
  }
}

/// The slices.
cvc5::Result Cvc5Solver::run(const std::vector<cvc5::Term>& assumptions) {
  constexpr std::uint64_t kFirstSlice = 20'000;  // about a tenth of a second
  cvc5::Solver& solver = instance_->solver;
  Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(time_);
  std::uint64_t spent = 0;
  for (std::uint64_t slice = kFirstSlice;; slice *= 2) {
    if (work_ != 0) slice = std::min(slice, std::uint64_t{work_} - spent);
    solver.setOption("reproducible-resource-limit", std::to_string(slice));
    if (time_ != 0) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      solver.setOption("tlimit-per", std::to_string(std::max<std::int64_t>(1, left)));
    } else {
      solver.setOption("tlimit-per", "0");
    }
    cvc5::Result result =
        assumptions.empty() ? solver.checkSat() : solver.checkSatAssuming(assumptions);
    if (!result.isUnknown() || result.getUnknownExplanation() != cvc5::RESOURCEOUT) return result;
    spent += slice;
    bool late = time_ != 0 && Clock::now() >= deadline;
    if (late || stop_.stop_requested() || (work_ != 0 && spent >= work_)) return result;
  }
}

Answer Cvc5Solver::ask(std::span<const Term> assumptions) {
  if (!instance_) build();
  hand_over();
  std::vector<cvc5::Term> literals;
  for (Term term : assumptions) literals.push_back(instance_->translate.to_cvc5(term));
  cvc5::Result result = run(literals);
  if (result.isSat()) return Answer::Sat;
  if (!result.isUnsat()) return Answer::Unknown;
  if (!literals.empty()) {
    std::vector<cvc5::Term> failed = instance_->solver.getUnsatAssumptions();
    for (std::size_t i = 0; i < literals.size(); ++i)
      if (std::find(failed.begin(), failed.end(), literals[i]) != failed.end())
        core_.push_back(assumptions[i]);
  }
  return Answer::Unsat;
}

Answer Cvc5Solver::solve(std::span<const Term> assumptions) {
  model_is_live_ = false;
  model_.clear();
  core_.clear();
  while (!stop_.stop_requested()) {
    try {
      Answer answer = ask(assumptions);
      model_is_live_ = answer == Answer::Sat;
      return answer;
    } catch (const cvc5::CVC5ApiException&) {
      instance_.reset();
      core_.clear();
      if (widest_logic_) return Answer::Unknown;
      widest_logic_ = true;  // perhaps only the theory was new
    }
  }
  return Answer::Unknown;
}

/// Takes the model out of cvc5, which forgets it on the next change.
void Cvc5Solver::keep_model() {
  if (!model_is_live_) return;
  model_is_live_ = false;
  const std::vector<Term>& variables = instance_->translate.variables();
  for (Term variable : variables) {
    Sort sort = terms_.sort(variable);
    std::optional<Term> value;
    try {
      cvc5::Term given = instance_->solver.getValue(instance_->translate.to_cvc5(variable));
      value = instance_->translate.from_cvc5(given, sort);
    } catch (const cvc5::CVC5ApiException&) {
      value.reset();
    }
    // A value that cvc5 cannot express becomes an arbitrary one: callers check what they build on
    // it.
    model_[variable] = value ? *value : terms_.default_value(sort);
  }
}

Term Cvc5Solver::value(Term term) {
  keep_model();
  return evaluate(terms_, term, model_);
}

}  // namespace

std::unique_ptr<SmtSolver> make_cvc5(TermStore& terms, Workload workload, std::stop_token stop) {
  return std::make_unique<Cvc5Solver>(terms, workload, std::move(stop));
}

}  // namespace lem::smt
