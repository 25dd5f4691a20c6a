// The open properties under `auto`, handed to workers: by what is open and by cores. A job is some
// properties and a configuration; the queue has a round of them, and every round doubles the
// budgets and adds a configuration. A core without a job gets one of the next round.
// Tests: tests/unit/schedule/schedule_test.cpp.
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
#include "portfolio/members.h"
#include "portfolio/pool.h"
#include "schedule/cones.h"
#include "schedule/likeness.h"
#include "schedule/settling.h"

namespace lem::schedule {

class Jobs {
 public:
  /// Borrows all but the members, of which there is at least one.
  Jobs(Settling& settling, const Cones& cones, std::vector<portfolio::Member> members,
       const Context& ctx, Growth* growth = nullptr);

  /// LastOpen: one property is left, and the whole portfolio may have all cores for it. NoProcess:
  /// no worker could be started. Exhausted: nobody has anything more to say about what is open.
  enum class End : std::uint8_t { Settled, Stopped, LastOpen, NoProcess, Exhausted };
  Result<End> run();
  /// Why nobody knows, after Exhausted.
  Reason reason() const { return reason_; }
  /// Evidence that was not accepted, if there was any.
  const std::optional<Error>& rejected() const { return rejected_; }

 private:
  using Seconds = portfolio::Pool::Seconds;
  /// Which of members_ works on a job; kUnrolling: the joint unrolling of a part.
  using Config = std::size_t;
  static constexpr Config kUnrolling = ~std::size_t{0};
  using Key = std::pair<Config, std::vector<std::size_t>>;
  struct Task {
    Config config;
    std::vector<std::size_t> members;
    Seconds budget;
  };
  struct Running {
    Task task;
    std::string status{};
  };

  void plan_round();
  void plan_groups(std::vector<std::vector<std::size_t>> groups);
  void plan_unrolling();
  void plan_joint_search();
  bool plan(Config config, const std::vector<std::size_t>& members, Seconds budget);
  Seconds budget_for(std::size_t members) const;
  std::vector<std::vector<std::size_t>> groups() const;
  bool fill_cores();
  bool start(const Task& task);
  bool resume(const Task& task);
  void keep_paused(Key key, portfolio::JobId id);
  portfolio::Work work_of(const Task& task) const;
  std::vector<Proved> proved_beside(const std::vector<std::size_t>& members) const;
  Status hear(portfolio::Pool::News news);
  void note_growth(const portfolio::Pool::News& news, Config config);
  Status accept(const Task& task, const Found& found);
  void propose(std::span<const std::size_t> proved);
  Status try_proposals();
  void over(portfolio::JobId id, portfolio::Pool::Kind kind);
  void drop_settled();
  void show() const;
  std::string name_of(Config config) const;

  Settling& settling_;
  const Cones& cones_;
  const Context& ctx_;
  Growth* growth_;  // nullptr: nobody wants to see it
  std::vector<portfolio::Member> members_;
  portfolio::Pool pool_;
  std::deque<Task> queue_;
  std::map<portfolio::JobId, Running> running_;
  struct Proposal {
    std::size_t proved, open;  // properties that are alike
  };
  std::optional<Likeness> likeness_;
  std::deque<Proposal> proposals_;
  std::map<std::size_t, std::size_t> proposed_;          // how often, by property
  std::deque<std::pair<Key, portfolio::JobId>> paused_;  // oldest first; they may go on
  std::set<Key> exhausted_;                              // have said all they can say
  std::set<Key> died_;                                   // once; they may try again
  std::size_t round_ = 0;
  Seconds budget_;  // of one property in this round
  Reason reason_ = Reason::GaveUp;
  std::optional<Error> rejected_;
  Counter &started_, &crashed_, &rejections_, &by_likeness_;
};

}  // namespace lem::schedule
