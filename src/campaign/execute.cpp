#include "campaign/execute.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <thread>

#include "base/process.h"
#include "base/sha256.h"
#include "campaign/journal.h"
#include "campaign/json.h"

namespace lem::campaign {

namespace fs = std::filesystem;
using How = ProcessEnd::How;

namespace {

constexpr double kNoLimit = 1e8;  // seconds
// A run of ours keeps its limit itself, and says so.
constexpr double kGrace = 5;

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  std::size_t start = text.rfind('\n');
  text = start == std::string::npos ? text : text.substr(start + 1);
  text.resize(std::min<std::size_t>(text.size(), 300));
  return text;
}

std::string what_ended(const ProcessEnd& end) {
  switch (end.how) {
    case How::Exited:
      return "exit code " + std::to_string(end.code);
    case How::Signalled:
      return "ended by signal " + std::to_string(end.code);
    case How::TimedOut:
      return "timeout";
    case How::Stopped:
      return "stopped";
    case How::NotStarted:
      return "could not be started";
    case How::TooMuchOutput:
      return "too much output";
  }
  unreachable();
}

void fail(RunRecord& record, const ProcessEnd& end) {
  std::string said = last_line(end.errors);
  record.verdict = "error";
  record.reason = what_ended(end) + (said.empty() ? "" : ": " + said);
}

/// The document of `lemmata check --json -`.
void take_answer(RunRecord& record, const ProcessEnd& end) {
  Json said = Json::parse(end.output, nullptr, false);
  bool answered = end.how == How::Exited && end.code <= 2 && said.is_object();
  if (!answered) return fail(record, end);
  try {
    record.version = said.at("version");
    record.verdict = "safe";
    for (const Json& row : said.at("results")) {
      const Json& reason = row.at("reason");
      PropertyRow property{row.at("property"), row.at("verdict"),
                           reason.is_string() ? reason.get<std::string>() : std::string(),
                           row.at("engine"), row.at("seconds").get<double>()};
      if (worst(record.verdict, property.verdict) != record.verdict) {
        record.verdict = property.verdict;
        record.reason = property.reason;
      }
      if (record.engine.find(property.engine) == std::string::npos)
        record.engine += (record.engine.empty() ? "" : ", ") + property.engine;
      record.properties.push_back(std::move(property));
    }
  } catch (const Json::exception& wrong) {
    record.verdict = "error";
    record.reason = std::string("unreadable answer: ") + wrong.what();
  }
}

/// What the patterns find in the output of a contender.
void take_words(RunRecord& record, const RunSpec& spec, const ProcessEnd& end) {
  std::string text = end.output + "\n" + end.errors;
  auto says = [&](const std::string& pattern) {
    if (pattern.empty()) return false;
    std::smatch found;
    return std::regex_search(text, found, std::regex(pattern, std::regex::multiline));
  };
  record.engine = spec.configuration;
  // A pattern for `safe` may be a part of one for `unsafe`.
  if (end.how == How::TimedOut) {
    record.verdict = "unknown";
    record.reason = "timeout";
  } else if (says(spec.unsafe)) {
    record.verdict = "unsafe";
  } else if (says(spec.safe)) {
    record.verdict = "safe";
  } else if (end.how == How::Exited) {
    record.verdict = "unknown";
    record.reason = "no answer, exit code " + std::to_string(end.code);
  } else {
    fail(record, end);
  }
}

/// A cluster that ends a task signals all of its processes: the run may have ended before the
/// worker knows why.
bool was_stopped(const RunRecord& record, const ProcessEnd& end, const std::string& program,
                 const std::stop_token& stop) {
  bool by_signal = end.how == How::Signalled || record.reason == "interrupted" ||
                   (end.how == How::NotStarted && find_program(program));
  for (int waits = 0; by_signal && waits < 20 && !stop.stop_requested(); ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return by_signal && stop.stop_requested();
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

void note_evidence(RunRecord& record, const std::string& folder, const std::string& evidence) {
  std::vector<fs::path> files = files_in(fs::path(folder) / evidence);
  if (files.empty()) return;
  record.evidence = evidence;
  if (files.size() == 1) record.evidence += "/" + files[0].filename().string();
  record.evidence_hash = hash_of(folder + "/" + record.evidence);
}

}  // namespace

std::string hash_of(const std::string& path) {
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return sha256(bytes_of(path));
  std::string list;
  for (const fs::path& file : files_in(path))
    list += file.filename().string() + " " + sha256(bytes_of(file)) + "\n";
  return list.empty() ? "" : sha256(list);
}

std::optional<RunRecord> execute(const RunSpec& spec, const std::string& folder,
                                 const std::string& evidence, const std::stop_token& stop) {
  Invocation program{.args = spec.command, .keep_output = true};
  for (std::string& word : program.args)
    if (std::size_t at = word.find(kEvidenceWord); at != std::string::npos)
      word.replace(at, kEvidenceWord.size(), folder + "/" + evidence);
  double limit = spec.seconds == 0 ? kNoLimit : spec.seconds + (spec.ours ? kGrace : 0);
  ProcessLimits limits;
  limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(limit * 1000));
  if (!spec.ours) limits.memory_mb = spec.memory_mb;  // of the address space: a coarse limit
  auto start = std::chrono::steady_clock::now();
  ProcessEnd end = run_process(program, limits, stop);
  if (end.how == How::Stopped) return {};
  RunRecord record;
  record.id = spec.id;
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  record.processor_seconds = end.processor_seconds;
  record.memory_kb = end.peak_memory_kb;
  record.host = host_name();
  record.attempts = spec.lost + 1;
  if (spec.ours) {
    take_answer(record, end);
    note_evidence(record, folder, evidence);
  } else {
    take_words(record, spec, end);
  }
  if (was_stopped(record, end, spec.command[0], stop)) return {};
  record.finished = std::chrono::duration_cast<std::chrono::seconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
  return record;
}

}  // namespace lem::campaign
