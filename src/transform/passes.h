// The transforms one by one; transform.cpp lists and composes them. Tests: tests/unit/transform/.
#pragma once

#include <cstdint>
#include <string_view>

#include "transform/transform.h"

namespace lem::transform {

/// Cone of influence of the property and the constraints, with constant folding, structural hashing
/// and two-level rules; inputs that a constraint forces become constants.
Transformed apply_coi(const Problem& problem, const Context& ctx);

/// Constant latches by ternary simulation.
Transformed apply_ternary(const Problem& problem, const Context& ctx);

/// Merges latches proved equal or complementary, or constant, by induction [Eijk00].
Transformed apply_latch_sweep(const Problem& problem, const Context& ctx);

/// The same for all signals; stronger, as the gates' equalities strengthen the induction.
Transformed apply_sweep(const Problem& problem, const Context& ctx);

/// Replaces the constraints by one latch that remembers whether they held so far.
Transformed apply_fold(const Problem& problem, const Context& ctx);

/// Sees a violation one step before it happens.
Transformed apply_unroll(const Problem& problem, const Context& ctx);

/// Why the system and its properties have no encoding in bits ("the model has integers"); empty if
/// they have one.  require: the model is a transition system
std::string why_no_bits(const Problem& problem);

/// The option transform.integers; Exact: only if every operator has a meaning on integers.
enum class Integers : std::uint8_t { Off, Exact, On };
constexpr std::string_view words(Integers) {
  return "off|exact|on";
}

/// Encodes bit-vectors as integers (transform/terms/int_encoding.h), as far as the option
/// transform.integers allows; the same problem if it has arrays or floats.
///   require: the model is a transition system with one property
Transformed apply_integers(const Problem& problem, const Context& ctx);

/// Lowers a system over Bool and BitVec to an AIG.  require: why_no_bits() is empty
Transformed apply_bitblast(const Problem& problem, const Context& ctx);

/// An AIG as a transition system over Bool (transform/lift.h).
Transformed apply_lift(const Problem& problem, const Context& ctx);

// Automata to automata and to transition systems (transform/cfa/) ---------------------------------

// require: the model is an automaton. Each header says what its pass does.
Transformed apply_cfa_prune(const Problem& problem, const Context& ctx);
Transformed apply_cfa_propagate(const Problem& problem, const Context& ctx);
Transformed apply_cfa_ranges(const Problem& problem, const Context& ctx);
Transformed apply_cfa_slice(const Problem& problem, const Context& ctx);
Transformed apply_cfa_values(const Problem& problem, const Context& ctx);
Transformed apply_cfa_bisimulation(const Problem& problem, const Context& ctx);
Transformed apply_cfa_blocks(const Problem& problem, const Context& ctx);

/// The program counter becomes a state (transform/cfa/program_counter.h).
///   require: the model is an automaton
Transformed apply_program_counter(const Problem& problem, const Context& ctx);

// Horn systems to Horn systems (transform/horn/) --------------------------------------------------

// require: the model is a Horn system. Each file says what its pass does.
Transformed apply_horn_prune(const Problem& problem, const Context& ctx);
Transformed apply_horn_inline(const Problem& problem, const Context& ctx);
Transformed apply_horn_slice(const Problem& problem, const Context& ctx);

// Transition systems to transition systems (transform/terms/) -------------------------------------

/// Removes states and inputs that neither property, constraint nor relations depend on.
Transformed apply_term_coi(const Problem& problem, const Context& ctx);

/// Conjuncts x' = t of the transition relation become updates, x = t of the initial one values.
Transformed apply_definitions(const Problem& problem, const Context& ctx);

/// States that keep a constant, or always equal another state, are replaced by it.
Transformed apply_constants(const Problem& problem, const Context& ctx);

/// Makes property and constraint depend on states alone.
Transformed apply_inputs(const Problem& problem, const Context& ctx);

/// Arrays with few elements become one variable for each. Takes several properties, for conversion.
Transformed apply_arrays(const Problem& problem, const Context& ctx);

}  // namespace lem::transform
