// Inductive subclauses of a clause, in its subclause lattice: DOWN, IMPLICATE and MIC
// [Bradley07; Santi23 2.2; Lange18 Algs. 4-7, corrected as in docs/errata.md].
//
// A clause d is kept as its negation, a cube: subclauses are subsets either way, and "d meets the
// initial states" reads off the cube. Tests: tests/papers/fsis_example_test.cpp, fsis_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/common/cube.h"
#include "sat/cdcl.h"

namespace lem::engine {

enum class Implicate : std::uint8_t { Linear, Binary };
constexpr std::string_view words(Implicate) {
  return "linear|binary";
}

/// What MIC stops at: the largest inductive subclause, a prime implicate of it, or a clause none of
/// whose proper subclauses contains an inductive one that DOWN finds.
enum class MicEffort : std::uint8_t { Down, Implicate, Minimal };
constexpr std::string_view words(MicEffort) {
  return "down|implicate|minimal";
}

class Mic {
 public:
  /// Both are borrowed. The solver's clauses are P-hat & F of every step.
  Mic(const TransitionCnf& cnf, sat::Cdcl& solver, Implicate implicate, MicEffort effort);
  void set_stop(std::stop_token stop) { stop_ = std::move(stop); }

  /// A small subclause of !cube with initiation and P-hat & F & d & T => d'; none is the paper's
  /// "true".
  std::optional<Cube> mic(const Cube& cube);

  /// [Lange18 Alg. 4]: the largest inductive subclause of !cube, if there is one.
  std::optional<Cube> down(Cube cube);

  /// [Lange18 Algs. 5, 6]: a minimal subclause d of !cube with initiation and
  /// P-hat & F & !cube & T => d'.   require: !cube itself is one
  Cube implicate(const Cube& cube);

  std::uint64_t queries() const { return queries_; }

 private:
  enum class Answer { Holds, Fails, Stopped };
  Answer consecution(std::span<const Lit> premise, std::span<const Lit> conclusion);
  /// The model's state cut down to the literals it shares with the cube.
  Cube common_with_model(const Cube& cube) const;
  bool implied(const std::vector<Lit>& part, const std::vector<Lit>& support);
  std::vector<Lit> linear(std::vector<Lit> rest);
  std::vector<Lit> binary(std::vector<Lit> part, const std::vector<Lit>& support);
  Cube minimize(Cube cube);

  const TransitionCnf& cnf_;
  sat::Cdcl& solver_;
  Implicate implicate_;
  MicEffort effort_;
  std::stop_token stop_;
  std::vector<Lit> premise_;  // IMPLICATE's rho: the negated clause assumed at the current step
  std::uint64_t queries_ = 0;
};

}  // namespace lem::engine
