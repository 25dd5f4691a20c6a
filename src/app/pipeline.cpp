#include "app/pipeline.h"

#include <new>
#include <vector>

#include "app/answers.h"
#include "app/choose.h"
#include "app/evidence.h"
#include "app/plc.h"
#include "app/reporting.h"
#include "app/scoreboard.h"
#include "app/supervisor.h"
#include "check/certify.h"
#include "frontend/frontend.h"
#include "portfolio/prove.h"
#include "schedule/schedule.h"

namespace lem {

static AskAgain ask_again(const CheckRequest& request, const portfolio::Selectable& selected) {
  return [&](const Problem& problem, std::string_view engine, const Context& ctx) {
    const portfolio::Selectable* other =
        engine.empty() ? nullptr : portfolio::find_selectable(engine);
    return portfolio::prove(problem, other == nullptr ? selected : *other,
                            {request.certify, request.native}, ctx);
  };
}

/// With a full memory as one more reason not to know, and the shortest run of a PLC program.
static Result<check::Certified> prove(const Problem& original, const CheckRequest& request,
                                      const portfolio::Selectable& selected, const Context& ctx,
                                      Supervisor& supervisor) {
  if (ctx.stopped()) return check::trust_unchecked(Unknown{Reason::Stopped});
  double start = supervisor.elapsed();
  try {
    Result<check::Certified> outcome =
        portfolio::prove(original, selected, {request.certify, request.native}, ctx);
    if (!outcome || !std::holds_alternative<Unsafe>(outcome->verdict())) return outcome;
    auto shorter = shorter_run(original, *outcome, supervisor.elapsed() - start, ctx,
                               ask_again(request, selected));
    return shorter ? *std::move(shorter) : outcome;
  } catch (const std::bad_alloc&) {
    supervisor.request(StopCause::Memory);
  }
  return check::trust_unchecked(Unknown{Reason::Stopped});
}

/// One property by the engine alone, several by the schedule.
static Status check_chosen(const Answers::Run& run, const portfolio::Selectable& selected,
                           Answers& answers) {
  schedule::Hooks hooks;
  hooks.prove = [&](const Problem& one, const Context& ctx) {
    return prove(one, run.request, selected, ctx, run.supervisor);
  };
  hooks.settle = [&](std::size_t property, check::Certified outcome, std::string_view method) {
    return answers.settle(property, std::move(outcome), method);
  };
  if (run.chosen.size() > 1) {
    using schedule::Shortcuts;
    bool any_method = selected.engine == nullptr;
    return schedule::check_all(run.problem, run.chosen, any_method ? Shortcuts::Yes : Shortcuts::No,
                               hooks, run.ctx);
  }
  std::size_t only = run.chosen.front();
  Result<check::Certified> outcome = hooks.prove(focus(run.problem, only), run.ctx);
  if (!outcome) return outcome.error();
  return hooks.settle(only, *std::move(outcome), {});
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
  Result<Problem> problem =
      frontend::read_problem(request.file, request.input, &remarks, supervisor.token());
  if (!problem && ctx.stopped()) return end_early(request, board, stats, supervisor, console);
  if (!problem) return console.fail(problem.error());
  Result<std::vector<std::size_t>> chosen = choose_properties(*problem, request.properties);
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
  Answers::Run run{request, *problem, *chosen, labels, remarks, ctx, supervisor, board, console};
  Answers answers(run, ask_again(request, plan->selected));
  Status done = check_chosen(run, plan->selected, answers);
  if (console.output_lost()) return ExitCode::Internal;
  if (!done && answers.lost()) return console.fail(done.error());
  if (!done) return fail_keeping_input(request, done.error(), console);
  supervisor.stand_down();
  record_resources(stats, supervisor.elapsed());
  if (Status written = write_results(request, board, stats, console); !written)
    return console.fail(written.error());
  return exit_code(board.report());
}

}  // namespace lem
