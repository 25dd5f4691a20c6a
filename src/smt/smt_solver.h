// SmtSolver: one interface over the SMT solvers of this system. Terms are translated on entry and
// the translation is cached; a solver borrows its TermStore, which must outlive it.
// Adaptors: z3.cpp and cvc5.cpp (make_z3, make_cvc5). Tests: tests/unit/smt/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "term/term_store.h"

namespace lem::smt {

enum class Answer : std::uint8_t { Sat, Unsat, Unknown };

/// What a solver is tuned for (docs/benchmarks.md has the figures behind each configuration).
enum class Workload : std::uint8_t {
  Stream,  // many small queries that differ in assumptions and a scope
  Single,  // one or a few hard queries
  Sums,    // the same over bit-vectors with much arithmetic: cvc5 encodes them as integers
};

/// Model-based projection, where a solver has it.
class Projector {
 public:
  virtual ~Projector() = default;
  /// After Sat, of a query whose model satisfies `formula`: literals over variables other than
  /// `eliminate` that hold in the model and whose conjunction implies (exists eliminate. formula).
  /// nullopt if the solver could not eliminate all of these variables.
  virtual std::optional<std::vector<Term>> project(Term formula,
                                                   std::span<const Term> eliminate) = 0;
};

class SmtSolver {
 public:
  virtual ~SmtSolver() = default;

  /// Asserts in the current scope.
  virtual void add(Term formula) = 0;
  virtual void push() = 0;
  virtual void pop() = 0;
  /// Unknown: the solver gave up, ran out of time, or was stopped. Assumptions are any Bool terms;
  /// variables and their negations are cheapest.
  virtual Answer solve(std::span<const Term> assumptions) = 0;
  Answer solve() { return solve(std::span<const Term>()); }
  /// After Sat: the value of a term in the model, completed where the model leaves it open.
  virtual Term value(Term term) = 0;
  /// After Unsat: a subset of the assumptions, in their order, that is unsatisfiable with what is
  /// asserted.
  virtual const std::vector<Term>& core() const = 0;

  /// Milliseconds for each solve() from now on; 0: no limit.
  virtual void limit_time(std::uint32_t milliseconds) = 0;
  /// Bounds the work of each solve() in the solver's own deterministic units; 0: no limit.
  virtual void limit_work(std::uint32_t units) = 0;

  /// nullptr: this solver does not project.
  virtual Projector* projector() { return nullptr; }
};

class [[nodiscard]] Scope {
 public:
  explicit Scope(SmtSolver& solver) : solver_(solver) { solver_.push(); }
  ~Scope() { solver_.pop(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  SmtSolver& solver_;
};

/// A solver of the named kind for formulas of `terms`. Stopping makes solve() return Unknown soon.
std::unique_ptr<SmtSolver> make_z3(TermStore& terms, Workload workload, std::stop_token stop);
std::unique_ptr<SmtSolver> make_cvc5(TermStore& terms, Workload workload, std::stop_token stop);

}  // namespace lem::smt
