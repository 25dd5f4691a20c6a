#include "app/pipeline.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <span>
#include <system_error>
#include <vector>

#include "app/evidence.h"
#include "app/plc.h"
#include "app/reporting.h"
#include "app/scoreboard.h"
#include "app/supervisor.h"
#include "check/certify.h"
#include "check/vacuity.h"
#include "frontend/frontend.h"
#include "portfolio/prove.h"

namespace lem {

static AskAgain ask_again(const CheckRequest& request, const portfolio::Selectable& selected) {
  return [&](const Problem& problem, std::string_view engine, const Context& ctx) {
    const portfolio::Selectable* other =
        engine.empty() ? nullptr : portfolio::find_selectable(engine);
    return portfolio::prove(problem, other == nullptr ? selected : *other,
                            {request.certify, request.native}, ctx);
  };
}

/// `prove` with the clock, and with a full memory as one more reason not to know.
static Result<PropertyResult> check_property(const Problem& original, const CheckRequest& request,
                                             const portfolio::Selectable& selected,
                                             const Context& ctx, Supervisor& supervisor) {
  double start = supervisor.elapsed();
  Result<Certified> outcome = trust_unchecked(Unknown{Reason::Stopped});
  if (!ctx.stopped()) {
    try {
      outcome = portfolio::prove(original, selected, {request.certify, request.native}, ctx);
    } catch (const std::bad_alloc&) {
      supervisor.request(StopCause::Memory);
    }
  }
  if (!outcome) return outcome.error();
  if (std::holds_alternative<Unsafe>(outcome->verdict()))
    if (auto shorter = shorter_run(original, *outcome, supervisor.elapsed() - start, ctx,
                                   ask_again(request, selected)))
      outcome = *std::move(shorter);
  PropertyResult result{original.property().name, *std::move(outcome),          {},
                        request.engine,           supervisor.elapsed() - start, {}};
  result.goal = original.property().goal;
  result.reason = reason_text(result.outcome.verdict(), supervisor.cause());
  bool unknown = std::holds_alternative<Unknown>(result.outcome.verdict());
  if (unknown && !result.outcome.note().empty()) result.reason += ": " + result.outcome.note();
  result.depth = depth_of(result.outcome.verdict(), selected.id, ctx.stats);
  return result;
}

/// Looks for a vacuous proof within a tenth of the time that the proof took, but some time at
/// least.
static std::string vacuous(const Problem& original, Term premise, const PropertyResult& result,
                           check::Vacuity& vacuity, const Context& ctx) {
  const auto* safe = std::get_if<Safe>(&result.outcome.verdict());
  if (safe == nullptr || ctx.stopped()) return {};
  TimerScope scope(ctx.stats.timer("app.vacuity"));
  check::Vacuity::Budget budget(std::clamp(result.seconds / 10, 1.0, 5.0));
  try {
    return vacuity.of(original, safe->certificate, premise, budget, ctx.stop).value_or("");
  } catch (const std::bad_alloc&) {
    return {};  // the proof stands
  } catch (const std::system_error&) {
    return {};  // no thread to be had
  }
}

static Result<std::vector<std::size_t>> choose_properties(const Problem& problem,
                                                          const std::string& wanted) {
  if (problem.properties.empty())
    return nothing_to_check(problem.source.file, problem.source.format);
  std::vector<std::size_t> all(problem.properties.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (wanted.empty()) return all;
  std::erase_if(all, [&](std::size_t i) { return problem.properties[i].name != wanted; });
  if (!all.empty()) return all;
  return Error{{problem.source.file}, "no property is called '" + wanted + "'", ErrorKind::Usage};
}

/// Stopped while the model was read: no property is known yet, so the file stands for them.
static ExitCode end_early(const CheckRequest& request, Scoreboard& board, Stats& stats,
                          Supervisor& supervisor, Console& console) {
  supervisor.stand_down();
  (void)board.close(supervisor.cause(), request.engine);
  record_resources(stats, supervisor.elapsed());
  if (Status written = write_results(request, board, stats, console); !written)
    return console.fail(written.error());
  return exit_code(board.report());
}

ExitCode check_file(const CheckRequest& request, Console& console) {
  Result<Plan> plan = plan_run(request);
  if (!plan) return console.fail(plan.error());

  Stats stats;
  Log log = make_log(request, console);
  Progress progress = make_progress(request, console);
  Scoreboard board = make_scoreboard(request, console);
  Supervisor supervisor(request.limits, make_hooks(request, console, board));
  if (Status watching = supervisor.watching(); !watching) return console.fail(watching.error());
  Context ctx{plan->options, stats, log, progress, supervisor.token()};

  Remarks remarks;
  Result<Problem> problem = read_problem(request.file, request.input, &remarks, supervisor.token());
  if (!problem && ctx.stopped()) return end_early(request, board, stats, supervisor, console);
  if (!problem) return console.fail(problem.error());
  Result<std::vector<std::size_t>> chosen = choose_properties(*problem, request.property);
  if (!chosen) return console.fail(chosen.error());
  if (Status fits = check_evidence_forms(request.outputs, *problem); !fits)
    return console.fail(fits.error());
  if (Status fits = portfolio::check_fits(*problem, *chosen, plan->selected, ctx); !fits)
    return console.fail(fits.error());
  std::vector<std::string> labels = evidence_labels(*problem, *chosen);
  if (Status apart = check_evidence_files(request, labels); !apart)
    return console.fail(apart.error());
  board.expect(*problem, *chosen);

  board.warn(remarks.warnings, request.quiet ? Warnings::Hide : Warnings::Show);
  check::Vacuity vacuity;
  for (std::size_t i = 0; i < chosen->size(); ++i) {
    std::size_t property = (*chosen)[i];
    Problem original = focus(*problem, property);
    Result<PropertyResult> result =
        check_property(original, request, plan->selected, ctx, supervisor);
    if (!result) return fail_keeping_input(request, result.error(), console);
    result->vacuous = vacuous(original, remarks.premise(property), *result, vacuity, ctx);
    if (result->vacuous.empty() && std::holds_alternative<Safe>(result->outcome.verdict()))
      result->vacuous =
          unreached_premise(original, result->seconds, ctx, ask_again(request, plan->selected));
    board.add(*result);
    if (request.native == Native::Sandbox && result->outcome.how() == Certification::Replayed)
      console.err("note: " + result->property +
                  " is certified by replay: " + result->outcome.note());
    Status written =
        write_evidence(request.outputs, *problem, property, labels[i], result->outcome);
    if (!written) return console.fail(written.error());
    if (console.output_lost()) return ExitCode::Internal;
  }
  supervisor.stand_down();
  record_resources(stats, supervisor.elapsed());
  if (Status written = write_results(request, board, stats, console); !written)
    return console.fail(written.error());
  return exit_code(board.report());
}

}  // namespace lem
