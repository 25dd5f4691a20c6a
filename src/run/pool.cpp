#include "run/pool.h"

#include <poll.h>

#include <algorithm>
#include <cassert>
#include <thread>
#include <utility>

namespace lem::run {

static constexpr std::chrono::milliseconds kWeighing{100};
// A worker that waits for another program, or for a core, may take so much longer by the clock.
static constexpr double kPatience = 8;

std::uint32_t cores_for(const Options& options) {
  std::int64_t wanted = options.get("portfolio.workers");
  if (wanted == 0) wanted = std::max(1U, std::thread::hardware_concurrency());
  return static_cast<std::uint32_t>(wanted);
}

std::uint64_t memory_for(const Options& options) {
  std::int64_t megabytes = options.get("portfolio.memory");
  return megabytes == 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(megabytes) << 20;
}

Pool::~Pool() {
  for (const auto& [id, job] : jobs_) job.worker->terminate();
}

std::optional<JobId> Pool::start(const Work& work, const Options& options, Budget budget) {
  assert(has_room() && "a job needs a core");
  auto worker = std::make_unique<Worker>(work, problem_, options, sampling_);
  if (!worker->alive()) return {};
  JobId id{started_++};
  jobs_.emplace(id, Job{std::move(worker), budget, budget.time.count(), Clock::now()});
  return id;
}

std::size_t Pool::running() const {
  return static_cast<std::size_t>(std::count_if(
      jobs_.begin(), jobs_.end(), [](const auto& job) { return !job.second.paused; }));
}

void Pool::resume(JobId id, Budget budget) {
  Job& job = jobs_.at(id);
  assert(job.paused && has_room() && "a job that waits, and a core for it");
  job.budget = budget;
  job.allowed = job.worker->processor_seconds() + budget.time.count();
  job.started = Clock::now();
  job.paused = false;
  job.worker->resume();
}

void Pool::stand_still() {
  for (auto& [id, job] : jobs_)
    if (!job.paused) job.worker->pause();
}

void Pool::go_on() {
  for (auto& [id, job] : jobs_)
    if (!job.paused) job.worker->resume();
}

std::vector<Pool::News> Pool::listen(std::chrono::milliseconds patience) {
  std::vector<pollfd> pipes;
  for (const auto& [id, job] : jobs_)
    if (!job.paused) pipes.push_back({job.worker->pipe(), POLLIN, 0});
  poll(pipes.data(), pipes.size(), static_cast<int>(patience.count()));
  std::vector<News> news;
  for (auto& [id, job] : jobs_) hear(id, job, news);
  shed_memory(news);
  for (const News& one : news)
    if (one.kind == Kind::Ended || one.kind == Kind::Died || one.kind == Kind::Shed) end(one.from);
  return news;
}

/// A paused job may have spoken just before it was paused.
void Pool::hear(JobId id, Job& job, std::vector<News>& news) {
  for (Message& message : job.worker->collect()) {
    Kind kind = std::holds_alternative<Claim>(message)       ? Kind::Found
                : std::holds_alternative<FinalWord>(message) ? Kind::Ended
                                                             : Kind::Status;
    news.push_back({id, kind, std::move(message)});
    if (kind == Kind::Ended) return;
  }
  if (job.worker->at_end()) {
    news.push_back({id, Kind::Died});
  } else if (!job.paused && is_late(job)) {
    job.worker->pause();
    job.paused = true;
    news.push_back({id, Kind::Late});
  }
}

bool Pool::is_late(const Job& job) const {
  Seconds elapsed = Clock::now() - job.started;
  if (elapsed < job.budget.time) return false;
  if (job.budget.of == Budget::Of::Clock) return true;
  return elapsed > kPatience * job.budget.time || job.worker->processor_seconds() > job.allowed;
}

/// The largest go until the others fit. The exact sizes are costly to read: only when the rough
/// ones exceed the limit.
void Pool::shed_memory(std::vector<News>& news) {
  Clock::time_point now = Clock::now();
  if (now < next_weighing_) return;
  next_weighing_ = now + kWeighing;
  auto total = [&](std::uint64_t (Worker::*size)() const) {
    std::uint64_t sum = 0;
    for (const auto& [id, job] : jobs_) sum += (*job.worker.*size)();
    return sum;
  };
  if (total(&Worker::resident_bytes) <= memory_bytes_) return;
  std::uint64_t all = total(&Worker::proportional_bytes);
  std::vector<std::pair<std::uint64_t, JobId>> sizes;
  for (const auto& [id, job] : jobs_) sizes.emplace_back(job.worker->proportional_bytes(), id);
  std::sort(sizes.rbegin(), sizes.rend());
  for (const auto& [size, id] : sizes) {
    if (all <= memory_bytes_) return;
    all -= std::min(all, size);
    bool gone = std::any_of(news.begin(), news.end(), [&](const News& one) {
      return one.from == id && (one.kind == Kind::Ended || one.kind == Kind::Died);
    });
    if (!gone) news.push_back({id, Kind::Shed});
  }
}

}  // namespace lem::run
