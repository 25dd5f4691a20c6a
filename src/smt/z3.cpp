// Z3 behind SmtSolver. Which Z3 solver serves which theory, and why scopes rather than activation
// literals for temporary clauses, is measured in docs/benchmarks.md (SMT streams).
//
// Interrupting: a plain solver may be interrupted from another thread; Spacer may not (z3_spacer).
#include <z3++.h>
#include <z3_spacer.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "smt/projection.h"
#include "smt/smt_solver.h"
#include "smt/theories.h"
#include "smt/z3_terms.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

/// Floats become bits and go to a SAT solver, anew for each query: Z3's theory of floats, which
/// would learn from one query for the next, took over 30 s for what takes 0.5 to 8 s like this.
z3::solver make_float_solver(z3::context& ctx) {
  z3::solver solver = z3::tactic(ctx, "qffp").mk_solver();
  z3::params params(ctx);
  params.set("unsat_core", true);  // else cores are empty
  solver.set(params);
  return solver;
}

z3::solver make_solver(z3::context& ctx, const Theories& theories, Workload workload) {
  if (theories.floats) return make_float_solver(ctx);
  if (workload == Workload::Single) return z3::solver(ctx);
  bool linear = !theories.nonlinear && !theories.arrays && !theories.bit_vectors;
  bool integers = linear && theories.integers && !theories.reals;
  bool reals = linear && theories.reals && !theories.integers;
  z3::solver solver = integers ? z3::solver(ctx, "QF_LIA") : z3::solver(ctx, z3::solver::simple());
  if (integers || reals) {
    z3::params params(ctx);
    params.set("arith.solver", 2U);  // a quarter fewer seconds on streams than the default
    solver.set(params);
  }
  return solver;
}

bool has_floats(const TermStore& terms, Term formula) {
  bool found = false;
  for_each_subterm(terms, std::span(&formula, 1),
                   [&](Term term) { found = found || terms.kind(term) == SortKind::Float; });
  return found;
}

class Z3Solver final : public SmtSolver, public Projector {
 public:
  Z3Solver(TermStore& terms, Workload workload, std::stop_token stop)
      : terms_(terms),
        theories_(theories_of(terms)),
        translate_(ctx_, terms),
        solver_(make_solver(ctx_, theories_, workload)),
        stop_(std::move(stop)),
        interrupt_(stop_, Interrupt{*this}) {}

  void add(Term formula) override {
    if (!terms_.is_true(formula)) solver_.add(translate_.to_z3(formula));
  }
  /// An interruption that comes when a query has just ended hits the next push. That is harmless:
  /// after a stop request, queries are refused.
  void push() override {
    try {
      solver_.push();
    } catch (const z3::exception&) {
      if (!stop_.stop_requested()) throw;
      ++lost_scopes_;
    }
  }
  void pop() override {
    if (lost_scopes_ == 0) return solver_.pop();
    --lost_scopes_;
  }
  Answer solve(std::span<const Term> assumptions) override;
  using SmtSolver::solve;
  Term value(Term term) override;
  const std::vector<Term>& core() const override { return core_; }
  void limit_time(std::uint32_t milliseconds) override {
    // Z3 looks through all of its parameters each time: a tenth of the time of small questions.
    if (std::exchange(limit_, milliseconds) == milliseconds) return;
    solver_.set("timeout", milliseconds == 0 ? 4294967295U : milliseconds);
  }
  void limit_work(std::uint32_t units) override { solver_.set("rlimit", units); }
  Projector* projector() override { return this; }
  std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate) override;
  /// The values become the model of the last answer.
  void set_model(const TermMap& values);

 private:
  z3::expr proxy(Term term) {
    z3::expr literal = ctx_.bool_const(("a" + std::to_string(term.id())).c_str());
    solver_.add(z3::implies(literal, translate_.to_z3(term)));
    return literal;
  }

  struct Interrupt {
    Z3Solver& solver;
    void operator()() const {
      if (solver.solving_) solver.ctx_.interrupt();
    }
  };

  bool is_model(const std::vector<z3::expr>& literals);
  std::optional<Term> value_of(const z3::expr& value, Sort sort);
  std::optional<Term> array_value(const z3::expr& array, Sort sort);
  std::vector<Term> numerals_in(const z3::expr& root, Sort sort);
  bool complete_model(const std::vector<Term>& variables);
  std::optional<std::vector<Term>> project_by_z3(Term formula, std::span<const Term> eliminate);

  TermStore& terms_;
  Theories theories_;
  z3::context ctx_;
  Z3Terms translate_;
  z3::solver solver_;
  std::optional<z3::model> model_;
  std::vector<Term> core_;
  std::atomic<bool> solving_ = false;
  std::uint32_t lost_scopes_ = 0;
  std::uint32_t limit_ = 0;  // of time, in milliseconds; 0: none
  std::stop_token stop_;
  std::stop_callback<Interrupt> interrupt_;
};

Answer Z3Solver::solve(std::span<const Term> assumptions) {
  model_.reset();
  core_.clear();
  if (stop_.stop_requested()) return Answer::Unknown;
  Z3_lbool result = Z3_L_UNDEF;
  // Z3 assumes literals alone; other formulas get a proxy that lives in a scope of its own.
  bool scoped = !std::all_of(assumptions.begin(), assumptions.end(),
                             [&](Term term) { return terms_.is_variable(terms_.atom_of(term)); });
  try {
    if (scoped) push();
    std::vector<z3::expr> literals;
    for (Term term : assumptions) literals.push_back(scoped ? proxy(term) : translate_.to_z3(term));
    std::vector<Z3_ast> asts(literals.begin(), literals.end());
    solving_ = true;
    result =
        Z3_solver_check_assumptions(ctx_, solver_, static_cast<unsigned>(asts.size()), asts.data());
    solving_ = false;
    ctx_.check_error();
    if (result == Z3_L_TRUE) model_ = solver_.get_model();
    // Z3 4.8.12 equates constant arrays and stores over finitely many indices where no model does.
    if (model_ && theories_.finite_arrays && !is_model(literals)) {
      model_.reset();
      result = Z3_L_UNDEF;
    }
    if (result == Z3_L_FALSE) {
      z3::expr_vector failed = solver_.unsat_core();
      std::vector<unsigned> ids;
      for (unsigned i = 0; i < failed.size(); ++i) ids.push_back(Z3_get_ast_id(ctx_, failed[i]));
      std::sort(ids.begin(), ids.end());
      for (std::size_t i = 0; i < asts.size(); ++i)
        if (std::binary_search(ids.begin(), ids.end(), Z3_get_ast_id(ctx_, asts[i])))
          core_.push_back(assumptions[i]);
    }
    if (scoped) pop();
  } catch (const z3::exception&) {
    // Interrupted, over its work limit, or undecidable for Z3: all are Unknown.
    solving_ = false;
    if (scoped) pop();
    return Answer::Unknown;
  }
  if (result == Z3_L_TRUE) return Answer::Sat;
  return result == Z3_L_FALSE ? Answer::Unsat : Answer::Unknown;
}

void Z3Solver::set_model(const TermMap& values) {
  model_.emplace(ctx_, Z3_mk_model(ctx_));
  for (const auto& [variable, value] : values) {
    z3::func_decl decl = translate_.to_z3(variable).decl();
    z3::expr number = translate_.to_z3(value);
    model_->add_const_interp(decl, number);
  }
}

bool Z3Solver::is_model(const std::vector<z3::expr>& literals) {
  z3::expr_vector all = solver_.assertions();
  for (const z3::expr& literal : literals) all.push_back(literal);
  return !model_->eval(z3::mk_and(all), true).is_false();
}

Term Z3Solver::value(Term term) {
  assert(model_ && "values are those of the last Sat answer");
  std::optional<Term> value;
  try {
    value = value_of(model_->eval(translate_.to_z3(term), true), terms_.sort(term));
  } catch (const z3::exception&) {
    value.reset();
  }
  // An irrational number or a model Z3 cannot express: an arbitrary value, since callers check what
  // they build on it.
  return value ? *value : terms_.default_value(terms_.sort(term));
}

std::optional<Term> Z3Solver::value_of(const z3::expr& value, Sort sort) {
  std::optional<Term> term = translate_.from_z3(value);
  if (term && terms_.is_value(*term)) return term;
  if (terms_.kind(sort) == SortKind::Array) return array_value(value, sort);
  return {};
}

/// Arrays may come as functions, (lambda (x) (ite (= x c) ...)): read at the constants they mention
/// and at one they do not; small ones, whose functions may be anything, at every index.
std::optional<Term> Z3Solver::array_value(const z3::expr& array, Sort sort) {
  Sort index_sort = terms_.index_sort(sort);
  if (terms_.kind(index_sort) == SortKind::Array) return {};
  std::vector<Term> indices = numerals_in(array, index_sort);
  bool is_bool = terms_.kind(index_sort) == SortKind::Bool;
  bool is_word = terms_.kind(index_sort) == SortKind::BitVec;
  bool small = is_bool || (is_word && terms_.width(index_sort) <= 4);
  std::size_t count = is_bool ? 2 : small ? 1U << terms_.width(index_sort) : indices.size() + 1;
  for (std::size_t i = 0; i < count; ++i) {
    mpz_class number(static_cast<unsigned long>(i));
    Term index = is_bool   ? terms_.boolean(i == 1)
                 : is_word ? terms_.bv(number, terms_.width(index_sort))
                           : terms_.number(number, index_sort);
    if (std::find(indices.begin(), indices.end(), index) != indices.end()) continue;
    indices.push_back(index);
    if (!small) break;
  }
  std::optional<Term> result;
  for (std::size_t i = indices.size(); i-- > 0;) {
    z3::expr at = z3::select(array, translate_.to_z3(indices[i]));
    std::optional<Term> element = value_of(model_->eval(at, true), terms_.element_sort(sort));
    if (!element) return {};
    // The one that is not mentioned, if there is one, is what all others have.
    result = result ? terms_.make_store(*result, indices[i], *element)
                    : terms_.make_const_array(sort, *element);
  }
  return result;
}

/// Constants of a sort inside the expression, under binders too.
std::vector<Term> Z3Solver::numerals_in(const z3::expr& root, Sort sort) {
  std::vector<Term> found;
  std::vector<z3::expr> stack{root};
  std::unordered_set<unsigned> seen;
  while (!stack.empty()) {
    z3::expr top = stack.back();
    stack.pop_back();
    if (!seen.insert(top.id()).second) continue;
    if (top.is_quantifier()) {
      stack.push_back(top.body());
    } else if (top.is_numeral()) {
      std::optional<Term> term = translate_.from_z3(top);
      if (term && terms_.sort(*term) == sort) found.push_back(*term);
    } else if (top.is_app()) {
      for (unsigned i = 0; i < top.num_args(); ++i) stack.push_back(top.arg(i));
    }
  }
  return found;
}

/// Z3's projection evaluates without completion and aborts the process where it does not get a
/// number (spacer_qe_project.cpp): every variable gets a value. False if one has none that can be
/// written down.
bool Z3Solver::complete_model(const std::vector<Term>& variables) {
  bool all_values = true;
  for (Term variable : variables) {
    z3::expr constant = translate_.to_z3(variable);
    z3::func_decl decl = constant.decl();
    z3::expr value = model_->eval(constant, true);
    if (!model_->has_interp(decl)) model_->add_const_interp(decl, value);
    if (terms_.is_numeric(terms_.sort(variable)) && !value.is_numeral()) all_values = false;
  }
  return all_values;
}

std::optional<std::vector<Term>> Z3Solver::project_by_z3(Term formula,
                                                         std::span<const Term> eliminate) {
  // Extrapolating first keeps the result a cube and the projection cheap (SMT streams).
  z3::expr body(ctx_, Z3_model_extrapolate(ctx_, *model_, translate_.to_z3(formula)));
  ctx_.check_error();
  std::vector<Z3_app> bound;
  for (Term variable : eliminate) bound.push_back(Z3_to_app(ctx_, translate_.to_z3(variable)));
  z3::expr projected(ctx_, Z3_qe_model_project(ctx_, *model_, static_cast<unsigned>(bound.size()),
                                               bound.data(), body));
  ctx_.check_error();
  // Disequalities of arrays are projected to false.
  if (!model_->eval(projected, true).is_true()) return {};
  std::optional<Term> result = translate_.from_z3(projected);
  if (!result) return {};
  for (Term variable : variables_of(terms_, *result))
    if (std::find(eliminate.begin(), eliminate.end(), variable) != eliminate.end()) return {};
  return conjuncts(terms_, *result);
}

std::optional<std::vector<Term>> Z3Solver::project(Term formula, std::span<const Term> eliminate) {
  assert(model_ && "projection is along the last Sat answer");
  try {
    std::vector<Term> variables = variables_of(terms_, formula);
    bool all_values = complete_model(variables);
    // Z3 eliminates arrays over numbers alone, and aborts on others. It does not support floats.
    bool arrays = std::any_of(eliminate.begin(), eliminate.end(), [&](Term variable) {
      return terms_.kind(variable) == SortKind::Array;
    });
    if (all_values && !arrays && !has_floats(terms_, formula))
      if (auto cube = project_by_z3(formula, eliminate)) return cube;
    TermMap values;
    for (Term variable : variables) values[variable] = value(variable);
    return project_by_values(terms_, formula, eliminate, values);
  } catch (const z3::exception&) {
    return {};
  }
}

class Z3Projector final : public ModelProjector {
 public:
  explicit Z3Projector(TermStore& terms) : solver_(terms, Workload::Single, {}) {}
  std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate,
                                           const TermMap& model) override {
    solver_.set_model(model);
    return solver_.project(formula, eliminate);
  }

 private:
  Z3Solver solver_;
};

}  // namespace

std::unique_ptr<ModelProjector> make_z3_projector(TermStore& terms) {
  return std::make_unique<Z3Projector>(terms);
}

std::unique_ptr<SmtSolver> make_z3(TermStore& terms, Workload workload, std::stop_token stop) {
  return std::make_unique<Z3Solver>(terms, workload, std::move(stop));
}

}  // namespace lem::smt
