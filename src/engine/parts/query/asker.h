// What queries are made of: labels that switch formulas on, and solvers that get the meaning of a
// label when it is first assumed. Tests: tests/unit/engine/parts/query_test.cpp.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/parts/common/cube.h"
#include "smt/smt_solver.h"

namespace lem::engine {

/// Boolean variables by number, made when they are first asked for.
class Labels {
 public:
  /// Borrows the store.
  Labels(TermStore& terms, std::string name) : terms_(terms), name_(std::move(name)) {}

  /// The label of this number.
  Term of(std::size_t number) {
    if (labels_.size() <= number) labels_.resize(number + 1);
    if (!labels_[number]) labels_[number] = fresh();
    return labels_[number];
  }
  /// The same where all labels before it are to be there as well; `tell` gets, of each new one but
  /// the first, that the label before implies it.
  template <class Tell>
  Term chained(std::size_t number, Tell tell) {
    while (labels_.size() <= number) {
      labels_.push_back(fresh());
      if (labels_.size() > 1)
        tell(terms_.make_implies(labels_[labels_.size() - 2], labels_.back()));
    }
    assert(labels_[number] && "chained labels have no gap");
    return labels_[number];
  }
  Term in_order(std::size_t number) {
    return chained(number, [](Term) {});
  }
  Term operator[](std::size_t number) const {
    assert(number < labels_.size() && labels_[number] && "a label that was made");
    return labels_[number];
  }

 private:
  Term fresh() { return terms_.fresh(name_, terms_.bool_sort()); }

  TermStore& terms_;
  std::string name_;
  std::vector<Term> labels_;
};

/// Numbers that came by before.
class Seen {
 public:
  /// True the first time.
  bool insert(std::size_t number) {
    if (seen_.size() <= number) seen_.resize(number + 1);
    if (seen_[number]) return false;
    return seen_[number] = true;
  }

 private:
  std::vector<bool> seen_;
};

/// A solver that is opened when it is needed and remembers which formulas it got.
struct Asker {
  std::unique_ptr<smt::SmtSolver> solver = {};
  Seen literals = {}, lemmas = {};  // asserted: by a literal's code, by a lemma's number
  std::size_t formulas = 0;         // how many it got since it started

  void add(Term formula) {
    assert(solver && "the asker is open");
    ++formulas;
    solver->add(formula);
  }
};

inline bool is_in_core(const std::vector<Term>& core, Term label) {
  return std::find(core.begin(), core.end(), label) != core.end();
}

/// Those literals of the cube whose label, as `label_of` has it, is in the core of the solver.
///   require: the last answer was Unsat
template <class LabelOf>
std::vector<Lit> needed_of(const smt::SmtSolver& solver, std::span<const Lit> cube,
                           LabelOf label_of) {
  const std::vector<Term>& core = solver.core();
  std::vector<Lit> needed;
  for (Lit lit : cube)
    if (is_in_core(core, label_of(lit))) needed.push_back(lit);
  assert(needed.size() <= cube.size() && "a core is a part of what was assumed");
  return needed;
}

}  // namespace lem::engine
