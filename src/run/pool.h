// Jobs on a few cores: pieces of work on a problem, each in a process of its own, with a budget of
// time. A job whose budget is used up is paused and can go on later with all that it has learnt.
// Tests: tests/unit/run/pool_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "run/worker.h"

namespace lem::run {

/// Workers that may run at the same time, and the bytes that they may hold together.
std::uint32_t cores_for(const Options& options);
std::uint64_t memory_for(const Options& options);

enum class JobId : std::uint32_t {};

class Pool {
 public:
  using Seconds = std::chrono::duration<double>;
  /// How long a job may run before it is late. Processor: time that it computes, and by the clock
  /// some times as long, since it may wait for a core or for another program.
  struct Budget {
    enum class Of : std::uint8_t { Processor, Clock } of = Of::Processor;
    Seconds time{};
  };
  static constexpr Budget kEndless{Budget::Of::Clock, Seconds(1e18)};

  /// Borrows the problem, whose terms answers are read into.
  Pool(const Problem& problem, std::uint32_t cores, std::uint64_t memory_bytes,
       Sampling sampling = Sampling::Off)
      : problem_(problem), cores_(cores), memory_bytes_(memory_bytes), sampling_(sampling) {}
  /// All are killed before the first is waited for: tearing down large processes takes time.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Of jobs that are not paused.
  std::size_t running() const;
  bool has_room() const { return running() < cores_; }
  std::uint32_t cores() const { return cores_; }
  /// Nothing if no process could be started.   require: has_room()
  std::optional<JobId> start(const Work& work, const Options& options, Budget budget);

  /// Ended: it has nothing more to say. Died: without a last word. Shed: for its memory; all three
  /// are gone. Late: its budget is used up, and it is paused.
  enum class Kind : std::uint8_t { Found, Status, Ended, Died, Shed, Late };
  struct News {
    JobId from;
    Kind kind;
    Message message = StatusLine{};  // Claim, StatusLine or Sample, or FinalWord of one that ended
  };
  /// Waits for news at most that long.
  std::vector<News> listen(std::chrono::milliseconds patience);
  /// A paused job goes on where it was.   require: has_room()
  void resume(JobId id, Budget budget);
  void end(JobId id) { jobs_.erase(id); }
  /// Running jobs leave their cores to the caller until they go on.
  void stand_still();
  void go_on();

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::unique_ptr<Worker> worker;
    Budget budget;              // of this turn
    double allowed;             // processor seconds of all turns
    Clock::time_point started;  // this turn
    bool paused = false;
  };
  void hear(JobId id, Job& job, std::vector<News>& news);
  bool is_late(const Job& job) const;
  void shed_memory(std::vector<News>& news);

  const Problem& problem_;
  std::uint32_t cores_;
  std::uint64_t memory_bytes_;
  Sampling sampling_;
  std::uint32_t started_ = 0;
  std::map<JobId, Job> jobs_;
  Clock::time_point next_weighing_{};
};

}  // namespace lem::run
