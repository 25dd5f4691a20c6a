// Options for engines that are compared with explicit search.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/engine.h"
#include "smt/solvers.h"
#include "transform/transform.h"

namespace lem::test {

/// All options at their defaults, then the settings. Bounded engines are asked for `depth` steps.
inline Options bounded_options(std::string_view settings, std::uint32_t depth) {
  Options options;
  options.declare(transform::transform_options());
  options.declare(smt::kSolverOptions);
  for (const engine::EngineInfo& engine : engine::all_engines()) options.declare(engine.options);
  EXPECT_TRUE(options.set_all(settings).ok()) << settings;
  std::string bound = std::to_string(depth + 1);
  EXPECT_TRUE(options.set_all("bmc.max-depth=" + bound + ",kind.max-k=" + bound).ok());
  return options;
}

}  // namespace lem::test
