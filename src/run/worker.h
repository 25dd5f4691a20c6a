// A worker: a forked process that does some work on a problem and reports over a pipe.
//
// A crash, a full memory or a solver that cannot be interrupted costs this process, never the run.
// Workers die with their parent (base/fork.h), and with this object.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/context.h"
#include "base/fork.h"
#include "base/growth.h"
#include "model/problem.h"
#include "run/message.h"

namespace lem::run {

/// Reports what it finds about a problem and says why it ended.
using Work = std::function<Reason(const OnFound& found, const Context& ctx)>;

class Worker {
 public:
  /// Forks; the arguments are only used by the child, which works on its copy.
  Worker(const Work& work, const Problem& problem, const Options& options,
         Sampling sampling = Sampling::Off);

  /// Whether the process could be started at all: there may be too many.
  bool alive() const { return process_.started(); }
  int pipe() const { return process_.read_end(); }
  void pause() const;
  void resume() const;
  /// Sends SIGKILL; the destructor reaps.
  void terminate() const;

  /// Reads what is in the pipe without blocking. After the end of the stream `at_end` holds; a
  /// worker that ended without its final word has crashed.
  std::vector<Message> collect();
  bool at_end() const { return at_end_; }
  /// Processor time so far, without that of processes that it started.
  double processor_seconds() const;
  /// Cheap, but counts what it still shares with its parent as its own.
  std::uint64_t resident_bytes() const;
  /// Shared pages count by their share.
  std::uint64_t proportional_bytes() const;

 private:
  static void run(const Work& work, const Problem& problem, const Options& options,
                  Sampling sampling, int write_end);
  Forked process_;
  bool at_end_ = false;
  MessageReader reader_;
};

}  // namespace lem::run
