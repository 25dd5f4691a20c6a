#include "app/cluster/campaign.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <span>
#include <thread>

#include "app/check/request.h"
#include "app/cluster/patience.h"
#include "app/evidence/form.h"
#include "app/option_formats.h"
#include "app/validate/options.h"
#include "base/try.h"
#include "campaign/heartbeat.h"
#include "campaign/local.h"
#include "campaign/place.h"
#include "campaign/report.h"
#include "campaign/slurm.h"
#include "campaign/worker.h"
#include "frontend/frontend.h"
#include "run/selection.h"

namespace lem::app {

namespace fs = std::filesystem;

void declare_campaign(CLI::App& app, CampaignRequest& request) {
  CLI::App* cmd =
      app.add_subcommand("campaign", "many runs, here or on a cluster, into a database");
  cmd->add_option(
      "PLAN", request.inputs,
      "a plan in .yml, or files, folders and patterns; none: goes on with the database");
  cmd->add_option("--db", request.database, "the campaign's database; one that is there goes on");
  cmd->add_option("--on", request.on, "local, local:JOBS, slurm or slurm:PARTITION")
      ->capture_default_str();
  cmd->add_option("--engine", request.engines, "without a plan: configurations, NAME[:PRESET]")
      ->take_all()
      ->allow_extra_args(false);
  cmd->add_option("--set", request.settings, "without a plan: engine.option=value, in all of them")
      ->take_all()
      ->allow_extra_args(false);
  cmd->add_option("--expected", request.expected,
                  "without a plan: names, a table in .csv, or another campaign in .db")
      ->take_all()
      ->allow_extra_args(false);
  cmd->add_option("--repeat", request.repeat, "without a plan: so many seeds")
      ->check(CLI::Range(1U, 1000U));
  declare_limits(*cmd, request.limits);
  cmd->add_flag("-q", request.quiet, "no progress");

  CLI::App* report =
      cmd->add_subcommand("report", "a page about a campaign, with a table and JUnit");
  report->add_option("FILE", request.database, "the campaign's database")->required();
  report->add_option("-o", request.page, "the page; .csv and .xml are put beside it")->required();
  report->add_option("--against", request.against, "another campaign, to say what has changed");

  CLI::App* work = cmd->add_subcommand("work", "a task of the cluster: the runs of one bundle");
  work->group("");  // for jobs that campaigns submit
  work->add_option("FOLDER", request.folder)->required();
  work->add_option("BUNDLE", request.bundle)->required();
}

campaign::Vocabulary campaign_words() {
  campaign::Vocabulary words;
  words.check = [](const std::string& engine, const std::vector<std::string>& settings) -> Status {
    CheckRequest request;
    request.engine = engine;
    request.settings = settings;
    LEM_TRY(plan_run(request));
    return Ok{};
  };
  words.fits = [](const std::string& file, const std::vector<std::string>& arguments) {
    return check_uses(uses_among(arguments), std::span(&file, 1));
  };
  for (const OptionRow& row : run::declared_options().rows())
    if (row.name.ends_with(".seed")) words.seeds.emplace_back(row.name);
  for (const frontend::FormatInfo& format : frontend::all_formats()) {
    std::string_view rest = format.extensions;
    while (!rest.empty()) {
      std::size_t space = rest.find(' ');
      words.endings.emplace_back(rest.substr(0, space));
      rest.remove_prefix(space == rest.npos ? rest.size() : space + 1);
    }
  }
  std::error_code failed;
  words.program = fs::read_symlink("/proc/self/exe", failed).string();
  return words;
}

static bool is_plan(const std::string& path) {
  std::string extension = extension_of(path);
  return extension == ".yml" || extension == ".yaml";
}

/// The plan that was named, or the one that the command line amounts to.
static Result<campaign::Plan> plan_of(const CampaignRequest& request,
                                      const campaign::Vocabulary& words) {
  bool named = std::any_of(request.inputs.begin(), request.inputs.end(), is_plan);
  bool more = !request.engines.empty() || !request.settings.empty() || !request.expected.empty() ||
              request.repeat != 0 || request.limits.seconds || request.limits.megabytes;
  if (named && request.inputs.size() > 1)
    return Error{{}, "give one plan, or files without a plan", ErrorKind::Usage};
  if (named && more)
    return Error{{},
                 "a plan says itself what this option is for: engines, limits, seeds, "
                 "expected verdicts",
                 ErrorKind::Usage};
  if (named) return campaign::read_plan(request.inputs[0], words);
  campaign::Plan plan;
  plan.base = fs::current_path().string();
  plan.inputs = request.inputs;
  std::vector<std::string> engines = request.engines;
  if (engines.empty()) engines.emplace_back("auto");
  for (const std::string& engine : engines) {
    LEM_TRY(words.check(engine, request.settings));
    plan.configurations.push_back({.name = engine, .engine = engine, .settings = request.settings});
  }
  plan.seconds = request.limits.seconds.value_or(0);
  plan.memory_mb = request.limits.megabytes.value_or(0);
  plan.expected = request.expected.empty() ? std::vector<std::string>{"names"} : request.expected;
  for (std::uint32_t i = 1; i <= request.repeat; ++i) plan.seeds.push_back(i);
  return plan;
}

static std::string duration(double seconds) {
  if (seconds < 0) return "";
  auto all = static_cast<std::int64_t>(seconds);
  if (all < 100) return fmt::format(", about {} s left", all + 1);
  if (all < 6000) return fmt::format(", about {} min left", (all + 59) / 60);
  return fmt::format(", about {} h left", (all + 3599) / 3600);
}

static campaign::OnProgress progress_line(Console& console) {
  return [&console](const campaign::Tally& tally, double left) {
    std::string status = fmt::format("{}/{} runs", tally.ended, tally.planned);
    if (tally.wrong > 0) status += fmt::format(", {} WRONG", tally.wrong);
    if (tally.errors > 0) status += fmt::format(", {} errors", tally.errors);
    console.set_status(status + duration(left));
  };
}

// Whether the user asked for a comparison: a value of the database, for runs that go on.
static constexpr const char* kComparison = "comparison";

/// The user wants verdicts compared, and no run has one to compare with.
static bool compares_nothing(campaign::Session& session) {
  return session.database().value(kComparison) == "wanted" && session.tally().expecting == 0;
}

static std::string summary(const campaign::Tally& tally, bool nothing_compared) {
  std::string wrong = nothing_compared ? "nothing was compared: no run has an expected verdict"
                                       : fmt::format("{} wrong", tally.wrong);
  return fmt::format("{} of {} runs: {} safe, {} unsafe, {} unknown, {} errors, {}\n", tally.ended,
                     tally.planned, tally.safe, tally.unsafe, tally.unknown, tally.errors, wrong);
}

/// `0 wrong` says little if few verdicts were compared.
static std::string comparison(const campaign::Tally& tally) {
  if (tally.ended == 0 || tally.compared == tally.ended) return "";
  if (tally.compared == 0) return "nothing was compared with an expected verdict";
  return fmt::format("{} of {} runs were compared with an expected verdict", tally.compared,
                     tally.ended);
}

static ExitCode judge(campaign::Session& session) {
  const campaign::Tally& tally = session.tally();
  if (tally.wrong > 0) return ExitCode::Unsafe;
  bool fine = session.complete() && tally.errors == 0 && !compares_nothing(session);
  return fine ? ExitCode::Safe : ExitCode::Unknown;
}

/// What a run that goes on with the database has to know.
static void keep_plan(campaign::Session& session, const campaign::Plan& plan,
                      const CampaignRequest& request) {
  campaign::keep_wishes(session.database(), plan.cluster);
  // Without a plan names of files are taken where they say something.
  bool named = std::any_of(request.inputs.begin(), request.inputs.end(), is_plan);
  bool wanted = named ? !plan.expected.empty() : !request.expected.empty();
  session.database().set_value(kComparison, wanted ? "wanted" : "");
}

static ExitCode execute(const CampaignRequest& request, Console& console) {
  if (request.database.empty())
    return console.fail({{}, "--db is required: the campaign's database", ErrorKind::Usage});
  Result<campaign::Place> place = campaign::parse_place(request.on);
  if (!place) return console.fail(place.error());
  campaign::Vocabulary words = campaign_words();
  campaign::Plan plan;
  std::vector<campaign::RunSpec> runs;
  if (!request.inputs.empty()) {
    Result<campaign::Plan> made = plan_of(request, words);
    if (!made) return console.fail(made.error());
    plan = std::move(*made);
    Result<std::vector<campaign::RunSpec>> all = campaign::expand(plan, words);
    if (!all) return console.fail(all.error());
    runs = std::move(*all);
  }
  console.allow_live(request.quiet ? LiveLine::Off : LiveLine::On);
  Supervisor supervisor({}, patient_hooks(console));
  if (Status watching = supervisor.watching(); !watching) return console.fail(watching.error());
  auto session = campaign::Session::open(request.database, runs, progress_line(console));
  if (!session) return console.fail(session.error());
  if (!request.quiet && (*session)->tally().ended > 0)
    console.err(fmt::format("{}: {} of {} runs are there already", request.database,
                            (*session)->tally().ended, (*session)->tally().planned));
  if (request.inputs.empty())
    plan.cluster = campaign::kept_wishes((*session)->database());
  else
    keep_plan(**session, plan, request);
  int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  bool local = place->kind == campaign::Place::Kind::Local;
  Status done = local ? campaign::run_locally(**session, place->jobs == 0 ? cores : place->jobs,
                                              supervisor.token())
                      : campaign::run_on_slurm(**session, *place, plan.cluster, words.program,
                                               supervisor.token());
  supervisor.stand_down();
  console.wipe();
  if (!done) return console.fail(done.error());
  console.out(summary((*session)->tally(), compares_nothing(**session)));
  if (std::string some = comparison((*session)->tally()); !some.empty() && !request.quiet)
    console.err(some);
  if (!(*session)->complete())
    console.err(fmt::format("interrupted; `lemmata campaign --db {}` goes on", request.database));
  return judge(**session);
}

static ExitCode work(const CampaignRequest& request, Console& console) {
  Supervisor supervisor({}, {[] {}, [](StopCause) {}});
  if (Status watching = supervisor.watching(); !watching) return console.fail(watching.error());
  std::atomic<bool> orphaned{false};
  Status done = Ok{};
  {
    campaign::HeartbeatWatch watch(request.folder, [&] {
      orphaned = true;
      supervisor.request(StopCause::Interrupted);
    });
    done = campaign::work_bundle(request.folder, request.bundle, supervisor.token());
  }
  supervisor.stand_down();
  std::error_code failed;
  // Nobody else will. Tasks that are still to start find nothing to do and end. A folder that has
  // no bundle is not that of a run, whatever file is in it.
  if (orphaned && done.ok()) fs::remove_all(request.folder, failed);
  return done.ok() ? ExitCode::Safe : console.fail(done.error());
}

ExitCode run_campaign(const CLI::App& app, const CampaignRequest& request, Console& console) {
  if (app.got_subcommand("work")) return work(request, console);
  if (!app.got_subcommand("report")) return execute(request, console);
  Status made = campaign::write_report(request.database, request.page, request.against);
  return made.ok() ? ExitCode::Safe : console.fail(made.error());
}

}  // namespace lem::app
