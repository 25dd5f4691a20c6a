// Interpolation by backward projection: the frames of a little PDR whose levels are the cuts of the
// path. A cube that meets what is known at its cut is projected one step back until it is refuted;
// the unsat core of the refutation becomes a clause of the cut's interpolant.
#include <algorithm>
#include <chrono>

#include "smt/interpolator.h"
#include "smt/smt_solver.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

class BackwardPath {
 public:
  BackwardPath(TermStore& terms, const Path& path, const std::stop_token& stop,
               std::chrono::steady_clock::time_point deadline)
      : terms_(terms), path_(path), prime_(terms), deadline_(deadline), stop_(stop) {
    for (std::size_t i = 0; i < path.current.size(); ++i)
      prime_.add(path.current[i], path.next[i]);
    for (std::size_t i = 0; i <= path.steps.size(); ++i) {
      // cuts_[i] holds what leads to cut i: first(X), or what is known at i - 1 and the step.
      cuts_.push_back(make_z3(terms, Workload::Stream, stop));
      cuts_[i]->add(i == 0 ? path.first : path.steps[i - 1]);
      known_.emplace_back();
    }
    goal_ = make_z3(terms, Workload::Stream, stop);
    goal_->add(path.last);
  }

  std::optional<Sequence> solve() {
    std::size_t k = path_.steps.size();
    while (!late()) {
      Answer answer = goal_->solve();
      if (answer == Answer::Unknown) return {};
      if (answer == Answer::Unsat) {
        Sequence sequence;
        for (const std::vector<Term>& clauses : known_) sequence.push_back(terms_.make_and(clauses));
        return sequence;
      }
      std::optional<std::vector<Term>> cube = goal_->projector()->project(path_.last, {});
      if (!cube || !block(k, *cube)) return {};
    }
    return {};
  }

 private:
  bool late() const {
    return stop_.stop_requested() || std::chrono::steady_clock::now() > deadline_;
  }

  /// Adds clauses at the cuts up to `cut` until they exclude the cube; fails if it is reachable.
  bool block(std::size_t cut, const std::vector<Term>& cube) {
    std::vector<Term> assumptions;
    for (Term literal : cube) assumptions.push_back(cut == 0 ? literal : prime_.apply(literal));
    while (!late()) {
      Answer answer = cuts_[cut]->solve(assumptions);
      if (answer == Answer::Unknown) return false;
      if (answer == Answer::Unsat) {
        learn(cut, cube, assumptions, cuts_[cut]->core());
        return true;
      }
      if (cut == 0) return false;
      Term into = terms_.make_and(path_.steps[cut - 1], terms_.make_and(assumptions));
      std::vector<Term> others;
      for (Term variable : variables_of(terms_, into))
        if (std::find(path_.current.begin(), path_.current.end(), variable) == path_.current.end())
          others.push_back(variable);
      std::optional<std::vector<Term>> before = cuts_[cut]->projector()->project(into, others);
      if (!before || !block(cut - 1, *before)) return false;
    }
    return false;
  }

  void learn(std::size_t cut, const std::vector<Term>& cube, const std::vector<Term>& assumptions,
             const std::vector<Term>& core) {
    std::vector<Term> clause;
    for (std::size_t i = 0; i < cube.size(); ++i)
      if (std::find(core.begin(), core.end(), assumptions[i]) != core.end())
        clause.push_back(terms_.make_not(cube[i]));
    Term lemma = terms_.make_or(clause);
    known_[cut].push_back(lemma);
    (cut + 1 < cuts_.size() ? *cuts_[cut + 1] : *goal_).add(lemma);
  }

  TermStore& terms_;
  const Path& path_;
  Substitution prime_;
  std::chrono::steady_clock::time_point deadline_;
  std::stop_token stop_;
  std::vector<std::unique_ptr<SmtSolver>> cuts_;
  std::unique_ptr<SmtSolver> goal_;
  std::vector<std::vector<Term>> known_;
};

class BackwardInterpolator final : public Interpolator {
 public:
  BackwardInterpolator(TermStore& terms, std::stop_token stop, std::uint32_t milliseconds)
      : terms_(terms), stop_(std::move(stop)), patience_(milliseconds) {}
  std::string_view name() const override { return "backward"; }
  std::optional<Sequence> interpolate(const Path& path) override {
    return BackwardPath(terms_, path, stop_, std::chrono::steady_clock::now() + patience_).solve();
  }

 private:
  TermStore& terms_;
  std::stop_token stop_;
  std::chrono::milliseconds patience_;
};

}  // namespace

std::unique_ptr<Interpolator> make_backward_interpolator(TermStore& terms, std::stop_token stop,
                                                         std::uint32_t milliseconds) {
  return std::make_unique<BackwardInterpolator>(terms, std::move(stop), milliseconds);
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
