// Interpolation by backward projection: the frames of a little PDR whose levels are the cuts of the
// path. A cube that meets what is known at its cut is projected one step back until it is refuted;
// the unsat core of the refutation becomes a clause of the cut's interpolant.
#include <algorithm>

#include "smt/interpolate/interpolator.h"
#include "smt/smt_solver.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

class BackwardPath {
 public:
  BackwardPath(TermStore& terms, const Path& path, const std::stop_token& stop)
      : terms_(terms),
        path_(path),
        prime_(terms),
        stop_(stop),
        solver_(make_z3(terms, Workload::Stream, stop)),
        known_(path.steps.size() + 1) {
    for (std::size_t i = 0; i < path.current.size(); ++i) prime_.add(path.current[i], path.next[i]);
    // arrive_[i] switches on what leads to cut i: first, or what is known at i - 1 and the step;
    // the last one what is known at the last cut and `last`.
    for (std::size_t i = 0; i <= path.steps.size() + 1; ++i) {
      arrive_.push_back(terms.fresh("cut", terms.bool_sort()));
      Term formula = i == 0 ? path.first : i <= path.steps.size() ? path.steps[i - 1] : path.last;
      solver_->add(terms.make_implies(arrive_[i], formula));
    }
  }

  std::optional<Sequence> solve() {
    std::size_t k = path_.steps.size();
    while (!stop_.stop_requested()) {
      Answer answer = solver_->solve({&arrive_.back(), 1});
      if (answer == Answer::Unknown) return {};
      if (answer == Answer::Unsat) {
        Sequence sequence;
        for (const std::vector<Term>& clauses : known_)
          sequence.push_back(terms_.make_and(clauses));
        return sequence;
      }
      std::optional<std::vector<Term>> cube = before(path_.last);
      if (!cube || !block(k, *cube)) return {};
    }
    return {};
  }

 private:
  /// A cube over X that leads on, in the last model.
  std::optional<std::vector<Term>> before(Term formula) {
    std::vector<Term> others;
    for (Term variable : variables_of(terms_, formula))
      if (std::find(path_.current.begin(), path_.current.end(), variable) == path_.current.end())
        others.push_back(variable);
    return solver_->projector()->project(formula, others);
  }

  /// Adds clauses at the cuts up to `cut` until they exclude the cube; fails if it is reachable.
  bool block(std::size_t cut, const std::vector<Term>& cube) {
    std::vector<Term> assumptions;
    for (Term literal : cube) assumptions.push_back(cut == 0 ? literal : prime_.apply(literal));
    assumptions.push_back(arrive_[cut]);
    while (!stop_.stop_requested()) {
      Answer answer = solver_->solve(assumptions);
      if (answer == Answer::Unknown) return false;
      if (answer == Answer::Unsat) {
        learn(cut, cube, assumptions);
        return true;
      }
      if (cut == 0) return false;
      assumptions.pop_back();
      Term into = terms_.make_and(path_.steps[cut - 1], terms_.make_and(assumptions));
      assumptions.push_back(arrive_[cut]);
      std::optional<std::vector<Term>> earlier = before(into);
      if (!earlier || !block(cut - 1, *earlier)) return false;
    }
    return false;
  }

  void learn(std::size_t cut, const std::vector<Term>& cube, const std::vector<Term>& assumptions) {
    const std::vector<Term>& core = solver_->core();
    std::vector<Term> clause;
    for (std::size_t i = 0; i < cube.size(); ++i)
      if (std::find(core.begin(), core.end(), assumptions[i]) != core.end())
        clause.push_back(terms_.make_not(cube[i]));
    Term lemma = terms_.make_or(clause);
    known_[cut].push_back(lemma);
    solver_->add(terms_.make_implies(arrive_[cut + 1], lemma));
  }

  TermStore& terms_;
  const Path& path_;
  Substitution prime_;
  std::stop_token stop_;
  std::unique_ptr<SmtSolver> solver_;
  std::vector<Term> arrive_;
  std::vector<std::vector<Term>> known_;
};

class BackwardInterpolator final : public Interpolator {
 public:
  BackwardInterpolator(TermStore& terms, std::stop_token stop)
      : terms_(terms), stop_(std::move(stop)) {}
  std::string_view name() const override { return "backward"; }
  std::optional<Sequence> interpolate(const Path& path) override {
    return BackwardPath(terms_, path, stop_).solve();
  }

 private:
  TermStore& terms_;
  std::stop_token stop_;
};

}  // namespace

std::unique_ptr<Interpolator> make_backward_interpolator(TermStore& terms, std::stop_token stop) {
  return std::make_unique<BackwardInterpolator>(terms, std::move(stop));
}

bool is_interpolant_sequence(TermStore& terms, const Path& path, const Sequence& sequence,
                             std::stop_token stop) {
  if (sequence.size() != path.steps.size() + 1) return false;
  Substitution prime(terms);
  for (std::size_t i = 0; i < path.current.size(); ++i) prime.add(path.current[i], path.next[i]);
  for (Term cut : sequence)
    for (Term variable : variables_of(terms, cut))
      if (std::find(path.current.begin(), path.current.end(), variable) == path.current.end())
        return false;
  std::unique_ptr<SmtSolver> solver = make_z3(terms, Workload::Stream, std::move(stop));
  auto is_unsat = [&](std::initializer_list<Term> formulas) {
    Scope scope(*solver);
    for (Term formula : formulas) solver->add(formula);
    return solver->solve() == Answer::Unsat;
  };
  if (!is_unsat({path.first, terms.make_not(sequence.front())})) return false;
  for (std::size_t i = 0; i < path.steps.size(); ++i)
    if (!is_unsat({sequence[i], path.steps[i], terms.make_not(prime.apply(sequence[i + 1]))}))
      return false;
  return is_unsat({sequence.back(), path.last});
}

}  // namespace lem::smt
