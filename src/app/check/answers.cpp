#include "app/check/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/check/reporting.h"
#include "app/evidence/write.h"
#include "base/time_box.h"

namespace lem::app {

static constexpr double kVacuitySeconds = 2;  // at least, for all proofs of a program

/// Looks for a vacuous proof within a tenth of the time that the proof took, but some time at
/// least.
std::string Answers::vacuous(std::size_t property, const writer::PropertyResult& result,
                             const Context& ctx) {
  const Certificate* proof = certificate_of(result.outcome.verdict());
  if (proof == nullptr || ctx.stopped()) return {};
  // A program may have hundreds of assertions: all together take no longer than their verdicts did.
  double most = std::max(kVacuitySeconds, run_.supervisor.elapsed() / 2);
  bool many = run_.problem.is_program() && run_.problem.source.st == nullptr;
  if (many && ctx.stats.timer("app.vacuity").seconds > most) return {};
  TimerScope scope(ctx.stats.timer("app.vacuity"));
  check::Vacuity::Budget budget(std::clamp(result.seconds / 10, 1.0, 5.0));
  try {
    Problem original = focus(run_.problem, property);
    std::optional<std::string> why =
        vacuity_.of(original, *proof, run_.remarks.premise(property), budget, ctx.stop);
    if (why) return *why;
    if (!no_cycle_) no_cycle_ = no_cycle_ends(original, result.seconds, ctx, prover_);
    if (!no_cycle_->empty()) return *no_cycle_;
    return unreached_premise(original, result.seconds, ctx, prover_);
  } catch (const std::bad_alloc&) {
    return {};  // the proof stands
  }
}

/// "auto: ic3"; an engine that was asked for stands alone, with its preset.
static std::string engine_label(const std::string& asked, std::string_view by) {
  std::string engine = asked.substr(0, asked.find(':'));
  return by.empty() || by == engine ? asked : asked + ": " + std::string(by);
}

Status Answers::add(std::size_t property, check::Certified outcome, std::string_view by) {
  const CheckRequest& request = run_.request;
  std::string engine = request.engine.substr(0, request.engine.find(':'));
  writer::PropertyResult result{run_.problem.properties[property].name,
                                std::move(outcome),
                                {},
                                engine_label(request.engine, by),
                                run_.supervisor.elapsed() - start_,
                                {}};
  result.goal = run_.problem.properties[property].goal;
  result.reason = reason_text(result.outcome.verdict(), run_.supervisor.cause());
  bool unknown = is_unknown(result.outcome.verdict());
  if (unknown && !result.outcome.note().empty()) result.reason += ": " + result.outcome.note();
  result.depth = depth_of(result.outcome.verdict(), engine, run_.ctx.stats);
  auto place = static_cast<std::size_t>(
      std::find(run_.chosen.begin(), run_.chosen.end(), property) - run_.chosen.begin());
  run_.board.add(place, result);
  if (run_.chosen.size() > 1)
    run_.console.set_tally(
        fmt::format("{} of {} settled", run_.board.settled(), run_.board.expected()));
  if (request.native == check::Native::Sandbox &&
      result.outcome.how() == check::Certification::Replayed && !result.outcome.note().empty())
    run_.console.err("note: " + result.property +
                     " is certified by replay: " + result.outcome.note());
  return write(place, result.outcome);
}

/// Evidence without a form that was asked for is reported and costs no other property its verdict.
Status Answers::write(std::size_t place, const check::Certified& outcome) {
  Result<WrittenEvidence> evidence =
      write_evidence(run_.request.outputs, run_.problem, run_.chosen[place], run_.labels[place],
                     outcome, run_.remarks.verilog.get());
  if (evidence) run_.board.add_evidence(place, evidence->file);
  if (evidence && !evidence->text.empty()) texts_[place] = evidence->text;
  if (evidence && !evidence->note.empty() && !noted_) {
    run_.console.err("note: " + evidence->note);
    noted_ = true;
  }
  Status written = evidence ? Status(Ok{}) : Status(evidence.error());
  if (!written && written.error().kind == ErrorKind::Usage) {
    run_.console.err(written.error().text());
    incomplete_ = true;
    written = Ok{};
  }
  if (written && run_.console.output_lost())
    written = Error{{}, "standard output is lost", ErrorKind::Internal};
  lost_ = lost_ || !written;
  return written;
}

void Answers::print_evidence() {
  for (const auto& [place, text] : texts_) run_.console.out(text);
}

Status Answers::add_rest() {
  for (std::size_t place = 0; place < run_.chosen.size(); ++place)
    if (!run_.board.has(place))
      if (Status done = add(run_.chosen[place], check::unknown(Reason::Stopped), {}); !done)
        return done;
  return Ok{};
}

/// Takes no longer than the run did, but some seconds at least.
Status Answers::look_again() {
  if (run_.ctx.stopped()) return Ok{};
  TimeBox box(run_.ctx.stop, TimeBox::Seconds(std::max(20.0, run_.supervisor.elapsed())));
  Context ctx = run_.ctx.with_stop(box.token());
  for (std::size_t place = 0; place < run_.chosen.size() && !ctx.stopped(); ++place) {
    writer::PropertyResult result = run_.board.report().results[place];
    if (std::string why = vacuous(run_.chosen[place], result, ctx); !why.empty()) {
      result.vacuous = std::move(why);
      run_.board.amend(place, std::move(result));
      continue;
    }
    if (!is_unsafe(result.outcome.verdict())) continue;
    auto shorter = shorter_run(focus(run_.problem, run_.chosen[place]), result.outcome,
                               result.seconds, ctx, prover_);
    if (!shorter) continue;
    result.outcome = *std::move(shorter);
    result.depth = depth_of(result.outcome.verdict(), {}, run_.ctx.stats);
    if (Status done = write(place, result.outcome); !done) return done;
    run_.board.amend(place, std::move(result));
  }
  run_.board.sum_up_vacuous();
  return Ok{};
}

}  // namespace lem::app
