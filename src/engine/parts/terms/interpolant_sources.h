// Where new predicates come from, in the order that suits the theory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "smt/interpolate/interpolator.h"

namespace lem::engine {

enum class Source : std::uint8_t { All, Proof, Farkas, Spacer, Backward, Wp, Integers };
constexpr std::string_view words(Source) {
  return "all|proof|farkas|spacer|backward|wp|integers";
}

/// Those wanted that suit the theory of the variables; each may take so many milliseconds for one
/// path.
std::vector<std::unique_ptr<smt::Interpolator>> make_sources(TermStore& terms,
                                                             std::span<const Term> variables,
                                                             Source wanted,
                                                             std::uint32_t milliseconds,
                                                             std::stop_token stop);

}  // namespace lem::engine
