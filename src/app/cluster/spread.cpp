#include "app/cluster/spread.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "app/check/choose.h"
#include "app/cluster/patience.h"
#include "app/cluster/spread_plan.h"
#include "app/evidence/form.h"
#include "app/evidence/write.h"
#include "app/supervisor.h"
#include "app/validate/validate.h"
#include "app/version.h"
#include "campaign/place.h"
#include "campaign/spread.h"
#include "frontend/frontend.h"
#include "writer/file.h"

namespace lem::app {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::chrono::milliseconds kPoll{100};

/// What is known about one of the chosen properties.
struct Verdicts {
  std::string verdict = "unknown";
  std::string reason{};
  std::string engine{};
  double seconds = 0;
  std::string host{};
  std::string evidence{};  // a file
  bool decided() const { return verdict != "unknown"; }
};

class SpreadRun {
 public:
  SpreadRun(const CheckRequest& request, const Problem& problem,
            const std::vector<std::size_t>& chosen, const std::vector<SpreadTask>& tasks,
            const std::string& folder, Supervisor& supervisor, Console& console)
      : request_(request),
        problem_(problem),
        chosen_(chosen),
        tasks_(tasks),
        folder_(folder),
        supervisor_(supervisor),
        console_(console),
        verdicts_(chosen.size()),
        ended_(tasks.size()) {}

  Status wait(campaign::Spread& spread);
  void print() const;
  Status write() const;
  ExitCode code() const;

 private:
  void take(const campaign::RunRecord& record);
  void take(const campaign::PropertyRow& row, std::size_t place, const SpreadTask& task,
            const campaign::RunRecord& record);
  std::string evidence_of(std::size_t place, const SpreadTask& task,
                          const campaign::RunRecord& record, bool witness) const;
  bool is_witness(std::size_t place, const std::string& verdict) const;
  bool believed(std::size_t place, const std::string& verdict, const std::string& evidence);
  bool needed(const SpreadTask& task) const;
  bool all_decided() const {
    return std::all_of(verdicts_.begin(), verdicts_.end(),
                       [](const Verdicts& one) { return one.decided(); });
  }

  const CheckRequest& request_;
  const Problem& problem_;
  const std::vector<std::size_t>& chosen_;
  const std::vector<SpreadTask>& tasks_;
  const std::string& folder_;
  Supervisor& supervisor_;
  Console& console_;
  std::vector<Verdicts> verdicts_;  // of the chosen properties
  std::vector<bool> ended_;         // tasks
};

bool SpreadRun::needed(const SpreadTask& task) const {
  return std::any_of(task.places.begin(), task.places.end(),
                     [&](std::size_t place) { return !verdicts_[place].decided(); });
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

void SpreadRun::take(const campaign::PropertyRow& row, std::size_t place, const SpreadTask& task,
                     const campaign::RunRecord& record) {
  Verdicts& mine = verdicts_[place];
  if (mine.decided()) return;
  if (row.verdict == "unknown") {
    mine.reason = row.reason;
    return;
  }
  std::string evidence = evidence_of(place, task, record, is_witness(place, row.verdict));
  if (!believed(place, row.verdict, evidence)) return;
  std::string engine = task.name.starts_with("auto") ? row.engine : task.name;
  mine = {row.verdict, "", engine, row.seconds, record.host, evidence};
}

void SpreadRun::take(const campaign::RunRecord& record) {
  const SpreadTask& task = tasks_[static_cast<std::size_t>(record.id)];
  ended_[static_cast<std::size_t>(record.id)] = true;
  for (const campaign::PropertyRow& row : record.properties)
    for (std::size_t place : task.places)
      if (problem_.properties[chosen_[place]].name == row.property) take(row, place, task, record);
}

Status SpreadRun::wait(campaign::Spread& spread) {
  bool last = false;  // the queue is empty: what is in the files now is all
  while (supervisor_.cause() == StopCause::None) {
    for (const campaign::RunRecord& record : spread.news()) {
      take(record);
      if (all_decided()) break;
    }
    bool all_ended = std::all_of(ended_.begin(), ended_.end(), [](bool each) { return each; });
    if (all_decided() || all_ended || last) break;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (ended_[i] || needed(tasks_[i])) continue;
      ended_[i] = true;
      if (Status cancelled = spread.cancel(static_cast<std::int64_t>(i)); !cancelled)
        return cancelled;
    }
    Result<bool> over = spread.over();
    if (!over) return over.error();
    last = *over;
    std::this_thread::sleep_for(kPoll);
  }
  for (Verdicts& one : verdicts_)
    if (!one.decided() && supervisor_.cause() != StopCause::None)
      one.reason = name(supervisor_.cause());
  return spread.cancel_all();
}

void SpreadRun::print() const {
  std::string lines;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const Verdicts& one = verdicts_[i];
    lines += one.verdict + " " + problem_.properties[chosen_[i]].name;
    if (!one.decided()) lines += ": " + (one.reason.empty() ? "no task has an answer" : one.reason);
    lines += "\n";
  }
  if (request_.outputs.json == "-")
    console_.err(lines.substr(0, lines.size() - 1));
  else
    console_.out(lines);
}

ExitCode SpreadRun::code() const {
  auto has = [&](std::string_view verdict) {
    return std::any_of(verdicts_.begin(), verdicts_.end(),
                       [&](const Verdicts& one) { return one.verdict == verdict; });
  };
  if (has("unsafe")) return ExitCode::Unsafe;
  return has("unknown") ? ExitCode::Unknown : ExitCode::Safe;
}

Status SpreadRun::write() const {
  std::vector<std::string> labels = evidence_labels(problem_, chosen_);
  Json rows = Json::array();
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const Verdicts& one = verdicts_[i];
    bool witness = is_witness(i, one.verdict);
    const std::string& wanted = witness ? request_.outputs.witness : request_.outputs.certificate;
    if (one.decided() && !wanted.empty()) {
      std::string target = is_folder(wanted) ? wanted + fs::path(one.evidence).filename().string()
                                             : labelled(wanted, labels[i]);
      std::error_code failed;
      if (is_folder(wanted)) fs::create_directory(wanted, failed);
      Result<std::string> bytes = frontend::read_bytes(one.evidence);
      if (!bytes) return bytes.error();
      if (Status copied = writer::write_file_atomically(target, *bytes); !copied) return copied;
    }
    Json& row = rows.emplace_back();
    row["property"] = problem_.properties[chosen_[i]].name;
    row["verdict"] = one.verdict;
    row["reason"] = one.decided() ? Json() : Json(one.reason);
    row["engine"] = one.engine;
    row["seconds"] = one.seconds;
    row["certified"] = one.decided() && request_.certify == run::Certify::Yes;
    row["host"] = one.host;
  }
  if (request_.outputs.json.empty()) return Ok{};
  Json out = {{"tool", "lemmata"},     {"version", std::string(version())},
              {"file", request_.file}, {"format", problem_.source.format},
              {"results", rows},       {"stats", Json::object()}};
  std::string text = out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (request_.outputs.json != "-")
    return writer::write_file_atomically(request_.outputs.json, text);
  console_.out(text);
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
  if (Status fits = check_evidence_forms(out, problem); !fits) return fits;
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

ExitCode check_on_cluster(const CheckRequest& request, std::span<const std::string> arguments,
                          Console& console) {
  Result<int> count = campaign::parse_tasks(request.on);
  if (!count) return console.fail(count.error());
  Result<Plan> plan = plan_run(request);
  if (!plan) return console.fail(plan.error());
  Supervisor supervisor({request.limits.seconds, {}}, patient_hooks(console));
  if (Status watching = supervisor.watching(); !watching) return console.fail(watching.error());
  Result<Problem> problem =
      frontend::read_problem(request.file, request.input, nullptr, supervisor.token());
  if (!problem) return console.fail(problem.error());
  Result<std::vector<std::size_t>> chosen = choose_properties(*problem, request.properties);
  if (!chosen) return console.fail(chosen.error());
  if (Status fits = check_forms(request, *problem); !fits) return console.fail(fits.error());
  Result<std::string> folder = make_folder();
  if (!folder) return console.fail(folder.error());
  Removed removed(*folder);
  std::vector<SpreadTask> tasks = spread_tasks(*problem, *chosen, request.engine, *count);
  Result<std::string> lemmas = make_lemmas_folder(plan->options, *folder);
  if (!lemmas) return console.fail(lemmas.error());
  std::vector<campaign::RunSpec> specs =
      spread_specs(request, *problem, *chosen, tasks, arguments, *lemmas);
  auto spread = campaign::Spread::start(*folder, specs.front().command.front(), specs);
  if (!spread) return console.fail(spread.error());
  SpreadRun run(request, *problem, *chosen, tasks, *folder, supervisor, console);
  Status done = run.wait(*spread);
  supervisor.stand_down();
  if (!done) return console.fail(done.error());
  run.print();
  if (Status written = run.write(); !written) return console.fail(written.error());
  return run.code();
}

}  // namespace lem::app
