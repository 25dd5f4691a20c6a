// What an engine is, and the one list of them. To add one: its folder, its EngineInfo, one line in
// registry.cpp; command line, help, certification, fuzzing and benchmarks then cover it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "model/found.h"
#include "model/problem.h"
#include "model/rung.h"
#include "model/verdict.h"

namespace lem::engine {

/// A named configuration of a paper: `--engine id:name`.
struct Preset {
  std::string_view name;
  std::string_view settings;  // "ic3.generalize=ctg,ic3.lift=core"
  std::string_view help;
  std::string_view extends{};  // an earlier preset of the engine, whose settings come first
};

/// The settings of a preset with those that it extends, in the order in which they are set.
///   require: `preset` is one of `presets`
std::string all_settings(std::span<const Preset> presets, const Preset& preset);

struct EngineInfo {
  std::string_view id;
  std::string_view help;
  std::string_view paper;
  std::span<const OptionRow> options;
  std::span<const Preset> presets;
  /// The rungs on which the engine takes models as they are. The pipeline brings the others there:
  /// a program becomes a transition system, which is bit-blasted for an engine that takes bits
  /// alone; an AIG is lifted for an engine that takes transition systems alone.
  Rungs accepts;
  /// One run on all properties of `problem`. What is found goes to `found` at once, about
  /// `problem`. A stop request ends the run within a fraction of a second.
  ///   require: one property, unless `several_properties`
  ///   ensure: why it ended, where something is still open
  Reason (*check)(const Problem& problem, const OnFound& found, const Context& ctx);
  std::string_view settings{};  // of other options: what suits the engine, before any preset
  /// Takes any number of properties of a circuit or transition system, and keeps what it learns
  /// from one to the next.
  bool several_properties = false;
  /// Where the property of a program stands for several, reports more than one run: those that
  /// have little to do with each other.
  bool several_runs = false;
};

std::span<const EngineInfo> all_engines();
/// nullptr if there is none of that name.
const EngineInfo* find_engine(std::string_view id);

/// For engines that take one property: hands a definite verdict on.   ensure: why it is not one
Reason conclude(Verdict verdict, const OnFound& found);
/// The verdict about the one property of a problem.
Verdict check_one(const EngineInfo& engine, const Problem& problem, const Context& ctx);

}  // namespace lem::engine
