// Where new predicates come from, in the order that suits the theory.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "engine/ic3ia/options.h"
#include "engine/parts/term_system.h"
#include "smt/interpolator.h"

namespace lem {

std::vector<std::unique_ptr<smt::Interpolator>> make_sources(TermSystem& system,
                                                             const Ic3iaConfig& config,
                                                             std::uint32_t milliseconds,
                                                             std::stop_token stop);

}  // namespace lem
