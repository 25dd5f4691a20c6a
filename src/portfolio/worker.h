// A worker: a forked process that runs one engine configuration and reports over a pipe.
//
// A crash, a full memory or a solver that cannot be interrupted costs this process, never the run.
// Workers die with their parent (base/fork.h), and with this object.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fork.h"
#include "engine/engine.h"
#include "model/rung.h"
#include "portfolio/message.h"
#include "transform/transform.h"

namespace lem::portfolio {

/// One configuration of the portfolio.
struct Member {
  const engine::EngineInfo* engine;  // borrowed from the registry
  std::string settings;              // "ic3.seed=2,...", on top of what the user set
  std::uint32_t turn_ms;  // its first turn, before others get the core; 0: keeps its core
  /// Where the worker brings the portfolio's problem before it runs the engine; none: nowhere.
  std::optional<Rung> rung{};
  /// The problem on that rung if the portfolio made it already; borrowed.
  const transform::Pipeline* prepared = nullptr;
  std::string name() const { return std::string(engine->id) + "{" + settings + "}"; }
};

/// The terms of a problem; nullptr if it has none.
TermStore* store_of(const Problem& problem);

/// Work on several properties: reports what it finds and says why it ended.
using Work = std::function<Reason(const OnFound& found, const Context& ctx)>;

class Worker {
 public:
  /// Forks; the arguments are only used by the child, which works on its copy.
  Worker(const Member& member, const Problem& problem, const Options& options,
         Sampling sampling = Sampling::Off);
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
  static void run(const Member& member, const Problem& problem, const Options& options,
                  Sampling sampling, int write_end);
  static void run(const Work& work, const Problem& problem, const Options& options,
                  Sampling sampling, int write_end);
  Forked process_;
  bool at_end_ = false;
  MessageReader reader_;
};

/// The member's verdict about the problem; Unknown{GaveUp} if the problem has no encoding on the
/// member's rung.
Verdict run_member(const Member& member, const Problem& problem, const Context& ctx);

/// The user's options with the member's settings on top.
/// require: the settings name options of the member's engine.
Options member_options(const Member& member, const Options& base);

}  // namespace lem::portfolio
