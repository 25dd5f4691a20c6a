#include "campaign/cluster.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <sstream>
#include <thread>

#include "base/process.h"
#include "base/try.h"

namespace lem::campaign {

namespace {

constexpr std::chrono::seconds kPatience{60};
constexpr int kTries = 3;

Error failure(const std::vector<std::string>& command, const ProcessEnd& end) {
  std::string said = end.errors.empty() ? end.output : end.errors;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  std::replace(said.begin(), said.end(), '\n', ' ');
  if (said.empty()) said = end.how == ProcessEnd::How::TimedOut ? "no answer" : "failed";
  return {{}, command[0] + ": " + said, ErrorKind::Internal};
}

/// What the command prints. A busy controller is asked again.
Result<std::string> ask(const std::vector<std::string>& command, const std::string& input = {},
                        int tries = kTries) {
  ProcessLimits limits;
  limits.time = kPatience;
  for (int i = 1;; ++i) {
    ProcessEnd end =
        run_process({.args = command, .input = input, .keep_output = true}, limits, {});
    if (end.fine()) return end.output;
    if (i == tries) return failure(command, end);
    std::this_thread::sleep_for(std::chrono::seconds(i));
  }
}

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Result<Slurm> Slurm::find(const std::string& partition) {
  for (const char* name : {"sbatch", "squeue", "scancel", "sinfo"})
    if (!find_program(name))
      return Error{{},
                   std::string(name) + " is not here: --on slurm needs Slurm's commands",
                   ErrorKind::Usage};
  Slurm out;
  out.partition_ = partition;
  // Allocated, idle, other and all cores; the default partition has a star.
  std::vector<std::string> query = {"sinfo", "-h", "-o", "%P %C"};
  if (!partition.empty()) query.insert(query.end(), {"-p", partition});
  Result<std::string> said = ask(query, {}, 1);
  if (!said)
    return Error{{}, "the cluster does not answer: " + said.error().message, ErrorKind::Usage};
  std::istringstream lines(*said);
  bool found = false;
  for (std::string name, cores; lines >> name >> cores;) {
    if (partition.empty() && !name.ends_with('*')) continue;
    found = true;
    out.cores_ = std::max(1, static_cast<int>(number(cores.substr(cores.rfind('/') + 1))));
  }
  if (!found && !partition.empty())
    return Error{{}, "the cluster has no partition '" + partition + "'", ErrorKind::Usage};
  if (Result<std::string> config = ask({"scontrol", "show", "config"}, {}, 1); config) {
    std::size_t at = config->find("MaxArraySize");
    std::size_t value = config->find_first_of("0123456789", at);
    if (at != std::string::npos && value != std::string::npos)
      out.most_tasks_ =
          std::clamp<std::int64_t>(number(std::string_view(*config).substr(value)) - 1, 1, 10'000);
  }
  return out;
}

Result<std::int64_t> Slurm::submit(const Submission& submission) const {
  std::vector<std::string> command = {"sbatch",
                                      "--parsable",
                                      "--job-name=" + submission.name,
                                      "--array=0-" + std::to_string(submission.count - 1),
                                      "--ntasks=1",
                                      "--cpus-per-task=" + std::to_string(submission.cores),
                                      "--requeue",
                                      "--open-mode=append",
                                      "--output=" + submission.log};
  if (!partition_.empty()) command.push_back("--partition=" + partition_);
  if (submission.memory_mb > 0)
    command.push_back("--mem=" + std::to_string(submission.memory_mb) + "M");
  if (!submission.minutes.empty()) command.push_back("--time=" + submission.minutes);
  command.insert(command.end(), submission.arguments.begin(), submission.arguments.end());
  std::string script = "#!/bin/sh\nexec";
  for (const std::string& word : submission.command) script += " " + quoted(word);
  script += " $((" + std::to_string(submission.first) + " + SLURM_ARRAY_TASK_ID))\n";
  // Only once: a call that seems to fail may have been heard.
  LEM_LET(std::string said, ask(command, script, 1));
  std::int64_t value = number(said);
  if (value == 0) return Error{{}, "sbatch: no number in its answer", ErrorKind::Internal};
  return value;
}

Result<std::vector<Task>> Slurm::tasks(const std::string& prefix) const {
  LEM_LET(std::string said, ask({"squeue", "-h", "-r", "--me", "-o", "%j|%F|%K|%T|%r"}));
  std::vector<Task> out;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(prefix)) continue;
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, '|');) fields.push_back(field);
    if (fields.size() < 5) continue;
    const std::string& state = fields[3];
    bool ended = state == "COMPLETED" || state == "CANCELLED" || state == "FAILED" ||
                 state == "TIMEOUT" || state == "OUT_OF_MEMORY" || state == "BOOT_FAIL" ||
                 state == "DEADLINE";
    if (ended) continue;
    // So are tasks that could not be started.
    bool held = fields[4].find("held") != std::string::npos || fields[4] == "JobHeldAdmin";
    out.push_back({fields[0], number(fields[1]), number(fields[2]), held});
  }
  return out;
}

Status Slurm::cancel(std::span<const std::string> what) const {
  if (what.empty()) return Ok{};
  std::vector<std::string> command = {"scancel"};
  command.insert(command.end(), what.begin(), what.end());
  LEM_TRY(ask(command));
  return Ok{};
}

}  // namespace lem::campaign
