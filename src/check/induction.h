// k-induction by its definition: the obligations behind every certificate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

#include "model/aig.h"
#include "model/verdict.h"

namespace lem::check {

/// Q = not bad & all clauses.
struct Induction {
  const Aig& aig;
  AigLit bad;
  std::span<const SignalClause> clauses;
  std::uint32_t k;
  SimplePath simple_path;
};

enum class Holds : std::uint8_t { Yes, No, Stopped };

enum class Obligation : std::uint8_t { Base, Step };

struct Finding {
  Holds holds = Holds::Yes;
  Obligation failed = Obligation::Base;  // if No
  std::size_t violated = 0;              // if No: the clause; clauses.size() for the property
};

/// Base: no run of at most k steps from reset, constraints kept, violates Q.
/// Step: after k steps with Q, constraints kept, comes a step with Q. With SimplePath::Yes only
/// runs of k + 1 pairwise different states count, over the latches that Q and the constraints
/// depend on: a shortest violation is such a run [Sheeran, Singh, Stalmarck, FMCAD'00].
///   require: k > 0, clauses name signals of the model
Finding check_induction(const Induction& induction, std::stop_token stop);

}  // namespace lem::check
