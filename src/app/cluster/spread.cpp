#include "app/cluster/spread.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <thread>
#include <vector>

#include "app/check/choose.h"
#include "app/check/reporting.h"
#include "app/check/scoreboard.h"
#include "app/cluster/patience.h"
#include "app/cluster/spread_plan.h"
#include "app/evidence/form.h"
#include "app/evidence/write.h"
#include "app/supervisor.h"
#include "app/validate/validate.h"
#include "base/try.h"
#include "campaign/place.h"
#include "campaign/spread.h"
#include "frontend/frontend.h"
#include "writer/file.h"

namespace lem::app {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kPoll{100};

class SpreadRun {
 public:
  /// Borrows all.   require: the board expects the chosen properties
  SpreadRun(const CheckRequest& request, const Problem& problem,
            const std::vector<std::size_t>& chosen, const std::vector<SpreadTask>& tasks,
            const std::string& folder, Supervisor& supervisor, Scoreboard& board, Console& console)
      : request_(request),
        problem_(problem),
        chosen_(chosen),
        tasks_(tasks),
        folder_(folder),
        supervisor_(supervisor),
        board_(board),
        console_(console),
        reasons_(chosen.size()),
        ended_(tasks.size()) {}

  /// Until every property is settled.
  Status wait(campaign::Spread& spread);
  /// To where the user wants it.
  Status copy_evidence() const;

 private:
  Status wait_for_tasks(campaign::Spread& spread);
  void take(const campaign::RunRecord& record);
  void take(const campaign::PropertyRow& row, std::size_t place, const SpreadTask& task,
            const campaign::RunRecord& record);
  void settle(std::size_t place, std::string reason, std::string engine, double seconds,
              writer::TaskAnswer answer);
  std::string evidence_of(std::size_t place, const SpreadTask& task,
                          const campaign::RunRecord& record, bool witness) const;
  bool is_witness(std::size_t place, const std::string& verdict) const;
  bool believed(std::size_t place, const std::string& verdict, const std::string& evidence);
  bool needed(const SpreadTask& task) const;
  bool all_settled() const { return board_.settled() == board_.expected(); }

  const CheckRequest& request_;
  const Problem& problem_;
  const std::vector<std::size_t>& chosen_;
  const std::vector<SpreadTask>& tasks_;
  const std::string& folder_;
  Supervisor& supervisor_;
  Scoreboard& board_;
  Console& console_;
  std::vector<std::string> reasons_;             // why tasks do not know, by place
  std::map<std::size_t, std::string> evidence_;  // files of tasks, by place
  std::vector<bool> ended_;                      // tasks
};

bool SpreadRun::needed(const SpreadTask& task) const {
  return std::any_of(task.places.begin(), task.places.end(),
                     [&](std::size_t place) { return !board_.has(place); });
}

/// A run to a goal is what makes it `safe`.
bool SpreadRun::is_witness(std::size_t place, const std::string& verdict) const {
  bool reach = problem_.properties[chosen_[place]].goal == Goal::Reach;
  return (verdict == "unsafe") != reach;
}

std::string SpreadRun::evidence_of(std::size_t place, const SpreadTask& task,
                                   const campaign::RunRecord& record, bool witness) const {
  if (record.evidence.empty()) return "";
  std::string path = folder_ + "/" + record.evidence;
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return path;
  std::vector<std::size_t> properties;
  for (std::size_t each : task.places) properties.push_back(chosen_[each]);
  std::vector<std::string> labels = evidence_labels(problem_, properties);
  auto at = std::find(task.places.begin(), task.places.end(), place) - task.places.begin();
  const std::string& format = problem_.source.format;
  return path + "/" + labels[static_cast<std::size_t>(at)] +
         std::string(witness ? witness_extension(format) : certificate_extension(format));
}

bool SpreadRun::believed(std::size_t place, const std::string& verdict,
                         const std::string& evidence) {
  if (request_.certify == run::Certify::No) return true;
  ValidateRequest question;
  question.file = request_.file;
  (is_witness(place, verdict) ? question.witness : question.certificate) = evidence;
  question.property = problem_.properties[chosen_[place]].name;
  question.input = request_.input;
  question.native = request_.native;
  Result<std::vector<std::string>> names = validate_evidence(question, supervisor_.token());
  if (names) return true;
  if (supervisor_.cause() == StopCause::None)
    console_.err("evidence of a task is not accepted: " + names.error().text());
  return false;
}

void SpreadRun::settle(std::size_t place, std::string reason, std::string engine, double seconds,
                       writer::TaskAnswer answer) {
  const Property& property = problem_.properties[chosen_[place]];
  writer::PropertyResult result{property.name,     check::unknown(Reason::Stopped),
                                std::move(reason), std::move(engine),
                                seconds,           {}};
  result.goal = property.goal;
  result.task = std::move(answer);
  board_.add(place, std::move(result));
}

void SpreadRun::take(const campaign::PropertyRow& row, std::size_t place, const SpreadTask& task,
                     const campaign::RunRecord& record) {
  if (board_.has(place)) return;
  if (row.verdict == "unknown") {
    reasons_[place] = row.reason;
    return;
  }
  std::string evidence = evidence_of(place, task, record, is_witness(place, row.verdict));
  if (!believed(place, row.verdict, evidence)) return;
  evidence_[place] = evidence;
  bool checked = request_.certify == run::Certify::Yes;
  settle(place, {}, task.name.starts_with("auto") ? row.engine : task.name, row.seconds,
         {row.verdict, record.host, checked});
}

void SpreadRun::take(const campaign::RunRecord& record) {
  const SpreadTask& task = tasks_[static_cast<std::size_t>(record.id)];
  ended_[static_cast<std::size_t>(record.id)] = true;
  for (const campaign::PropertyRow& row : record.properties)
    for (std::size_t place : task.places)
      if (problem_.properties[chosen_[place]].name == row.property) take(row, place, task, record);
}

Status SpreadRun::wait_for_tasks(campaign::Spread& spread) {
  bool last = false;  // the queue is empty: what is in the files now is all
  while (supervisor_.cause() == StopCause::None) {
    for (const campaign::RunRecord& record : spread.news()) {
      take(record);
      if (all_settled()) break;
    }
    bool all_ended = std::all_of(ended_.begin(), ended_.end(), [](bool each) { return each; });
    if (all_settled() || all_ended || last) break;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (ended_[i] || needed(tasks_[i])) continue;
      ended_[i] = true;
      LEM_TRY(spread.cancel(static_cast<std::int64_t>(i)));
    }
    LEM_LET(last, spread.over());
    std::this_thread::sleep_for(kPoll);
  }
  return spread.cancel_all();
}

Status SpreadRun::wait(campaign::Spread& spread) {
  LEM_TRY(wait_for_tasks(spread));
  StopCause cause = supervisor_.cause();
  for (std::size_t place = 0; place < chosen_.size(); ++place) {
    if (board_.has(place)) continue;
    std::string& reason = reasons_[place];
    if (reason.empty()) reason = "no task has an answer";
    if (cause != StopCause::None) reason = name(cause);
    settle(place, reason, request_.engine, 0, {"unknown", "", false});
  }
  return Ok{};
}

Status SpreadRun::copy_evidence() const {
  std::vector<std::string> labels = evidence_labels(problem_, chosen_);
  for (const auto& [place, file] : evidence_) {
    bool witness = is_witness(place, board_.report().results[place].task->verdict);
    const std::string& wanted = witness ? request_.outputs.witness : request_.outputs.certificate;
    if (wanted.empty()) continue;
    std::string target = is_folder(wanted) ? wanted + fs::path(file).filename().string()
                                           : labelled(wanted, labels[place]);
    std::error_code failed;
    if (is_folder(wanted)) fs::create_directory(wanted, failed);
    LEM_LET(std::string bytes, frontend::read_bytes(file));
    LEM_TRY(writer::write_file_atomically(target, bytes));
    board_.add_evidence(place, target);
  }
  return Ok{};
}

/// A name that no other run has, in the current folder: that is one that the nodes see.
Result<std::string> make_folder() {
  std::string name = fs::current_path().string() + "/lemmata-run-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    return Error{{}, "cannot make a folder for the tasks in the current one", ErrorKind::Usage};
  return name;
}

/// Where the tasks share lemmas; empty if they are not to.
Result<std::string> make_lemmas_folder(const Options& options, const std::string& run) {
  if (!options.on("portfolio.share")) return std::string();
  std::string folder = run + "/lemmas";
  if (folder.find(',') != std::string::npos)
    return Error{{folder}, "lemmas cannot be shared in a folder with a comma", ErrorKind::Usage};
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) return Error{{folder}, "cannot be made: " + failed.message(), ErrorKind::Usage};
  return folder;
}

class [[nodiscard]] Removed {
 public:
  explicit Removed(std::string path) : path_(std::move(path)) {}
  ~Removed() {
    std::error_code failed;
    fs::remove_all(path_, failed);
  }
  Removed(const Removed&) = delete;
  Removed& operator=(const Removed&) = delete;

 private:
  std::string path_;
};

/// The evidence is that of a task, in the form that can be checked.
Status check_forms(const CheckRequest& request, const Problem& problem) {
  const std::string& format = problem.source.format;
  auto refused = [&](const char* option, std::string_view form) {
    return Error{
        {},
        fmt::format("with --on, {} has the form that `lemmata validate` checks: {}", option, form),
        ErrorKind::Usage};
  };
  const OutputFiles& out = request.outputs;
  LEM_TRY(check_evidence_forms(out, problem));
  std::string_view witness = witness_extension(format);
  if (!out.witness.empty() && !is_folder(out.witness) &&
      *witness_form(format, out.witness) != *witness_form(format, "x" + std::string(witness)))
    return refused("--witness", witness);
  std::string_view proof = certificate_extension(format);
  if (!out.certificate.empty() && !is_folder(out.certificate) &&
      extension_of(out.certificate) != proof)
    return refused("--certificate", proof);
  bool documents = !out.report.empty() || !out.sarif.empty() || !out.junit.empty();
  if (documents || request.words != Words::Own || request.depth != 0)
    return Error{
        {},
        "--on does not go with --report, --sarif, --junit, --format, --hwmcc, --svcomp and "
        "--depth",
        ErrorKind::Usage};
  return Ok{};
}

}  // namespace

Result<ExitCode> check_on_cluster(const CheckRequest& request,
                                  std::span<const std::string> arguments, Console& console) {
  LEM_LET(int count, campaign::parse_tasks(request.on));
  LEM_LET(Plan plan, plan_run(request));
  Supervisor supervisor({request.limits.seconds, {}}, patient_hooks(console));
  LEM_TRY(supervisor.watching());
  Remarks remarks;
  LEM_LET(Problem problem,
          frontend::read_problem(request.file, request.input, &remarks, supervisor.token()));
  LEM_LET(std::vector<std::size_t> chosen, choose_properties(problem, request.properties));
  if (!request.properties.empty()) remarks.unchecked.clear();
  LEM_TRY(check_forms(request, problem));
  LEM_LET(std::string folder, make_folder());
  Removed removed(folder);
  std::vector<SpreadTask> tasks = spread_tasks(problem, chosen, request.engine, count);
  LEM_LET(std::string lemmas, make_lemmas_folder(plan.options, folder));
  std::vector<campaign::RunSpec> specs =
      spread_specs(request, problem, chosen, tasks, arguments, lemmas);
  LEM_LET(campaign::Spread spread,
          campaign::Spread::start(folder, specs.front().command.front(), specs));
  Scoreboard board = make_scoreboard(request, console);
  announce(request, problem, chosen, remarks, board);
  SpreadRun run(request, problem, chosen, tasks, folder, supervisor, board, console);
  Status done = run.wait(spread);
  supervisor.stand_down();
  LEM_TRY(done);
  LEM_TRY(run.copy_evidence());
  LEM_TRY(write_results(request, board, Stats{}, {plan.options, remarks, nullptr}, console));
  return exit_code(board.report());
}

}  // namespace lem::app
