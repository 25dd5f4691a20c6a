// Sequence interpolants for a path of steps over one vocabulary X, from sources that complement
// each other. Callers check the results (is_interpolant_sequence): a wrong or late one makes them
// use another source, and never changes a verdict. Tests: tests/unit/smt/interpolator_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "arith/interpolant.h"
#include "term/term_store.h"

namespace lem::smt {

/// first(X_0) & steps[0](X_0, _, X_1) & ... & last(X_k), which should be unsatisfiable. Variables
/// other than X and X' are local to each step.
struct Path {
  std::span<const Term> current;  // X
  std::span<const Term> next;     // X'
  Term first;                     // over X
  std::vector<Term> steps;        // over X, locals, X'
  Term last;                      // over X
};

/// J_0 .. J_k over X:  first => J_0;  J_i & steps[i] => J_i+1(X');  J_k & last unsatisfiable.
using Sequence = std::vector<Term>;

class Interpolator {
 public:
  virtual ~Interpolator() = default;
  virtual std::string_view name() const = 0;
  /// nullopt if the path is satisfiable, the source finds no result, or the time is up.
  virtual std::optional<Sequence> interpolate(const Path& path) = 0;
};

/// Linear arithmetic with Booleans from a proof of our own solver: interpolants by construction, in
/// milliseconds. nullopt also if integers need more than branches.
std::unique_ptr<Interpolator> make_proof_interpolator(
    TermStore& terms, std::stop_token stop, std::uint32_t milliseconds,
    arith::System system = arith::System::McMillan);

/// Linear arithmetic by Farkas' lemma: fast, and one inequality for each conflict and cut. The
/// atoms are those an interpolant needs; their combination is left open. The results are
/// candidates, not interpolants.
std::unique_ptr<Interpolator> make_farkas_interpolator(TermStore& terms, std::stop_token stop,
                                                       std::uint32_t milliseconds);

/// Spacer on a Horn system without recursion, where it interpolates: good predicates for linear
/// arithmetic. Must be isolated: it cannot be interrupted safely.
std::unique_ptr<Interpolator> make_spacer_interpolator(TermStore& terms);

/// Projects backwards from `last` and keeps what unsat cores need: atoms in the manner of weakest
/// preconditions. Needs a solver that projects. Best isolated.
std::unique_ptr<Interpolator> make_backward_interpolator(TermStore& terms, std::stop_token stop);

/// Weakest preconditions by substitution along a path of equations x' = t. Works for every theory;
/// where a step leaves a next value open, literals about it are dropped, and the sequence may then
/// be too weak: its atoms are candidates, not interpolants.
std::unique_ptr<Interpolator> make_wp_interpolator(TermStore& terms);

/// Encodes bit-vector paths as unbounded integers, without wrap-around, for `inner`, and translates
/// the atoms back. The results are candidates, not interpolants.
std::unique_ptr<Interpolator> make_integer_interpolator(TermStore& terms,
                                                        std::unique_ptr<Interpolator> inner);

/// Runs `inner` in a child process that is killed after `milliseconds` or when asked to stop.
std::unique_ptr<Interpolator> isolate(std::unique_ptr<Interpolator> inner, TermStore& terms,
                                      std::stop_token stop, std::uint32_t milliseconds);

/// Whether the sequence interpolates the path: implications, unsatisfiability, vocabulary.
bool is_interpolant_sequence(TermStore& terms, const Path& path, const Sequence& sequence,
                             std::stop_token stop);

}  // namespace lem::smt
