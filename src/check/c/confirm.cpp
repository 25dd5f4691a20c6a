#include "check/c/confirm.h"

#include "base/assert.h"
#include "check/c/module_replay.h"
#include "check/c/native.h"

namespace lem::check {

/// Without native execution: interprets the LLVM code with the run's inputs.
static Confirmation by_replay(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                              const std::string& why, const std::stop_token& stop) {
  ModuleReplay replayed = replay_module(cfa, source, trace, stop);
  switch (replayed.outcome) {
    case ModuleReplay::Outcome::Reached:
      return {Confirmation::Outcome::Replayed, why};
    case ModuleReplay::Outcome::Stopped:
      return {Confirmation::Outcome::Stopped};
    case ModuleReplay::Outcome::NotReached:
    case ModuleReplay::Outcome::Undecided:
      return {Confirmation::Outcome::Refuted, why + ", and replayed: " + replayed.reason};
  }
  unreachable();
}

Confirmation confirm(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                     const std::string& file, Native mode, const std::stop_token& stop) {
  if (mode == Native::Never) return by_replay(cfa, source, trace, "it is not to be run", stop);
  NativeRun native = run_natively(cfa, source, trace, file, {}, stop);
  switch (native.outcome) {
    case NativeRun::Outcome::Reached:
      return {Confirmation::Outcome::Ran};
    case NativeRun::Outcome::Stopped:
      return {Confirmation::Outcome::Stopped};
    case NativeRun::Outcome::NoSandbox:
      return by_replay(cfa, source, trace, native.reason, stop);
    case NativeRun::Outcome::NotCompiled:
      // LLVM code may be for another machine.
      if (file.ends_with(".ll") || file.ends_with(".bc"))
        return by_replay(cfa, source, trace, native.reason, stop);
      break;
    case NativeRun::Outcome::NotReached:
      break;
  }
  return {Confirmation::Outcome::Refuted, native.reason};
}

}  // namespace lem::check
