// Frames whose lemmas are clauses over numbered formulas: what TermFrames (theory literals,
// interned on demand) and the predicate abstraction of ic3ia share. A derived class has the solvers
// and asks the queries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/induction.h"
#include "engine/parts/terms/system.h"
#include "smt/smt_solver.h"

namespace lem::engine {

/// Which literals generalization drops first: those that rarely occur in lemmas.
enum class LiteralOrder : std::uint8_t {
  LatestFirst,  // counted when a cube is blocked; of equal ones the latest atom goes first
  AsGiven,      // counted when a lemma is added, by pushing too; equal ones go in the cube's order
};

class TheoryFrames {
 public:
  virtual ~TheoryFrames() = default;
  TheoryFrames(const TheoryFrames&) = delete;
  TheoryFrames& operator=(const TheoryFrames&) = delete;

  TermStore& terms() const { return terms_; }
  const Frames& frames() const { return frames_; }
  Level top() const { return frames_.top(); }
  void extend();
  /// Part of all frames but F_0 from now on.   require: an inductive invariant
  void assume_invariants(const std::vector<Term>& invariants);
  /// require: is_lemma(level, cube).  ensure: false if it was known
  bool add_lemma(Level level, Cube cube);
  /// Pushes lemmas.   ensure: a level i with F_i = F_i+1, if there is one
  std::optional<Level> propagate();
  /// F_level.
  Term frame(Level level) const;
  /// Whether the clause !cube holds in all initial states and is inductive relative to F_level-1;
  /// also if no solver knows in a second. Asks solvers of its own: for checked builds and tests.
  bool is_lemma(Level level, const Cube& cube) const;
  /// The formula over X that a literal stands for.
  virtual Term formula(Lit lit) const = 0;
  std::vector<Term> formulas(std::span<const Lit> cube) const;

  // The oracle of Generalizer (contracts there) without block_ctg. After a query that a solver did
  // not decide, or a stop request, stopped() holds and inductive() answers Stopped.
  virtual Induction inductive(Level i, std::span<const Lit> cube) = 0;
  virtual std::vector<Lit> counterexample() = 0;
  virtual bool meets_initial(std::span<const Lit> cube) = 0;
  void order(std::vector<Lit>& cube) const;
  /// The cube is about to be blocked: order() goes by such counts.
  void count_blocked(std::span<const Lit> cube);
  bool stopped() const { return ctx_.stopped() || gave_up_; }

 protected:
  /// Borrows both. `prefix`: of statistics, "ic3smt."
  TheoryFrames(TermSystem& system, const Context& ctx, std::string_view prefix, LiteralOrder order);

  virtual void tell_invariant(Term invariant) = 0;
  virtual void tell_lemma(Level level, const Cube& cube) = 0;
  smt::Answer ask(smt::SmtSolver& solver, std::span<const Term> assumptions);
  Term clause_of(const Cube& cube) const;
  void bump(std::span<const Lit> cube);

  const Context& ctx_;
  TermSystem& system_;
  TermStore& terms_;
  std::vector<Term> invariants_;  // known beforehand
  Frames frames_;
  std::vector<Lit> core_;         // of the last query of induction that holds
  std::vector<double> activity_;  // by atom

 private:
  double activity(Lit lit) const { return lit.var() < activity_.size() ? activity_[lit.var()] : 0; }

  LiteralOrder order_;
  bool gave_up_ = false;  // a solver did
  Counter &queries_, &lemmas_, &depth_;
  Timer &solve_, &propagate_;
};

/// The statistic `name` of the engine that `prefix` belongs to.
std::string prefixed(std::string_view prefix, std::string_view name);

}  // namespace lem::engine
