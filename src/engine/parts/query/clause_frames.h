// Frames whose lemmas are clauses of numbered atoms over X, as formulas. Who has them has the
// solvers, and tells those what is added here.
#pragma once

#include <cassert>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/induction.h"
#include "engine/parts/query/atoms.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

class ClauseFrames {
 public:
  /// Borrows all. `prefix`: of statistics, "ic3smt."  There is F_1.
  ClauseFrames(TermSystem& system, const Atoms& atoms, const Context& ctx, std::string_view prefix);

  const Frames& lists() const { return frames_; }
  Level top() const { return frames_.top(); }
  void extend();
  /// Part of all frames but F_0 from now on.   require: an inductive invariant
  void assume(const std::vector<Term>& invariants);
  const std::vector<Term>& invariants() const { return invariants_; }
  /// require: is_lemma(level, cube).  ensure: false if it was known
  bool add(Level level, const Cube& cube);
  /// F_level.
  Term frame(Level level) const;
  Term clause(const Cube& cube) const;
  /// Whether the clause !cube holds in all initial states and is inductive relative to F_level-1;
  /// also if no solver knows in a second. Asks solvers of its own: for checked builds and tests.
  bool is_lemma(Level level, const Cube& cube) const;

  /// Pushes lemmas, by inductive() and add_lemma() of the oracle that has these frames.
  ///   ensure: a level i with F_i = F_i+1, if there is one
  template <class Oracle>
  std::optional<Level> propagate(Oracle& oracle) {
    TimerScope timer(propagate_);
    for (Level level{1}; level < top() && !oracle.stopped(); ++level) {
      std::vector<Lemma> lemmas = frames_.at(level);  // a copy: pushing changes the list
      for (const Lemma& lemma : lemmas) {
        if (frames_.subsuming(level, lemma.cube) == nullptr) continue;  // gone meanwhile
        Induction answer = oracle.inductive(next(level), lemma.cube.lits());
        if (answer.stopped()) return {};
        if (!answer.holds()) continue;
        Cube pushed({answer.core.begin(), answer.core.end()});
        assert(pushed.subsumes(lemma.cube) && "a core is a part of the cube");
        oracle.add_lemma(next(level), pushed);
      }
      if (!oracle.stopped() && frames_.at(level).empty()) return level;
    }
    return {};
  }

 private:
  const Context& ctx_;
  TermSystem& system_;
  TermStore& terms_;
  const Atoms& atoms_;
  std::vector<Term> invariants_;  // known beforehand
  Frames frames_;
  Counter &lemmas_, &depth_;
  Timer& propagate_;
};

}  // namespace lem::engine
