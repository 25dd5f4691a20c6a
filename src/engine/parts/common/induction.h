// The answer to a query of relative induction: is F_i-1 & !cube & T & cube' unsatisfiable?
#pragma once

#include <cstdint>
#include <span>

#include "engine/parts/common/cube.h"

namespace lem::engine {

struct [[nodiscard]] Induction {
  enum Answer : std::uint8_t {
    Holds,
    Fails,    // a state of F_i-1 outside the cube steps into it
    Stopped,  // unknown: a stop was requested, or a solver gave up
  };
  Answer answer;
  /// If it holds: a part of the cube with the same property that meets no initial state. Borrowed
  /// from the one who answered; valid until the next query, whose cube it must not be.
  std::span<const Lit> core = {};

  bool holds() const { return answer == Holds; }
  bool fails() const { return answer == Fails; }
  bool stopped() const { return answer == Stopped; }
};

}  // namespace lem::engine
