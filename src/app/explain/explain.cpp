#include "app/explain/explain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "app/explain/proof.h"
#include "app/explain/text.h"
#include "app/outputs.h"
#include "base/stats.h"
#include "base/time_box.h"
#include "model/st/source.h"
#include "run/prove.h"
#include "run/selection.h"

namespace lem::app {

namespace {

// Shorter runs are looked for as long as a reader is ready to wait.
constexpr double kSecondsForShorter = 10;

/// What runs of such a model are measured in.
std::string unit_of(const Problem& problem) {
  if (problem.source.st != nullptr) return "cycles";
  return problem.is_program() ? "edges of the control flow" : "steps";
}

std::size_t units_of(const Problem& problem, const Run& run) {
  if (problem.source.st == nullptr) return length_of(run);
  return problem.source.st->cycles(problem.cfa(), std::get<CfaTrace>(run).edges);
}

/// Asks bmc for a run with fewer steps.
std::string look_for_shorter(const Problem& problem, const Run& run, check::Native native,
                             const std::stop_token& stop) {
  std::size_t length = units_of(problem, run);
  std::string unit = unit_of(problem);
  std::string here = fmt::format("this run has {} {}", length, unit);
  if (length <= 1) return here + ": no run is shorter";
  TimeBox box(stop, TimeBox::Seconds(kSecondsForShorter));
  Options options = run::declared_options();
  std::string bound = fmt::format("bmc.max-depth={}", length - 2);
  for (const char* setting : {"bmc.step=1", problem.is_program() ? nullptr : bound.c_str()})
    if (setting != nullptr)
      if (Status set = options.set_all(setting); !set) return set.error().message;
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, box.token()};
  Result<check::Certified> found =
      run::prove(problem, *run::find_selectable("bmc"), {.native = native}, ctx);
  const Verdict* verdict = found ? &found->verdict() : nullptr;
  const Run* shorter = verdict == nullptr ? nullptr : run_of(*verdict);
  if (shorter != nullptr && units_of(problem, *shorter) < length)
    return fmt::format(
        "{}; bmc knows one with {} (lemmata check --engine bmc --set bmc.step=1 "
        "--witness FILE writes it)",
        here, units_of(problem, *shorter));
  bool looked =
      shorter != nullptr || (verdict != nullptr && reason_of(*verdict) == Reason::BoundReached);
  if (!looked)
    return fmt::format("{}; whether one is shorter is not known (bmc, {} s)", here,
                       kSecondsForShorter);
  return here + (problem.is_program() ? "; bmc knows no shorter one" : ": no run is shorter (bmc)");
}

Result<Explanation> explain_evidence(const ExplainRequest& request, const std::stop_token& stop) {
  Result<Judged> evidence = judge_evidence(request.evidence, stop);
  if (!evidence) return evidence.error();
  if (const std::string& why = evidence->accepted.undecided; !why.empty())
    return Error{{request.evidence.witness}, why, ErrorKind::Internal};
  const Property& about = evidence->model.properties[evidence->accepted.properties.front()];
  if (about.is_justice())
    return Error{{request.evidence.file},
                 "evidence about a justice property ('" + about.name + "') is not explained",
                 ErrorKind::Usage};
  const auto* run = std::get_if<Run>(&evidence->accepted.contents);
  if (run == nullptr) return explain_proof(*evidence, stop);
  Result<Explanation> out = explain_run(*evidence, stop);
  if (!out) return out;
  Problem problem = focus(evidence->model, evidence->accepted.properties.front());
  out->shortest = look_for_shorter(problem, *run, request.evidence.native, stop);
  return out;
}

ExitCode report(const ExplainRequest& request, const Explanation& found, StopCause cause,
                Console& console) {
  if (request.json != "-") console.out(explanation_text(found));
  Status written = put(request.json, explanation_json(request.evidence.file, found), console);
  if (!written) return console.fail(written.error());
  return !found.minimal && cause != StopCause::None ? ExitCode::Unknown : ExitCode::Safe;
}

Status check_request(const ExplainRequest& request) {
  const ValidateRequest& evidence = request.evidence;
  if (evidence.witness.empty() == evidence.certificate.empty())
    return Error{{}, "give --witness or --certificate", ErrorKind::Usage};
  if (request.json.empty() || request.json == "-") return Ok{};
  Output output{"--json", request.json};
  std::vector<std::string> inputs = evidence.input.all_files(evidence.file);
  inputs.push_back(evidence.witness.empty() ? evidence.certificate : evidence.witness);
  if (Status writable = check_writable(output); !writable) return writable;
  return check_apart(inputs, std::span(&output, 1));
}

}  // namespace

ExitCode run_explanation(const ExplainRequest& request, Console& console) {
  if (Status good = check_request(request); !good) return console.fail(good.error());
  auto unknown = [&](StopCause cause) {
    console.out("unknown " + request.evidence.file + ": " + std::string(name(cause)) + "\n");
    return ExitCode::Unknown;
  };
  auto give_up = [&](StopCause cause) {
    console.hurry();
    _exit(static_cast<int>(console.conclude(unknown(cause))));
  };
  Supervisor supervisor(request.evidence.limits, {[] {}, give_up});
  if (Status watching = supervisor.watching(); !watching) return console.fail(watching.error());
  try {
    Result<Explanation> found = explain_evidence(request, supervisor.token());
    supervisor.stand_down();
    if (found) return report(request, *found, supervisor.cause(), console);
    bool internal = found.error().kind == ErrorKind::Internal;
    if (internal && supervisor.cause() != StopCause::None) return unknown(supervisor.cause());
    if (internal) console.out("rejected: " + found.error().message + "\n");
    return console.fail(found.error());
  } catch (const std::bad_alloc&) {
    return unknown(StopCause::Memory);
  }
}

}  // namespace lem::app
