// The crew: all members of a portfolio on a few cores. As many workers run as there are cores; the
// others wait their turn, stopped but alive, so that no work is lost. Every turn of a member is
// twice as long as the one before: easy models are settled in a first quick round, and hard ones
// are not chopped up.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "portfolio/worker.h"

namespace lem::portfolio {

/// Index into the list of members.
enum class MemberId : std::uint32_t {};
constexpr std::uint32_t index(MemberId id) {
  return static_cast<std::uint32_t>(id);
}

/// What a worker had to say, or that it ended without a word.
struct News {
  enum class Kind { Answer, Progress, Crash };
  MemberId from;
  Kind kind;
  Message message;  // a status line "" for a crash
};

class Crew {
 public:
  /// Borrows the problem and the options. Starts nobody yet.
  Crew(std::vector<Member> members, const Problem& problem, const Options& options,
       std::uint32_t cores, std::uint64_t memory_bytes, Sampling sampling = Sampling::Off);

  /// Keeps every core busy: ends turns, resumes or starts those who wait.
  void take_turns();
  /// Waits for news at most that long.
  std::vector<News> listen(std::chrono::milliseconds patience);
  /// Kills the largest worker while all together hold more memory than allowed; says who.
  std::vector<MemberId> shed_memory();

  void pause_all();
  void resume_all();
  /// This worker is out.
  void dismiss(MemberId id);
  void dismiss_all();
  /// Nobody runs and nobody waits; if nobody was started, then no process could be.
  bool gone() const { return running_.empty() && waiting_.empty(); }
  std::size_t started() const { return started_; }
  bool has_members() const { return !members_.empty(); }
  const Member& member(MemberId id) const { return members_[index(id)]; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Turn {
    MemberId id;
    Clock::time_point ends;
  };
  bool turn_over(const Turn& turn, Clock::time_point now) const;
  void start_next(Clock::time_point now);
  void do_without(MemberId id);
  std::uint64_t total(std::uint64_t (Worker::*size)() const) const;

  std::vector<Member> members_;
  const Problem& problem_;
  const Options& options_;
  std::uint32_t cores_;
  std::uint64_t memory_bytes_;
  Sampling sampling_;
  std::size_t started_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;  // by member; null until started and once out
  std::vector<std::uint32_t> turns_;              // by member: how many it had
  std::deque<MemberId> waiting_;
  std::vector<Turn> running_;
  Clock::time_point next_weighing_{};
};

}  // namespace lem::portfolio
