// Evidence about transition systems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/evidence/simple_path.h"
#include "model/rung.h"
#include "term/term.h"

namespace lem {

/// A finite run of a transition system: values (terms that are values) of all states and all
/// inputs, in the system's order, at every step. The property fails at the last step.
struct TermTrace {
  struct Step {
    std::vector<Term> states;
    std::vector<Term> inputs;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;

  static constexpr Rung kRung = Rung::Terms;
  std::size_t length() const { return steps.size(); }
  std::size_t depth() const { return steps.size() - 1; }
  friend bool operator==(const TermTrace&, const TermTrace&) = default;
};

/// Q = not bad & invariant, over the states and inputs of a step, is k-inductive where the
/// constraints hold (KInductive says what that is). k = 1: an inductive invariant.
struct TermInvariant {
  Term invariant;
  std::uint32_t k = 1;
  SimplePath simple_path = SimplePath::No;

  static constexpr Rung kRung = Rung::Terms;
  std::optional<std::uint32_t> induction_depth() const {
    return k > 1 ? std::optional(k) : std::nullopt;
  }
  friend bool operator==(const TermInvariant&, const TermInvariant&) = default;
};

}  // namespace lem
