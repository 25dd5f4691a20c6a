// A context with exactly the named transforms switched on.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "transform/transform.h"

namespace lem::transform {

class TransformSetup {
 public:
  explicit TransformSetup(std::span<const std::string_view> enabled) {
    options.declare(transform_options());
    for (const TransformInfo& info : all_transforms())
      if (info.stage == Stage::Terms || info.stage == Stage::Bits) set(info.id, "off");
    for (std::string_view id : enabled) set(id, "on");
  }
  explicit TransformSetup(std::initializer_list<std::string_view> enabled)
      : TransformSetup(std::span(enabled.begin(), enabled.size())) {}

  void set(std::string_view id, std::string_view value) {
    EXPECT_TRUE(options.set("transform." + std::string(id), value).ok());
  }
  Context context() { return {options, stats, log, progress, stop.get_token()}; }

  Options options;
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source stop;
};

}  // namespace lem::transform
