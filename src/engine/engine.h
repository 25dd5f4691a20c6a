// What an engine is, and the one list of them. To add one: its folder, its EngineInfo, one line in
// registry.cpp; command line, help, certification, fuzzing and benchmarks then cover it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "model/problem.h"
#include "model/rung.h"
#include "model/verdict.h"

namespace lem::engine {

class Engine {
 public:
  virtual ~Engine() = default;
  /// require: `problem` has one property.  ensure: evidence speaks about `problem`; a stop request
  /// gives Unknown{Stopped} within a fraction of a second.
  virtual Verdict check(const Problem& problem, const Context& ctx) = 0;
};

/// What a run on several properties found out: the same verdict, by the same evidence, for these
/// of them. Safe: the certificate shows that none of them fails.
struct Found {
  std::vector<std::size_t> properties;  // ascending numbers of the problem's
  Verdict verdict;                      // definite
};
using OnFound = std::function<void(Found)>;

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
  std::unique_ptr<Engine> (*make)();
  std::string_view settings{};  // of other options: what suits the engine, before any preset
  /// All properties of a problem in one run that keeps what it learns from one to the next; each
  /// is reported when it is known, at most once. nullptr: the engine takes one at a time.
  void (*check_together)(const Problem& problem, const OnFound& found,
                         const Context& ctx) = nullptr;
  /// A program whose property stands for several: like check(), but runs to the error go on to
  /// `found`, more than one where they have little to do with each other, and so does a proof.
  /// nullptr: the engine ends with the first run.
  void (*check_joint)(const Problem& problem, const OnFound& found, const Context& ctx) = nullptr;
};

std::span<const EngineInfo> all_engines();
/// nullptr if there is none of that name.
const EngineInfo* find_engine(std::string_view id);

}  // namespace lem::engine
