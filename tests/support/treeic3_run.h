// Runs of TreeIC3 under given settings, with their statistics.
#pragma once

#include <string>
#include <string_view>

#include "engine/registry.h"
#include "engine/treeic3/search.h"
#include "smt/solvers.h"
#include "support/cfa_evidence.h"

namespace lem::test {

/// Presets set it for the transforms, which do not run here.
inline constexpr OptionRow kBlockSize =
    OptionRow::number("transform.block-size", 200, 1, 1'000'000, "");

struct TreeIc3Run {
  /// `settings`: "treeic3.cubes=ia,...", empty for the defaults.
  explicit TreeIc3Run(std::string_view settings = {}) {
    options.declare(engine::kTreeIc3Options);
    options.declare(smt::kSolverOptions);
    options.declare(std::array{kBlockSize});
    if (settings.empty()) return;
    EXPECT_TRUE(options.set_all(settings).ok()) << settings;
  }

  engine::CfaAnswer check(const Cfa& cfa) {
    return engine::TreeIc3Search(cfa, engine::TreeIc3Config(options), context()).run();
  }
  /// Whether the error location is reached; evidence is checked.
  bool reached(const Cfa& cfa) { return is_reached(cfa, check(cfa)); }
  Context context() { return Context{options, stats, log, progress, stop.get_token()}; }
  std::uint64_t counted(std::string_view name) {
    return stats.counter("treeic3." + std::string(name)).value;
  }

  Options options;
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source stop;
};

}  // namespace lem::test
