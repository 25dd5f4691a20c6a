// Runs of IC3CFA under given settings, with their statistics.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/ic3cfa/nondeterminism.h"
#include "engine/ic3cfa/presets.h"
#include "smt/solvers.h"
#include "support/cfa_evidence.h"

namespace lem::test {

struct Ic3cfaRun {
  /// `settings`: "ic3cfa.core=off,...", empty for the defaults.
  explicit Ic3cfaRun(std::string_view settings = {}) {
    options.declare(engine::kIc3cfaOptions);
    options.declare(smt::kSolverOptions);
    if (settings.empty()) return;
    EXPECT_TRUE(options.set_all(settings).ok()) << settings;
  }
  static Ic3cfaRun preset(std::string_view name) {
    auto at = std::find_if(engine::kIc3cfaPresets.begin(), engine::kIc3cfaPresets.end(),
                           [&](const engine::Preset& each) { return each.name == name; });
    EXPECT_NE(at, engine::kIc3cfaPresets.end()) << name;
    return Ic3cfaRun(engine::all_settings(engine::kIc3cfaPresets, *at));
  }

  engine::CfaAnswer check(const Cfa& cfa) { return engine::search_cfa(cfa, config(), context()); }
  /// Whether the error location is reached; evidence is checked.
  bool reached(const Cfa& cfa) { return is_reached(cfa, check(cfa)); }
  engine::Ic3cfaConfig config() const { return engine::Ic3cfaConfig(options); }
  Context context() { return Context{options, stats, log, progress, stop.get_token()}; }
  std::uint64_t counted(std::string_view name) {
    return stats.counter("ic3cfa." + std::string(name)).value;
  }
  double seconds(std::string_view name) {
    return stats.timer("ic3cfa." + std::string(name)).seconds;
  }

  Options options;
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source stop;
};

}  // namespace lem::test
