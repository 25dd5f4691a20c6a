#include "campaign/local.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/try.h"
#include "campaign/slurm.h"
#include "campaign/worker.h"

namespace lem::campaign {

namespace {

// Between transactions.
constexpr std::chrono::milliseconds kCollect{250};

/// Threads that take the next run when they have ended one. Each keeps a journal of its own.
class Crew {
 public:
  Crew(const std::vector<RunSpec>& runs, const std::string& folder, const std::stop_token& stop)
      : runs_(runs), folder_(folder), stop_(stop) {}
  ~Crew() { give_up_ = true; }  // after the runs at work
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void start(int jobs, const std::string& prefix) {
    working_ = jobs;
    for (int i = 0; i < jobs; ++i)
      threads_.emplace_back([this, name = prefix + "." + std::to_string(i)] { work(name); });
  }
  /// Whether all have ended; waits for that, at most so long.
  bool ended(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, patience, [&] { return working_ == 0; });
  }
  std::optional<Error> error() {
    std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  void work(const std::string& name) {
    std::error_code failed;
    std::filesystem::create_directories(folder_ + "/" + evidence_folder(name), failed);
    while (!stop_.stop_requested() && !give_up_) {
      std::size_t index = next_.fetch_add(1);
      if (index >= runs_.size()) break;
      Status done = work_on(runs_[index], folder_, name, stop_);
      if (done) continue;
      std::lock_guard lock(mutex_);
      error_ = done.error();
      give_up_ = true;
    }
    std::lock_guard lock(mutex_);
    --working_;
    done_.notify_all();
  }

  const std::vector<RunSpec>& runs_;
  const std::string& folder_;
  std::stop_token stop_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> give_up_{false};
  std::mutex mutex_;
  std::condition_variable done_;
  int working_ = 0;
  std::optional<Error> error_;
  std::vector<std::jthread> threads_;  // last: joined first
};

}  // namespace

Status run_locally(Session& session, int jobs, const std::stop_token& stop) {
  LEM_TRY(leave_cluster(session));
  LEM_TRY(session.settle_local());
  LEM_LET(std::vector<RunSpec> runs, session.missing());
  // Journals of earlier sessions stay as they are.
  std::string prefix = "local" + std::to_string(session.journals().size());
  Crew crew(runs, session.folder(), stop);
  crew.start(std::min(jobs, static_cast<int>(runs.size())), prefix);
  while (!crew.ended(kCollect)) LEM_TRY(session.collect());
  LEM_TRY(session.collect());
  if (std::optional<Error> error = crew.error()) return *error;
  return Ok{};
}

}  // namespace lem::campaign
