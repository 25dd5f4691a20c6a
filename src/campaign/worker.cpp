#include "campaign/worker.h"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/process.h"
#include "base/try.h"
#include "campaign/execute.h"
#include "writer/file.h"

namespace lem::campaign {

namespace fs = std::filesystem;

std::string bundle_path(const std::string& folder, std::int64_t bundle) {
  return folder + "/bundles/" + std::to_string(bundle) + ".jsonl";
}

std::string journal_path(const std::string& folder, const std::string& name) {
  return folder + "/journals/" + name + ".jsonl";
}

std::string evidence_folder(const std::string& journal) {
  return "evidence/" + journal;
}

Status write_bundle(const std::string& folder, std::int64_t bundle,
                    const std::vector<RunSpec>& runs) {
  std::string text;
  for (const RunSpec& run : runs) text += to_json(run) + "\n";
  return writer::write_file_atomically(bundle_path(folder, bundle), text);
}

Result<std::vector<RunSpec>> read_bundle(const std::string& folder, std::int64_t bundle) {
  std::ifstream file(bundle_path(folder, bundle));
  if (!file) return Error{{bundle_path(folder, bundle)}, "cannot be read", ErrorKind::NotFound};
  std::vector<RunSpec> runs;
  for (std::string line; std::getline(file, line);) {
    LEM_LET(RunSpec run, spec_from_json(line));
    runs.push_back(std::move(run));
  }
  return runs;
}

RunRecord given_up(const RunSpec& spec, const std::string& hosts) {
  RunRecord record;
  record.id = spec.id;
  record.verdict = "error";
  record.reason = "its node was lost " + std::to_string(spec.lost) + " times while it ran" +
                  (hosts.empty() ? "" : " (" + hosts + ")");
  record.engine = spec.configuration;
  record.host = host_name();
  record.attempts = spec.lost;
  record.finished = std::chrono::duration_cast<std::chrono::seconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
  return record;
}

Status work_on(const RunSpec& spec, const std::string& folder, const std::string& name,
               const std::stop_token& stop) {
  using Kind = JournalLine::Kind;
  Journal journal(journal_path(folder, name));
  Status started = journal.append({Kind::Start, spec.id, host_name(), boot_id(), {}});
  if (!started) return started;
  std::string evidence = evidence_folder(name) + "/" + std::to_string(spec.id);
  std::optional<RunRecord> record = execute(spec, folder, evidence, stop);
  if (!record) return journal.append({Kind::Release, spec.id, {}, {}, {}});
  return journal.append({Kind::End, spec.id, {}, {}, std::move(record)});
}

namespace {

/// What earlier attempts at a bundle have done.
struct Before {
  std::set<std::int64_t> done;
  std::map<std::int64_t, int> lost;
  std::map<std::int64_t, std::string> hosts;
};

void look_at(const std::string& path, Before& before) {
  JournalTail tail;
  for (const JournalLine& line : read_on(path, tail))
    if (line.kind == JournalLine::Kind::End) before.done.insert(line.id);
  for (const auto& [id, line] : tail.open) {
    ++before.lost[id];
    std::string& hosts = before.hosts[id];
    hosts += (hosts.empty() ? "" : ", ") + line.host;
  }
}

std::string attempt_name(std::int64_t bundle, int attempt) {
  return std::to_string(bundle) + "." + std::to_string(attempt);
}

/// The first number whose journal nobody has. Making the file is what takes the bundle.
Result<int> take_bundle(const std::string& folder, std::int64_t bundle, Before& before) {
  for (int attempt = 0;; ++attempt) {
    std::string path = journal_path(folder, attempt_name(bundle, attempt));
    Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.ok()) return attempt;
    if (errno != EEXIST)
      return Error{
          {path}, std::string("cannot be made: ") + std::strerror(errno), ErrorKind::Internal};
    look_at(path, before);
  }
}

}  // namespace

Status work_bundle(const std::string& folder, std::int64_t bundle, const std::stop_token& stop) {
  LEM_LET(std::vector<RunSpec> runs, read_bundle(folder, bundle));
  Before before;
  LEM_LET(int attempt, take_bundle(folder, bundle, before));
  std::string name = attempt_name(bundle, attempt);
  std::string next = journal_path(folder, attempt_name(bundle, attempt + 1));
  std::error_code failed;
  fs::create_directories(folder + "/" + evidence_folder(name), failed);
  for (RunSpec& run : runs) {
    if (stop.stop_requested() || fs::exists(next, failed)) return Ok{};
    if (before.done.contains(run.id)) continue;
    run.lost += before.lost[run.id];
    Status done = Ok{};
    if (run.lost >= kMostLost)
      done = Journal(journal_path(folder, name))
                 .append(
                     {JournalLine::Kind::End, run.id, {}, {}, given_up(run, before.hosts[run.id])});
    else
      done = work_on(run, folder, name, stop);
    if (!done) return done;
  }
  return Ok{};
}

}  // namespace lem::campaign
