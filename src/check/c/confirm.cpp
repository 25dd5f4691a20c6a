#include "check/c/confirm.h"

#include <algorithm>

#include "base/assert.h"
#include "check/c/module_replay.h"
#include "check/c/native.h"
#include "ctext/compiler.h"

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

/// Whether the machine says which property fails: it knows the line of __assert_fail, and nothing
/// of calls of reach_error.
static bool shows_which(const CSource& source, const CProperty* about) {
  if (about == nullptr || source.properties.size() < 2 || about->reporter.empty()) return true;
  if (about->reporter != "__assert_fail") return false;
  return std::count_if(
             source.properties.begin(), source.properties.end(), [&](const CProperty& other) {
               return other.reporter == about->reporter && other.at.line == about->at.line;
             }) == 1;
}

/// Where the machine does not tell, the interpreter must have come to this very place.
static bool at_this_place(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                          const std::stop_token& stop, const CProperty* about) {
  return shows_which(source, about) ||
         replay_module(cfa, source, trace, stop, about).outcome == ModuleReplay::Outcome::Reached;
}

/// What is beyond the strings that are inputs is whatever the machine has in that memory, which no
/// argument of a program need be. The interpreter does not read there.
static bool has_strings(const CSource& source) {
  return std::any_of(source.inputs.begin(), source.inputs.end(), [](const CInput& input) {
    return input.function.starts_with(ctext::kArgumentBytes);
  });
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
      if (has_strings(source)) {
        Confirmation again = by_replay(cfa, source, trace, "", stop, about);
        if (again.outcome != Confirmation::Outcome::Replayed) return again;
      }
      if (!at_this_place(cfa, source, trace, stop, about))
        return {Confirmation::Outcome::Refuted, "another assertion may have failed before"};
      return {Confirmation::Outcome::Ran};
    case NativeRun::Outcome::Stopped:
      return {Confirmation::Outcome::Stopped};
    case NativeRun::Outcome::NoSandbox:
      return by_replay(cfa, source, trace, native.reason, stop, about);
    case NativeRun::Outcome::NotCompiled:
      // LLVM code may be for another machine, and a machine may lack the library: floor of 32 bits.
      return by_replay(cfa, source, trace, native.reason, stop, about);
    case NativeRun::Outcome::NotReached:
      // Its uninitialised variables cannot be set in the text of one file.
      if (is_completed(source)) return by_replay(cfa, source, trace, native.reason, stop, about);
      break;
  }
  return {Confirmation::Outcome::Refuted, native.reason};
}

}  // namespace lem::check
