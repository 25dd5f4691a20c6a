#include "check/c/confirm.h"

#include "base/assert.h"
#include "check/c/module_replay.h"
#include "check/c/native.h"

namespace lem::check {

/// Without native execution: interprets the LLVM code with the run's inputs.
static Confirmation by_replay(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                              const std::string& why, const std::stop_token& stop,
                              const CProperty* about) {
  ModuleReplay replayed = replay_module(cfa, source, trace, stop, about);
  switch (replayed.outcome) {
    case ModuleReplay::Outcome::Reached:
      return {Confirmation::Outcome::Replayed, why};
    case ModuleReplay::Outcome::Stopped:
      return {Confirmation::Outcome::Stopped};
    case ModuleReplay::Outcome::NotReached:
    case ModuleReplay::Outcome::Undecided:
      return {Confirmation::Outcome::Refuted,
              why.empty() ? replayed.reason : why + ", and replayed: " + replayed.reason};
  }
  unreachable();
}

/// What the machine cannot tell apart: which of several calls of reach_error was made. The
/// interpreter can, and where it cannot follow the run, the machine's word stands.
static bool at_another_place(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                             const std::stop_token& stop, const CProperty* about) {
  bool clear = about == nullptr || source.properties.size() < 2 ||
               about->reporter == "__assert_fail" || about->reporter.empty();
  if (clear) return false;
  return replay_module(cfa, source, trace, stop, about).outcome ==
             ModuleReplay::Outcome::NotReached &&
         replay_module(cfa, source, trace, stop).outcome == ModuleReplay::Outcome::Reached;
}

/// What the machine does at a wrong access tells nothing; the interpreter knows objects.
static bool shows_natively(CRule rule) {
  switch (rule) {
    case CRule::Assertion:
    case CRule::ErrorCall:
    case CRule::Division:
    case CRule::Overflow:
    case CRule::Shift:
    case CRule::Conversion:
    case CRule::Unreachable:
      return true;
    case CRule::Bounds:
    case CRule::Null:
    case CRule::Uninitialised:
    case CRule::UseAfterFree:
    case CRule::DoubleFree:
    case CRule::Leak:
      return false;
  }
  unreachable();
}

Confirmation confirm(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                     const std::string& file, Native mode, const std::stop_token& stop,
                     const CProperty* about) {
  if (about != nullptr && !shows_natively(about->rule))
    return by_replay(cfa, source, trace, "", stop, about);
  if (mode == Native::Never)
    return by_replay(cfa, source, trace, "it is not to be run", stop, about);
  NativeOptions options;
  options.about = about;
  NativeRun native = run_natively(cfa, source, trace, file, options, stop);
  switch (native.outcome) {
    case NativeRun::Outcome::Reached:
      if (at_another_place(cfa, source, trace, stop, about))
        return {Confirmation::Outcome::Refuted, "another assertion fails before"};
      return {Confirmation::Outcome::Ran};
    case NativeRun::Outcome::Stopped:
      return {Confirmation::Outcome::Stopped};
    case NativeRun::Outcome::NoSandbox:
      return by_replay(cfa, source, trace, native.reason, stop, about);
    case NativeRun::Outcome::NotCompiled:
      // LLVM code may be for another machine.
      if (file.ends_with(".ll") || file.ends_with(".bc") || is_completed(source))
        return by_replay(cfa, source, trace, native.reason, stop, about);
      break;
    case NativeRun::Outcome::NotReached:
      // Its uninitialised variables cannot be set in the text of one file.
      if (is_completed(source)) return by_replay(cfa, source, trace, native.reason, stop, about);
      break;
  }
  return {Confirmation::Outcome::Refuted, native.reason};
}

}  // namespace lem::check
