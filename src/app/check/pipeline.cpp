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
#include "base/try.h"
#include "check/certify.h"
#include "frontend/frontend.h"
#include "model/format.h"
#include "run/prove.h"

namespace lem::app {

/// --depth and --hwmcc are for some models only.
static Status check_mode(const CheckRequest& request, const Problem& problem, std::size_t chosen) {
  auto usage = [&](std::string message) {
    return Error{{request.file}, std::move(message), ErrorKind::Usage};
  };
  if (request.depth != 0 && (problem.is_program() || problem.is_horn()))
    return usage(
        "--depth counts steps of circuits and transition systems; programs and nonlinear Horn "
        "clauses have none");
  if (request.words == Words::Hwmcc && !facts_of(problem.source.format).hwmcc)
    return usage("--hwmcc is for AIGER and BTOR2");
  if (request.words == Words::Hwmcc && chosen != 1)
    return usage("--hwmcc is for models with one property; this one has " + std::to_string(chosen) +
                 " (--property chooses one)");
  return Ok{};
}

namespace {

/// One run: what it has so far, and the steps of check_file().
class CheckRun {
 public:
  CheckRun(const CheckRequest& request, Plan plan, Console& console);

  Status start();
  Status read();
  /// Whether there is a model; the run may be stopped before.
  bool is_read() const { return problem_.has_value(); }
  Status choose();
  Status check_fit() const;
  Status prove();
  Result<ExitCode> report();

 private:
  Growth* growth() { return growth_ ? &*growth_ : nullptr; }
  /// Whether the engine works, and counts, in this process.
  bool is_alone() const { return !plan_.selected.is_auto(); }
  Status share_lemmas();

  const CheckRequest& request_;
  Console& console_;
  Plan plan_;
  std::optional<TemporaryFolder> lemmas_;
  Stats stats_;
  Log log_;
  ProgressNotes notes_;
  std::optional<Growth> growth_;  // for the report
  Progress progress_;
  Scoreboard board_;
  Supervisor supervisor_;
  Context ctx_;
  Remarks remarks_;
  std::optional<Problem> problem_;
  std::vector<std::size_t> chosen_;  // properties
  std::vector<std::string> labels_;  // of their evidence files
  bool incomplete_ = false;          // some evidence has no form that was asked for
};

CheckRun::CheckRun(const CheckRequest& request, Plan plan, Console& console)
    : request_(request),
      console_(console),
      plan_(std::move(plan)),
      log_(make_log(request, console)),
      growth_(request.outputs.report.empty() ? std::nullopt : std::optional(Growth())),
      progress_(make_progress(request, console, notes_, stats_, is_alone() ? growth() : nullptr)),
      board_(make_scoreboard(request, console, &notes_)),
      supervisor_(request.limits, make_hooks(request, console, board_)),
      ctx_{plan_.options, stats_, log_, progress_, supervisor_.token()} {}

Status CheckRun::start() {
  LEM_TRY(share_lemmas());
  return supervisor_.watching();
}

/// Where this run's workers share lemmas, if they are to and the user named no folder; gone with
/// the run.
Status CheckRun::share_lemmas() {
  Options& options = plan_.options;
  if (!options.on("portfolio.share") || !options.text("ic3.lemmas").empty()) return Ok{};
  lemmas_.emplace();
  if (lemmas_->path().empty())
    return Error{{}, "no folder for shared lemmas: " + lemmas_->error(), ErrorKind::Usage};
  return options.set("ic3.lemmas", lemmas_->path());
}

Status CheckRun::read() {
  Result<Problem> problem =
      frontend::read_problem(request_.file, request_.input, &remarks_, ctx_.stop);
  if (problem) problem_ = *std::move(problem);
  return problem || ctx_.stopped() ? Status(Ok{}) : problem.error();
}

Status CheckRun::choose() {
  LEM_LET(chosen_, choose_properties(*problem_, request_.properties));
  labels_ = evidence_labels(*problem_, chosen_);
  if (!request_.properties.empty()) remarks_.unchecked.clear();  // the user chose among the others
  return Ok{};
}

/// Whether request, model and engine fit together.
Status CheckRun::check_fit() const {
  LEM_TRY(check_mode(request_, *problem_, chosen_.size()));
  LEM_TRY(check_evidence_forms(request_.outputs, *problem_));
  LEM_TRY(run::check_fits(*problem_, chosen_, plan_.selected, ctx_));
  return check_evidence_files(request_, labels_);
}

Status CheckRun::prove() {
  announce(request_, *problem_, chosen_, remarks_, board_);
  Prover prover{plan_.selected, {request_.certify, request_.native, growth()}};
  Answers answers(
      {request_, *problem_, chosen_, labels_, remarks_, ctx_, supervisor_, board_, console_},
      prover);
  auto settled = [&](std::size_t property, check::Certified outcome, std::string_view by) {
    return answers.add(property, std::move(outcome), by);
  };
  Status done = Ok{};
  try {
    done = run::prove_all(*problem_, chosen_, prover.selected, prover.settings, settled, ctx_);
  } catch (const std::bad_alloc&) {  // a reason to stop
    supervisor_.request(StopCause::Memory);
    done = answers.add_rest();
  }
  if (done) done = answers.look_again();
  answers.print_evidence();
  if (growth_ && is_alone()) growth_->add(request_.engine, stats_, resident_bytes_of_self(), {});
  incomplete_ = answers.incomplete();
  if (done || console_.output_lost()) return Ok{};
  return answers.lost() ? done.error() : keeping_input(request_, done.error());
}

/// All but the verdict lines, which are printed as they come. If no model was read, the file stands
/// for its properties.
Result<ExitCode> CheckRun::report() {
  if (console_.output_lost()) return ExitCode::Internal;
  supervisor_.stand_down();
  if (!is_read()) (void)board_.close(supervisor_.cause(), request_.engine);
  record_resources(stats_, supervisor_.elapsed());
  LEM_TRY(write_results(request_, board_, stats_, {plan_.options, remarks_, growth()}, console_));
  return incomplete_ ? ExitCode::Usage : exit_code(board_.report());
}

}  // namespace

Result<ExitCode> check_file(const CheckRequest& request, Console& console) {
  try {
    LEM_LET(Plan plan, plan_run(request));
    CheckRun run(request, std::move(plan), console);
    LEM_TRY(run.start());
    LEM_TRY(run.read());
    if (!run.is_read()) return run.report();
    LEM_TRY(run.choose());
    LEM_TRY(run.check_fit());
    LEM_TRY(run.prove());
    return run.report();
  } catch (const std::bad_alloc&) {
    console.out(request.words == Words::Hwmcc ? "unknown\n"
                                              : "unknown " + request.file + ": memory\n");
    return ExitCode::Unknown;
  }
}

}  // namespace lem::app
