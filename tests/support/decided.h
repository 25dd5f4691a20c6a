// One property by one engine, certified, for tests that need evidence.
#pragma once

#include <optional>
#include <stop_token>
#include <string_view>

#include "base/time_box.h"
#include "portfolio/prove.h"
#include "portfolio/selection.h"

namespace lem::test {

/// nullopt if the engine does not decide it within some seconds.
inline std::optional<Verdict> decided(const Problem& problem, std::string_view engine) {
  TimeBox box(std::stop_token(), TimeBox::Seconds(5));
  Options options = portfolio::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, box.token()};
  auto found = portfolio::prove(problem, *portfolio::find_selectable(engine), {}, ctx);
  if (!found || std::holds_alternative<Unknown>(found->outcome.verdict())) return std::nullopt;
  return found->outcome.verdict();
}

}  // namespace lem::test
