// Affine relations among numeric states, guessed from sampled runs: what Karr's analysis would find
// for certain, without its fixpoint [Karr76; Birgmeier14 4.1]. They are candidates only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

/// t <= b and t >= b for each equation t = b found, over all samples and over those that agree in
/// the Bool states (program locations).   `engine`: whose statistics count them
std::vector<Term> affine_relations(TermSystem& system, std::uint32_t seed, std::string_view engine,
                                   const Context& ctx);

}  // namespace lem::engine
