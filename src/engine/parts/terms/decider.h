// Satisfiability of formulas for engines that ask about ever larger ones: in bits where every sort
// is Bool or BitVec, else by an SMT solver. Tests: tests/unit/engine/parts/decider_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "smt/solvers.h"
#include "term/term_store.h"

namespace lem::engine {

/// How long to wait for an answer. Short: a fraction of a second, mostly.
enum class Patience : std::uint8_t { Short, Endless };

class Decider {
 public:
  virtual ~Decider() = default;
  /// Holds from now on.
  virtual void add(Term formula) = 0;
  /// Unknown: stopped, or out of patience.
  virtual smt::Answer solve(Term assumption, Patience patience) = 0;
  /// After Sat: of a variable; its default where no formula mentions it.
  virtual Term value(Term variable) = 0;
};

/// Circuits and CaDiCaL. Terms are encoded when they are asked about, shared parts once.
///   require: formulas over Bool and BitVec, without arrays
std::unique_ptr<Decider> make_bit_decider(TermStore& terms, std::stop_token stop);
/// For all sorts.
std::unique_ptr<Decider> make_smt_decider(TermStore& terms, const smt::Solvers& solvers);

}  // namespace lem::engine
