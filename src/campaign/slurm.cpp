#include "campaign/slurm.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "base/try.h"
#include "campaign/cluster.h"
#include "campaign/json.h"
#include "campaign/worker.h"

namespace lem::campaign {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kTasksPerCore = 4;
constexpr std::int64_t kMostTasks = 5000;
constexpr std::uint64_t kMemorySlack = 256;  // megabytes, for the worker itself
constexpr std::chrono::milliseconds kCollect{250};
constexpr std::chrono::milliseconds kLongest{2500};  // a stop is heard after that
constexpr std::chrono::seconds kGone{8};             // until cancelled jobs have left the queue
constexpr std::chrono::minutes kSilence{30};         // of the controller
constexpr int kFruitless = 3;

std::string prefix_of(Session& session) {
  return "lemmata-" + session.tag() + "-";
}

/// Takes back what is in the queue, and waits until it has left it.
Status take_back(const Slurm& slurm, const std::string& prefix) {
  for (Clock::time_point end = Clock::now() + kGone;;) {
    LEM_LET(std::vector<Task> tasks, slurm.tasks(prefix));
    if (tasks.empty()) return Ok{};
    std::set<std::string> arrays;
    for (const Task& task : tasks) arrays.insert(std::to_string(task.number));
    LEM_TRY(slurm.cancel(std::vector(arrays.begin(), arrays.end())));
    if (Clock::now() >= end) return Ok{};
    std::this_thread::sleep_for(kCollect);
  }
}

class OnSlurm {
 public:
  OnSlurm(Session& session, const Slurm& slurm, const ClusterWishes& wishes,
          const std::string& program)
      : session_(session),
        slurm_(slurm),
        wishes_(wishes),
        program_(program),
        prefix_(prefix_of(session)) {}

  Status run(const std::stop_token& stop);

 private:
  Status adopt();
  Status look();
  Status submit_missing();
  Status submit(const std::vector<RunSpec>& runs);
  Status leave() { return take_back(slurm_, prefix_); }

  Session& session_;
  const Slurm& slurm_;
  const ClusterWishes& wishes_;
  const std::string& program_;
  std::string prefix_;
  std::map<std::string, Job> jobs_;                              // by name
  std::map<std::int64_t, std::vector<std::int64_t>> bundles_{};  // those at work: their runs
  std::set<std::int64_t> absent_;  // bundles that were not in the queue when last looked at
  std::int64_t next_bundle_ = 0;
  std::int64_t next_submission_ = 0;
  std::int64_t ended_at_submission_ = -1;
  int fruitless_ = 0;
  Clock::time_point heard_ = Clock::now();
};

Status OnSlurm::adopt() {
  LEM_LET(std::vector<Job> jobs, session_.database().jobs());
  for (const Job& job : jobs) {
    jobs_[prefix_ + std::to_string(job.submission)] = job;
    next_bundle_ = std::max(next_bundle_, job.first + job.count);
    next_submission_ = std::max(next_submission_, job.submission + 1);
    for (std::int64_t i = 0; i < job.count; ++i) {
      Result<std::vector<RunSpec>> runs = read_bundle(session_.folder(), job.first + i);
      if (!runs) continue;  // killed before it was written
      std::vector<std::int64_t>& ids = bundles_[job.first + i];
      for (const RunSpec& run : *runs) ids.push_back(run.id);
    }
  }
  return Ok{};
}

/// Bundles that have left the queue are at work no more. The files of a task may be seen a moment
/// later than its end, so that a bundle must be absent twice.
Status OnSlurm::look() {
  Result<std::vector<Task>> tasks = slurm_.tasks(prefix_);
  if (!tasks) {
    if (Clock::now() - heard_ > kSilence) return tasks.error();
    return Ok{};
  }
  heard_ = Clock::now();
  std::set<std::int64_t> alive;
  std::vector<std::string> stuck;
  for (const Task& task : *tasks) {
    auto found = jobs_.find(task.name);
    if (found == jobs_.end()) continue;
    Job& job = found->second;
    if (job.number != task.number) {
      job.number = task.number;  // the session that submitted it did not get to know
      LEM_TRY(session_.database().set_number(job.submission, job.number));
    }
    alive.insert(job.first + task.index);
    if (task.held) stuck.push_back(std::to_string(task.number) + "_" + std::to_string(task.index));
  }
  LEM_TRY(slurm_.cancel(stuck));
  std::set<std::int64_t> absent;
  std::vector<std::string> journals = session_.journals();
  for (auto at = bundles_.begin(); at != bundles_.end();) {
    bool gone = !alive.contains(at->first);
    if (gone && absent_.contains(at->first)) {
      std::string prefix = std::to_string(at->first) + ".";
      auto name = std::lower_bound(journals.begin(), journals.end(), prefix);
      for (; name != journals.end() && name->starts_with(prefix); ++name)
        LEM_TRY(session_.settle(*name, Session::Lost::Yes));
      at = bundles_.erase(at);
      continue;
    }
    if (gone) absent.insert(at->first);
    ++at;
  }
  absent_ = std::move(absent);
  return Ok{};
}

Status OnSlurm::submit(const std::vector<RunSpec>& runs) {
  std::int64_t size =
      bundle_size(static_cast<std::int64_t>(runs.size()), slurm_.cores() / wishes_.cores, wishes_);
  std::size_t at = 0;
  while (at < runs.size()) {
    Job job{next_submission_++, next_bundle_, 0, 0};
    for (; at < runs.size() && job.count < slurm_.most_tasks(); ++job.count) {
      std::size_t end = std::min(runs.size(), at + static_cast<std::size_t>(size));
      std::vector<RunSpec> bundle(runs.begin() + static_cast<std::ptrdiff_t>(at),
                                  runs.begin() + static_cast<std::ptrdiff_t>(end));
      LEM_TRY(write_bundle(session_.folder(), next_bundle_, bundle));
      for (const RunSpec& run : bundle) bundles_[next_bundle_].push_back(run.id);
      ++next_bundle_;
      at = end;
    }
    // Noted before it is submitted: a session that is killed in between finds it by its name.
    LEM_TRY(session_.database().add_job(job));
    Submission submission;
    submission.name = prefix_ + std::to_string(job.submission);
    submission.command = {program_, "campaign", "work", session_.folder()};
    submission.first = job.first;
    submission.count = job.count;
    submission.log = session_.folder() + "/logs/%A.txt";
    submission.cores = wishes_.cores;
    std::uint64_t memory = runs.front().memory_mb;
    submission.memory_mb = memory == 0 ? 0 : memory + kMemorySlack;
    submission.arguments = wishes_.arguments;
    jobs_[submission.name] = job;
    LEM_LET(std::int64_t number, slurm_.submit(submission));
    jobs_[submission.name].number = number;
    LEM_TRY(session_.database().set_number(job.submission, number));
  }
  return Ok{};
}

Status OnSlurm::submit_missing() {
  std::set<std::int64_t> at_work;
  for (const auto& [bundle, ids] : bundles_) at_work.insert(ids.begin(), ids.end());
  LEM_LET(std::vector<RunSpec> runs, session_.missing());
  std::erase_if(runs, [&](const RunSpec& run) { return at_work.contains(run.id); });
  if (runs.empty()) return Ok{};
  fruitless_ = session_.tally().ended == ended_at_submission_ ? fruitless_ + 1 : 0;
  ended_at_submission_ = session_.tally().ended;
  if (fruitless_ >= kFruitless)
    return Error{{session_.folder() + "/logs"},
                 "the cluster ends our jobs before they have done anything; these are their logs",
                 ErrorKind::Internal};
  return submit(runs);
}

Status OnSlurm::run(const std::stop_token& stop) {
  LEM_TRY(adopt());
  // Runs that an earlier session had in the queue are found there, so this comes before the first
  // submission. Twice, as bundles must be absent twice.
  for (int i = 0; i < 2; ++i) LEM_TRY(look());
  LEM_TRY(session_.settle_local());
  Clock::time_point next_look = Clock::now();
  while (!session_.complete() && !stop.stop_requested()) {
    if (Clock::now() >= next_look) {
      Clock::time_point start = Clock::now();
      LEM_TRY(look());
      if (Status submitted = submit_missing(); !submitted) {
        static_cast<void>(leave());
        return submitted;
      }
      // A large queue takes the controller long: it is asked a twentieth of the time.
      next_look = Clock::now() +
                  std::max<Clock::duration>(std::chrono::seconds(1), 20 * (Clock::now() - start));
    }
    // Many journals on a shared file system are looked at less often.
    auto rest = kCollect * (1 + static_cast<std::int64_t>(bundles_.size()) / 250);
    std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(rest, kLongest));
    LEM_TRY(session_.collect());
  }
  LEM_TRY(leave());
  return session_.collect();
}

}  // namespace

Status leave_cluster(Session& session) {
  LEM_LET(std::vector<Job> jobs, session.database().jobs());
  if (jobs.empty() || session.complete()) return Ok{};
  Result<Slurm> slurm = Slurm::find("");
  if (!slurm)
    return Error{{},
                 "jobs of this campaign may still be on a cluster, which does not answer here (" +
                     slurm.error().message + "); go on where it does",
                 ErrorKind::Usage};
  LEM_TRY(take_back(*slurm, prefix_of(session)));
  LEM_TRY(session.collect());
  for (const std::string& name : session.journals())
    if (!name.starts_with("local")) LEM_TRY(session.settle(name, Session::Lost::No));
  return Ok{};
}

static constexpr std::string_view kWishes = "cluster";

void keep_wishes(Database& database, const ClusterWishes& wishes) {
  Json out = {{"cores", wishes.cores}, {"bundle", wishes.bundle}, {"arguments", wishes.arguments}};
  database.set_value(kWishes, out.dump());
}

ClusterWishes kept_wishes(Database& database) {
  Json said = Json::parse(database.value(kWishes), nullptr, false);
  if (!said.is_object()) return {};  // begun by a version that did not keep them
  ClusterWishes wishes;
  try {
    wishes.cores = std::max(1, said.at("cores").get<int>());
    wishes.bundle = said.at("bundle").get<int>();
    wishes.arguments = said.at("arguments").get<std::vector<std::string>>();
  } catch (const Json::exception&) {
    return {};
  }
  return wishes;
}

std::int64_t bundle_size(std::int64_t runs, int cores, const ClusterWishes& wishes) {
  if (wishes.bundle > 0) return wishes.bundle;
  auto shares = [&](std::int64_t parts) { return (runs + parts - 1) / parts; };
  return std::max<std::int64_t>(
      {1, shares(kTasksPerCore * std::max(cores, 1)), shares(kMostTasks)});
}

Status run_on_slurm(Session& session, const Place& place, const ClusterWishes& wishes,
                    const std::string& program, const std::stop_token& stop) {
  LEM_LET(Slurm slurm, Slurm::find(place.partition));
  return OnSlurm(session, slurm, wishes, program).run(stop);
}

}  // namespace lem::campaign
