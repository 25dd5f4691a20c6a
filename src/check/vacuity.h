// Detects vacuous proofs: no run satisfies the constraints, the premise of an implication never
// holds, or no run of a C program comes to the place of the property. Runs after a proof, on the
// original model, with fresh solvers; what is not decided within the time is not reported. Tests:
// tests/unit/check/vacuity_test.cpp.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "check/reach.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::check {

/// One object for all properties of a model: what does not depend on the property is decided once.
class Vacuity {
 public:
  using Budget = std::chrono::duration<double>;

  /// Why the proof is vacuous; empty if it is not, or if that is not known. `premise`: of a
  /// property that is an implication, else no term.
  ///   require: one property, the same model each time; the certificate was accepted for it
  std::optional<std::string> of(const Problem& original, const Certificate& certificate,
                                Term premise, Budget budget, const std::stop_token& stop);

 private:
  std::optional<std::string> no_way(const Cfa& cfa, const LocationInvariants& proof,
                                    const std::stop_token& stop);
  std::optional<std::string> no_visit(const Problem& original, const LocationInvariants& proof,
                                      const std::stop_token& stop);
  struct Asked {
    LocationInvariants ends;  // the claim that no run gets to them, without the property's error
    bool cut_off;             // whether it holds; false if that is not known
  };
  std::optional<Asked> asked_;                      // of programs, the last one
  PlaceReach places_;                               // of C programs
  std::optional<std::optional<std::string>> runs_;  // of bits and terms, once it is known
};

}  // namespace lem::check
