// How tasks learn that the one who submitted them is gone without a word (SIGKILL, a crash, a lost
// host): it writes a new number into a file of the run's folder every few seconds, and a task ends
// when the number has not changed for a minute by the task's own clock. Numbers and not times:
// clocks of hosts differ, and a network's file system shows old times for a while.
// Tests: tests/cli/campaign_test.py.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace lem::campaign {

/// Beats as long as it lives.
class Heartbeat {
 public:
  explicit Heartbeat(const std::string& folder);

 private:
  std::jthread thread_;
};

/// Calls `silence` once, from a thread of its own, when the folder's heart has stopped or the
/// folder is gone. A folder that has none when this is made, as that of a campaign, is not watched.
class HeartbeatWatch {
 public:
  HeartbeatWatch(const std::string& folder, std::function<void()> silence);

 private:
  std::jthread thread_;
};

}  // namespace lem::campaign
