// One round of the induction as a combinational graph: "all candidate equalities hold at a step;
// do they hold at the next?" with every candidate replaced by its representative (speculative
// reduction [Mony05]), so that most questions vanish by structural hashing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/aig.h"

namespace lem::transform {

enum class InductionCase : std::uint8_t { Base, Step };
/// Which signals are candidates besides the constant.
enum class SweepScope : std::uint8_t { Latches, AllSignals };

/// An equality of two literals of the graph that stands for `var` and its representative.
struct Miter {
  std::uint32_t var;
  AigLit left;
  AigLit right;
};

/// Base: one step from reset. Step: two steps, the first with all equalities and constraints.
struct Miters {
  Aig graph;
  std::vector<Miter> assumed;       // at the first step, those that are not trivial
  std::vector<Miter> goals;         // at the last step, likewise
  std::vector<AigLit> constraints;  // of the first step; none for Base
  // The graph's inputs. Latches of the first step: a literal over an input or a constant.
  std::vector<AigLit> first_inputs, first_latches;
  std::vector<AigLit> last_inputs;  // none for Base
};

/// require: no input has another signal as its representative
Miters make_miters(const Aig& aig, std::span<const AigLit> representatives, InductionCase which,
                   SweepScope scope);

}  // namespace lem::transform
