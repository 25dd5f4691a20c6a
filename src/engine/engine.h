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

/// A problem brought down to bits, with the way back for verdicts.
struct Lowered {
  Problem problem;
  std::function<Verdict(Verdict)> back;
};
/// Nothing if the problem cannot be told in bits. The application knows the transforms, engines do
/// not: those that run others at both levels are given this.
using LowerToBits = std::function<std::optional<Lowered>(const Problem&, const Context&)>;

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void accept_with(Judge /*judge*/) {}
  virtual void lower_with(LowerToBits /*lowering*/) {}
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

/// Which models an engine takes as they are. A bit-vector system is bit-blasted for an engine that
/// takes bits alone, an AIG is lifted for one that takes transition systems alone.
enum class Accepts : std::uint8_t { Bits, Terms, Both };

struct EngineInfo {
  std::string_view id;
  std::string_view help;
  std::string_view paper;
  std::span<const OptionRow> options;
  std::span<const Preset> presets;
  Accepts accepts;
  std::unique_ptr<Engine> (*make)();
};

std::span<const EngineInfo> all_engines();
/// nullptr if there is none of that name.
const EngineInfo* find_engine(std::string_view id);

}  // namespace lem
