// What an engine is, and the one list of them. To add one: its folder, its EngineInfo, one line in
// registry.cpp; command line, help, certification, fuzzing and benchmarks then cover it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/context.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem {

/// Says whether a definite verdict is to be believed: the application certifies it on the original
/// model. Only engines that run others need one.
using Judge = std::function<bool(const Verdict&)>;

/// A problem brought down a level, or transformed further, with the way back for verdicts.
struct Lowered {
  Problem problem;
  std::function<Verdict(Verdict)> back;
};
enum class ModelLevel : std::uint8_t { Program, Terms, Bits };
/// Nothing if the problem cannot be told at that level. The application knows the transforms,
/// engines do not: those that run others at several levels are given this.
using Lowering = std::function<std::optional<Lowered>(const Problem&, ModelLevel, const Context&)>;

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void accept_with(Judge /*judge*/) {}
  virtual void lower_with(Lowering /*lowering*/) {}
  /// require: `problem` has one property.  ensure: evidence speaks about `problem`; a stop request
  /// gives Unknown{Stopped} within a fraction of a second.
  virtual Verdict check(const Problem& problem, const Context& ctx) = 0;
};

/// A named configuration of a paper: `--engine id:name`.
struct Preset {
  std::string_view name;
  std::string_view settings;  // "ic3.generalize=ctg,ic3.lift=core"
  std::string_view help;
};

/// Which models an engine takes as they are; Systems: AIGs and transition systems. A program
/// becomes a transition system for an engine that does not take it, a bit-vector system is
/// bit-blasted for one that takes bits alone, an AIG is lifted for one that takes transition
/// systems alone.
enum class Accepts : std::uint8_t { Bits, Terms, Systems, Programs, All };

struct EngineInfo {
  std::string_view id;
  std::string_view help;
  std::string_view paper;
  std::span<const OptionRow> options;
  std::span<const Preset> presets;
  Accepts accepts;
  std::unique_ptr<Engine> (*make)();
  std::string_view settings{};  // of other options: what suits the engine, before any preset
};

std::span<const EngineInfo> all_engines();
/// nullptr if there is none of that name.
const EngineInfo* find_engine(std::string_view id);

}  // namespace lem
