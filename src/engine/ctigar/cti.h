// Counterexamples to induction, concrete and abstract [Birgmeier14 3.1].
#pragma once

#include <optional>
#include <vector>

#include "base/id.h"
#include "engine/parts/common/cube.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

/// A concrete CTI: values of state variables, of all of them unless it was lifted.
struct Assignment {
  TermMap values;
  /// x = v for each variable with a value, in the order of the system.
  std::vector<Term> literals(const TermSystem& system) const;
};

/// What a proof obligation <cube, [concrete,] i, n> has beside what ObligationQueue knows of it.
struct CtiDetails {
  Assignment full = {};                     // the model's state
  std::optional<Assignment> partial = {};   // a part of it that is lifted, once it was asked for
  std::optional<Assignment> concrete = {};  // s: after a failed abstract lifting, or always if kept
  Term preimage = {};                       // of the successor, as the concrete CTI steps into it
  bool lifted = true;                       // all states of the cube step into the successor
  bool spurious_step = false;  // the step into the successor is from a consecution failure (CAF)
  Level level{};               // where the successor's consecution failed
  std::uint32_t spurious = 0;  // n: spurious transitions from here to Bad
  std::uint32_t unlifted = 0;  // lifting failures from here to Bad
  std::size_t domain = 0;      // predicates there were when the cube was made
};

}  // namespace lem::engine
