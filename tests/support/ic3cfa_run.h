// Runs of IC3CFA under given settings, with their statistics.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "check/cfa.h"
#include "engine/ic3cfa/nondeterminism.h"
#include "engine/ic3cfa/presets.h"

namespace lem::test {

struct Ic3cfaRun {
  /// `settings`: "ic3cfa.core=off,...", empty for the defaults.
  explicit Ic3cfaRun(std::string_view settings = {}) {
    options.declare(kIc3cfaOptions);
    if (settings.empty()) return;
    EXPECT_TRUE(options.set_all(settings).ok()) << settings;
  }
  static Ic3cfaRun preset(std::string_view name) {
    auto at = std::find_if(kIc3cfaPresets.begin(), kIc3cfaPresets.end(),
                           [&](const Preset& each) { return each.name == name; });
    EXPECT_NE(at, kIc3cfaPresets.end()) << name;
    return Ic3cfaRun(at->settings);
  }

  CfaAnswer check(const Cfa& cfa) { return search_cfa(cfa, config(), context()); }
  /// Whether the error location is reached; evidence is checked.
  bool reached(const Cfa& cfa) {
    CfaAnswer answer = check(cfa);
    EXPECT_FALSE(std::holds_alternative<Unknown>(answer));
    if (const auto* run = std::get_if<CfaTrace>(&answer)) {
      EXPECT_EQ(check::replay(cfa, *run, {}), std::nullopt);
    }
    if (const auto* proof = std::get_if<LocationInvariants>(&answer)) {
      check::TermFinding finding = check::check_invariants(cfa, *proof, {});
      EXPECT_EQ(finding.holds, check::TermHolds::Yes) << finding.failed;
    }
    return std::holds_alternative<CfaTrace>(answer);
  }
  Ic3cfaConfig config() const { return Ic3cfaConfig(options); }
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
