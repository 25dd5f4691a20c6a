// Seeds: what engines that abstract by predicates start from. Predicates of the system and of the
// input file, in the order that the engine asks for, and what Karr's analysis knows: equations as
// predicates, or an inductive invariant [Cimatti14 Fig. 2, line 1; Birgmeier14 4.1].
//
//   sources.h   predicates that can be read off the system
//   samples.h   affine relations of sampled runs
//   karr.h      Karr's analysis with candidates; chains.h bounds as candidates; affine.h equations
//
// Tests: tests/unit/engine/parts/seeds_test.cpp, karr_test.cpp beside it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

enum class SeedSource : std::uint8_t {
  Init,
  Bad,
  BoolStates,  // locations and flags as they are
  Hints,       // of the input file
  Conditions,
  Pairs,
  Bounds,
  Equalities,
  Samples,
};

struct SeedSettings {
  std::string_view engine;                // whose statistics count them
  std::vector<SeedSource> sources;        // in this order
  std::size_t conditions = 0, pairs = 0;  // at most so many
  std::uint32_t random = 0;               // seed of the sampled runs
  struct Karr {
    std::string_view timer;      // "karr"
    bool equations = false;      // are predicates, and so are the atoms of invariants
    std::size_t invariants = 0;  // bounds of so many sums are tried; 0: no invariants
    std::uint32_t milliseconds = 0;
    std::size_t conditions = 0;  // more candidates for the analysis alone
  };
  std::optional<Karr> karr = {};
  /// The predicates of a formula: its atoms, or what the engine makes of them.
  std::function<std::vector<Term>(Term)> predicates_of;
};

struct Seeds {
  std::vector<Term> predicates;  // over X
  std::vector<Term> invariants;  // their conjunction is inductive
};
Seeds find_seeds(TermSystem& system, const Problem& problem, const SeedSettings& settings,
                 const Context& ctx);

}  // namespace lem::engine
