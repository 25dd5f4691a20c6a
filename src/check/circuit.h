// The formulas of the checks: one combinational circuit into which steps of models are copied, and
// queries to a fresh solver about its signals. Small and independent of transforms and engines,
// since every verdict depends on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "model/aig.h"
#include "sat/sat_solver.h"

namespace lem::check {

/// Gates over free variables. Equal gates are shared and constants folded, so that much of what
/// holds by construction (an unchanged copy of a model, a reset value) needs no solver.
class Circuit {
 public:
  Circuit();
  AigLit fresh();
  AigLit both(AigLit left, AigLit right);
  AigLit either(AigLit left, AigLit right) { return !both(!left, !right); }
  AigLit differ(AigLit left, AigLit right);

  std::uint32_t num_vars() const { return static_cast<std::uint32_t>(nodes_.size()); }
  bool is_gate(std::uint32_t var) const { return nodes_[var].left != nodes_[var].right; }
  const AndGate& gate(std::uint32_t var) const { return nodes_[var]; }

  struct Multiplexer {
    AigLit condition;
    AigLit then_lit;
    AigLit else_lit;
  };
  /// The gate as one multiplexer (or exclusive or) instead of three gates, if it is one.
  std::optional<Multiplexer> multiplexer(std::uint32_t var) const;

 private:
  std::size_t slot(AigLit left, AigLit right) const;
  void grow();

  std::vector<AndGate> nodes_;        // a free variable has equal fan-ins, which no gate has
  std::vector<std::uint32_t> table_;  // open addressing, 0 is empty; a power of two in size
};

/// Per variable of a model: whether it is in the cone of some roots.
using Cone = std::vector<bool>;
Cone cone_of(const Aig& aig, std::span<const AigLit> roots);

/// The signals of a model at one step, as literals of a circuit.
class Step {
 public:
  /// Copies the gates of `cone`; `leaves` stand for the inputs, then the latches.
  Step(Circuit& circuit, const Aig& aig, std::span<const AigLit> leaves, const Cone& cone);
  /// require: the variable is in the cone.
  AigLit operator[](AigLit signal) const { return value_[signal.var()] ^ signal.negative(); }

 private:
  std::vector<AigLit> value_;
};

/// Is there an assignment to the free variables with all requirements? Only the cone of what is
/// required reaches the solver.
class Refutation {
 public:
  Refutation(const Circuit& circuit, std::stop_token stop);

  void require(AigLit fact) { require_any({&fact, 1}); }
  void require_any(std::span<const AigLit> clause);
  /// From now on each solve() asks for a violation of one of these clauses; its predecessor is
  /// dropped. Clauses that are true by folding cost nothing.
  void ask_for_violation(std::span<const std::vector<AigLit>> clauses);

  sat::SatResult solve();
  /// The same under assumptions, and without what ask_for_violation asks for.
  sat::SatResult solve_under(std::span<const AigLit> assumptions);
  /// Whether the answer Unsat of solve_under() needs this assumption.
  bool failed(AigLit assumption) const;
  /// Values of all circuit variables; free ones outside the query are false.
  ///   require: the last answer was Sat.
  std::vector<bool> assignment() const;
  /// The index of a violated clause of the last question.  require: the last answer was Sat.
  std::size_t violated() const;

 private:
  sat::Lit encode(AigLit lit);
  void add(std::initializer_list<sat::Lit> clause) { solver_->add_clause(clause); }

  const Circuit& circuit_;
  std::unique_ptr<sat::SatSolver> solver_;
  std::stop_token stop_;
  std::vector<std::uint32_t> var_;  // solver variable + 1 of each circuit variable; 0: none yet
  std::vector<std::uint32_t> todo_;
  struct Violation {
    sat::Lit selector;  // implies that the clause is false
    std::size_t clause;
  };
  std::vector<Violation> violations_;
  sat::Lit question_;
  bool asked_ = false;
};

}  // namespace lem::check
