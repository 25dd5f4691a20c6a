// The open properties, handed to searches: by what is open and by cores. A job is some properties
// and a configuration of an engine; the queue has a round of them, and budgets double from round to
// round, so that nothing easy waits for something hard:
//
//   `auto`     jobs run in workers. Several properties: groups with similar cones, small cones
//              first, one unrolling for each part of the model, one configuration more in every
//              round. One property: every configuration has its turn, and the first keeps its core.
//   an engine  jobs run in this process, one after the other: every group, then each alone.
//
// What is proved strengthens what is left. Docs: docs/properties.md.
// Tests: tests/unit/run/jobs_test.cpp, tests/fuzz/properties_fuzz_test.cpp.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/result.h"
#include "run/cones.h"
#include "run/members.h"
#include "run/methods/likeness.h"
#include "run/open.h"
#include "run/pool.h"
#include "run/search.h"

namespace lem::run {

class Jobs {
 public:
  /// Borrows all but the members, of which there is at least one. A member that the user chose is
  /// the only one. `prepared`: of the only property, if it is made.
  Jobs(Open& open, std::vector<Member> members, const Settings& settings, const Context& ctx,
       std::optional<Prepared> prepared = {});

  /// Until nothing is open, nobody has anything more to say, or the run is stopped. An error ends
  /// the run.
  Status run();
  /// Why what is open after run() is open.
  Reason reason() const;

 private:
  using Seconds = Pool::Seconds;
  /// Which of members_ works on a job; kUnrolling + n: the n-th joint unrolling of a part, with
  /// larger limits than those before it.
  using Config = std::size_t;
  static constexpr Config kUnrolling = std::size_t{1} << 32;
  static bool is_unrolling(Config config) { return config >= kUnrolling; }
  using Key = std::pair<Config, std::vector<std::size_t>>;
  struct Task {
    Config config;
    std::vector<std::size_t> members;
    Pool::Budget budget;
    Key key() const { return {config, members}; }
  };
  struct Job {
    Task task;
    bool paused = false;
    std::string status{};
    Stats stats{};  // as of its last claim
  };

  Status run_here();
  bool is_chosen() const { return members_.front().chosen; }
  bool is_joint_execution() const;

  // The queue.
  void plan_round();
  void plan_turns();
  void plan_groups(std::vector<std::vector<std::size_t>> groups);
  void plan_unrolling();
  void plan_joint_search();
  bool plan(Config config, const std::vector<std::size_t>& members, Pool::Budget budget);
  Pool::Budget budget_for(std::size_t members) const;
  std::vector<std::vector<std::size_t>> groups() const;
  std::optional<Task> next_task();

  // The jobs.
  enum class Started : std::uint8_t { No, Yes };
  Started fill_cores();
  bool resume(const Task& task);
  void keep_paused(JobId id);
  bool end_oldest_paused();
  Asked asked(const Task& task) const;
  Options options_of(const Task& task) const;
  Work work_of(const Task& task) const;
  std::vector<Proved> proved_beside(const std::vector<std::size_t>& members) const;
  std::vector<std::size_t> with_held(const std::vector<std::size_t>& members) const;
  Status hear(Pool::News news);
  Status check_consistent(std::span<const Pool::News> news);
  Status accept(const Task& task, const Found& found, const Stats& stats);
  Status over(const Task& task, Pool::Kind kind, Reason reason);
  void drop_settled();

  // Methods beside the engines.
  Status simulate_all();
  void propose(std::span<const std::size_t> proved);
  Status try_proposals();

  // For the user.
  void note_growth(const Pool::News& news, Config config);
  void note_depth(const Task& task, const Stats& stats);
  void show() const;
  std::string name_of(Config config) const;

  Open& open_;
  const Settings& settings_;
  const Context& ctx_;
  std::vector<Member> members_;
  const bool several_;                // properties at the start
  bool here_ = false;                 // jobs run in this process
  std::optional<Cones> cones_;        // of several
  std::optional<Prepared> prepared_;  // the last one
  Pool pool_;
  std::deque<Task> queue_;
  std::map<JobId, Job> jobs_;
  std::deque<JobId> paused_;  // oldest first; they may go on
  struct Proposal {
    std::size_t proved, open;  // properties that are alike
  };
  std::optional<Likeness> likeness_;
  std::deque<Proposal> proposals_;
  std::map<std::size_t, std::size_t> proposed_;  // how often, by property
  std::set<Key> exhausted_;                      // have said all they can say
  std::set<Key> died_;                           // once; they may try again
  std::vector<std::uint32_t> turns_;             // by member: of the last property
  std::size_t round_ = 0;
  Seconds budget_;  // of one property in this round
  std::optional<Reason> reason_;
  bool shed_ = false;  // a worker for lack of memory
  Counter &started_, &crashed_, &rejections_, &by_likeness_;
};

}  // namespace lem::run
