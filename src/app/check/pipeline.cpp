#include "app/check/pipeline.h"

#include <new>
#include <optional>
#include <vector>

#include "app/check/advice.h"
#include "app/check/answers.h"
#include "app/check/choose.h"
#include "app/check/plc.h"
#include "app/check/reporting.h"
#include "app/check/scoreboard.h"
#include "app/evidence/write.h"
#include "app/supervisor.h"
#include "base/temporary_folder.h"
#include "check/certify.h"
#include "frontend/frontend.h"
#include "run/prove.h"

namespace lem::app {

/// Steps of a run of a circuit or a transition system; 0 for other verdicts.
static std::size_t steps_of(const Verdict& verdict) {
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (unsafe == nullptr || std::holds_alternative<CfaTrace>(unsafe->run)) return 0;
  return std::holds_alternative<Trace>(unsafe->run) ? unsafe->trace().inputs.size()
                                                    : unsafe->term_trace().steps.size();
}

/// With --depth N longer runs are not reported.
static check::Certified within_depth(check::Certified outcome, const CheckRequest& request) {
  if (request.depth == 0 || steps_of(outcome.verdict()) <= request.depth) return outcome;
  return check::unknown(Reason::BoundReached);
}

/// All chosen properties. A full memory is a reason to stop.
static Status check_chosen(const Answers::Run& run, const Prover& prover, Answers& answers) {
  auto settled = [&](std::size_t property, check::Certified outcome, std::string_view by) {
    return answers.add(property, within_depth(std::move(outcome), run.request), by);
  };
  Status done = Ok{};
  try {
    done =
        run::prove_all(run.problem, run.chosen, prover.selected, prover.settings, settled, run.ctx);
  } catch (const std::bad_alloc&) {
    run.supervisor.request(StopCause::Memory);
    done = answers.add_rest();
  }
  return done ? answers.look_again() : done;
}

/// --depth and --hwmcc are for some models only.
static Status check_mode(const CheckRequest& request, const Problem& problem, std::size_t chosen) {
  auto usage = [&](std::string message) {
    return Error{{request.file}, std::move(message), ErrorKind::Usage};
  };
  if (request.depth != 0 && problem.is_program())
    return usage("--depth counts steps of circuits and transition systems; programs have none");
  if (request.hwmcc && problem.source.format != "aiger" && problem.source.format != "btor2")
    return usage("--hwmcc is for AIGER and BTOR2");
  if (request.hwmcc && chosen != 1)
    return usage("--hwmcc is for models with one property; this one has " + std::to_string(chosen) +
                 " (--property chooses one)");
  return Ok{};
}

/// Stopped while the model was read: no property is known yet, so the file stands for them.
static ExitCode end_early(const CheckRequest& request, Scoreboard& board, Stats& stats,
                          const RunFacts& facts, Supervisor& supervisor, Console& console) {
  supervisor.stand_down();
  (void)board.close(supervisor.cause(), request.engine);
  record_resources(stats, supervisor.elapsed());
  if (Status written = write_results(request, board, stats, facts, console); !written)
    return console.fail(written.error());
  return exit_code(board.report());
}

/// Where this run's workers share lemmas, if they are to and the user named no folder; gone with
/// the run.
static Status share_lemmas(Options& options, std::optional<TemporaryFolder>& folder) {
  if (!options.on("portfolio.share") || !options.text("ic3.lemmas").empty()) return Ok{};
  folder.emplace();
  if (folder->path().empty())
    return Error{{}, "no folder for shared lemmas: " + folder->error(), ErrorKind::Usage};
  return options.set("ic3.lemmas", folder->path());
}

ExitCode check_file(const CheckRequest& request, Console& console) {
  Result<Plan> plan = plan_run(request);
  if (!plan) return console.fail(plan.error());
  std::optional<TemporaryFolder> lemmas;
  if (Status shared = share_lemmas(plan->options, lemmas); !shared)
    return console.fail(shared.error());

  Stats stats;
  Log log = make_log(request, console);
  ProgressNotes notes;
  std::optional<Growth> growth;
  if (!request.outputs.report.empty()) growth.emplace();
  bool alone = plan->selected.engine != nullptr;  // it counts in this process
  Progress progress =
      make_progress(request, console, notes, stats, growth && alone ? &*growth : nullptr);
  Scoreboard board = make_scoreboard(request, console);
  board.set_adviser([&](const writer::PropertyResult& result, const Problem* read) {
    return advise(result, request, read, notes.lines());
  });
  Supervisor supervisor(request.limits, make_hooks(request, console, board));
  if (Status watching = supervisor.watching(); !watching) return console.fail(watching.error());
  Context ctx{plan->options, stats, log, progress, supervisor.token()};

  Remarks remarks;
  const RunFacts facts{plan->options, remarks, growth ? &*growth : nullptr};
  Result<Problem> problem =
      frontend::read_problem(request.file, request.input, &remarks, supervisor.token());
  if (!problem && ctx.stopped())
    return end_early(request, board, stats, facts, supervisor, console);
  if (!problem) return console.fail(problem.error());
  Result<std::vector<std::size_t>> chosen = choose_properties(*problem, request.properties);
  if (!chosen) return console.fail(chosen.error());
  if (Status suits = check_mode(request, *problem, chosen->size()); !suits)
    return console.fail(suits.error());
  if (Status fits = check_evidence_forms(request.outputs, *problem); !fits)
    return console.fail(fits.error());
  if (Status fits = run::check_fits(*problem, *chosen, plan->selected, ctx); !fits)
    return console.fail(fits.error());
  std::vector<std::string> labels = evidence_labels(*problem, *chosen);
  if (Status apart = check_evidence_files(request, labels); !apart)
    return console.fail(apart.error());
  if (!request.properties.empty()) remarks.unchecked.clear();  // the user chose among the others
  board.expect(*problem, *chosen, remarks.unchecked);

  board.warn(remarks.warnings, request.quiet ? Warnings::Hide : Warnings::Show);
  for (std::size_t i = 0; i < remarks.unchecked.size(); ++i)
    board.add(chosen->size() + i, {remarks.unchecked[i].name,
                                   check::unknown(Reason::GaveUp),
                                   remarks.unchecked[i].why,
                                   request.engine,
                                   0,
                                   {}});
  Answers::Run run{request, *problem, *chosen, labels, remarks, ctx, supervisor, board, console};
  Prover prover{plan->selected, {request.certify, request.native, growth ? &*growth : nullptr}};
  Answers answers(run, prover);
  Status done = check_chosen(run, prover, answers);
  answers.print_evidence();
  if (growth && alone) growth->add(request.engine, stats, resident_bytes_of_self(), {});
  if (console.output_lost()) return ExitCode::Internal;
  if (!done && answers.lost()) return console.fail(done.error());
  if (!done) return fail_keeping_input(request, done.error(), console);
  supervisor.stand_down();
  record_resources(stats, supervisor.elapsed());
  if (Status written = write_results(request, board, stats, facts, console); !written)
    return console.fail(written.error());
  return answers.incomplete() ? ExitCode::Usage : exit_code(board.report());
}

}  // namespace lem::app
