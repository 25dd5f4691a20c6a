#include "app/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/evidence.h"
#include "app/reporting.h"

namespace lem {

/// Looks for a vacuous proof within a tenth of the time that the proof took, but some time at
/// least.
std::string Answers::vacuous(std::size_t property, const writer::PropertyResult& result) {
  const auto* safe = std::get_if<Safe>(&result.outcome.verdict());
  if (safe == nullptr || run_.ctx.stopped()) return {};
  TimerScope scope(run_.ctx.stats.timer("app.vacuity"));
  check::Vacuity::Budget budget(std::clamp(result.seconds / 10, 1.0, 5.0));
  try {
    Problem original = focus(run_.problem, property);
    std::optional<std::string> why = vacuity_.of(
        original, safe->certificate, run_.remarks.premise(property), budget, run_.ctx.stop);
    if (why) return *why;
    return unreached_premise(original, result.seconds, run_.ctx, ask_);
  } catch (const std::bad_alloc&) {
    return {};  // the proof stands
  }
}

Status Answers::settle(std::size_t property, check::Certified outcome, std::string_view method) {
  const CheckRequest& request = run_.request;
  std::string engine = request.engine.substr(0, request.engine.find(':'));
  writer::PropertyResult result{run_.problem.properties[property].name,
                                std::move(outcome),
                                {},
                                request.engine,
                                run_.supervisor.elapsed() - start_,
                                {}};
  result.goal = run_.problem.properties[property].goal;
  if (!method.empty()) result.engine += ": " + std::string(method);
  result.reason = reason_text(result.outcome.verdict(), run_.supervisor.cause());
  bool unknown = std::holds_alternative<Unknown>(result.outcome.verdict());
  if (unknown && !result.outcome.note().empty()) result.reason += ": " + result.outcome.note();
  result.depth = depth_of(result.outcome.verdict(), engine, run_.ctx.stats);
  result.vacuous = vacuous(property, result);
  auto place = static_cast<std::size_t>(
      std::find(run_.chosen.begin(), run_.chosen.end(), property) - run_.chosen.begin());
  run_.board.settle(place, result);
  if (run_.chosen.size() > 1)
    run_.console.set_tally(
        fmt::format("{} of {} settled", run_.board.settled(), run_.chosen.size()));
  if (request.native == check::Native::Sandbox &&
      result.outcome.how() == check::Certification::Replayed)
    run_.console.err("note: " + result.property +
                     " is certified by replay: " + result.outcome.note());
  Status written =
      write_evidence(request.outputs, run_.problem, property, run_.labels[place], result.outcome);
  if (written && run_.console.output_lost())
    written = Error{{}, "standard output is lost", ErrorKind::Internal};
  lost_ = !written;
  return written;
}

}  // namespace lem
