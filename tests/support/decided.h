// One property by one engine, certified, for tests that need evidence.
#pragma once

#include <optional>
#include <stop_token>
#include <string_view>

#include "base/time_box.h"
#include "run/prove.h"
#include "run/selection.h"

namespace lem::test {

/// nullopt if the engine does not decide it within some seconds.
inline std::optional<Verdict> decided(const Problem& problem, std::string_view engine) {
  TimeBox box(std::stop_token(), TimeBox::Seconds(5));
  Options options = run::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, box.token()};
  auto found = run::prove(problem, *run::find_selectable(engine), {}, ctx);
  if (!found || std::holds_alternative<Unknown>(found->verdict())) return std::nullopt;
  return found->verdict();
}

}  // namespace lem::test
