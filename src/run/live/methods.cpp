#include "run/live/methods.h"

#include <array>

namespace lem::run {

namespace {

constexpr std::array kL2sOptions = {
    OptionRow::choice("l2s.copy", Copying::Oracle,
                      "when the state is copied: at a step that an input chooses, or before the "
                      "first one [Biere02]"),
    OptionRow::choice("l2s.prover", Prover::Suited, "the engine for the product"),
};
constexpr std::array kL2sPresets = {
    engine::Preset{"constant", "l2s.copy=constant",
                   "a copy that never changes, compared at each step"},
    engine::Preset{"lasso", "l2s.prover=bmc", "lassos alone, by bounded model checking"},
};
constexpr std::array kKliveOptions = {
    OptionRow::choice("klive.prover", Prover::Suited, "the engine for the product"),
    OptionRow::number("klive.most", 1'000'000, 0, 1'000'000'000, "rounds to count up to"),
    OptionRow::toggle("klive.each", false, "every number of rounds, not one and a half times more"),
};
constexpr std::array kKlivePresets = {
    engine::Preset{"Claessen12", "klive.each=on", "as published: k = 0, 1, 2, ..."},
};
constexpr std::array kMethods = {
    LiveInfo{"l2s", "justice properties: liveness to safety by a copy of the state", "[Biere02]",
             kL2sOptions, kL2sPresets, LiveMethod::L2s},
    LiveInfo{"klive", "justice properties: k-liveness, recurring signals counted", "[Claessen12]",
             kKliveOptions, kKlivePresets, LiveMethod::Klive},
    LiveInfo{"rlive",
             "justice properties: states that recur are blocked depth first",
             "[Xia24]",
             {},
             {},
             LiveMethod::Rlive},
};

}  // namespace

std::span<const LiveInfo> all_live() {
  return kMethods;
}

const LiveInfo* find_live(std::string_view id) {
  for (const LiveInfo& each : kMethods)
    if (each.id == id) return &each;
  return nullptr;
}

}  // namespace lem::run
