// The methods for justice properties. Each turns the property into safety problems and hands them
// to an engine; `--engine` selects them like engines. Docs: docs/liveness.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/options.h"
#include "engine/engine.h"

namespace lem::run {

enum class LiveMethod : std::uint8_t { L2s, Klive, Rlive };

struct LiveInfo {
  std::string_view id;
  std::string_view help;
  std::string_view paper;
  std::span<const OptionRow> options;
  std::span<const engine::Preset> presets;
  LiveMethod method;
};

std::span<const LiveInfo> all_live();
/// nullptr if there is none of that name.
const LiveInfo* find_live(std::string_view id);

enum class Copying : std::uint8_t { Oracle, Constant };
constexpr std::string_view words(Copying) {
  return "oracle|constant";
}

/// The engine that proves the safety problems. Suited: ic3 where the model has an encoding in bits,
/// ic3ia elsewhere.
enum class Prover : std::uint8_t { Suited, Ic3, Bmc, Kind, Ipdr, Ic3ia, Ic3smt };
constexpr std::string_view words(Prover) {
  return "suited|ic3|bmc|kind|ipdr|ic3ia|ic3smt";
}

}  // namespace lem::run
