// An interpreter of LLVM 14 modules for the checker: runs a program's module with given inputs and
// reports how the run ends. It shares no code with the front end, so that the same error in both is
// unlikely.
//
// Memory consists of objects (globals, locals, what malloc makes), each an array of bytes of its
// own; a pointer is an object and an offset, never an address of this process, and no native
// function is ever called. An operation that the interpreter does not support ends the run with a
// reason.
//
// Bits that were never given a value are tracked one by one: they may be moved, stored and masked
// out; a run that branches on them is undecided. Where signed arithmetic overflows it wraps around.
// malloc never fails and free does nothing; locals are gone when their function returns.
// Limits: no vectors beyond moving them, no variable arguments, atomics or exceptions; little
// endian modules only. Tests: tests/unit/check/c/interpreter_test.cpp.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "model/c_source.h"

namespace lem::check {

/// What the call of an input function returns, as an unsigned number of the result's width.
struct InputBits {
  std::string function;
  mpz_class bits;
};

/// A value that a variable without an initial value starts with.
struct StartBits {
  std::string name;      // with members: x, s.a[3]; a[] and s[].n of arrays
  std::string function;  // that declares it; empty for globals
  std::uint32_t line = 0;
  std::uint32_t bits = 0;  // of one element
  mpz_class value;         // of arrays: of all elements but these
  std::map<std::uint64_t, mpz_class> elements{};
};

/// What a run is expected to end with: a failure of this kind at this place.
struct WantedFailure {
  CRule rule = CRule::Assertion;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct RunValues {
  std::vector<InputBits> inputs;
  std::vector<StartBits> starts;          // in the order of the run
  std::optional<WantedFailure> wanted{};  // none: any error
};

struct InterpreterLimits {
  std::uint64_t steps = 50'000'000;
  std::uint64_t memory = std::uint64_t{256} << 20;  // bytes of all objects
  std::uint32_t calls = 10'000;                     // inside each other
};

struct Interpretation {
  enum class How : std::uint8_t {
    Reached,    // the error, or the failure that was expected
    Exited,     // main returned or exit was called
    Ended,      // by what ends a process or a run: null, division by zero, a failed assumption
    Undecided,  // by what this interpreter cannot decide
    Stopped,
  };
  How how = How::Undecided;
  std::string reason{};    // of Ended and Undecided
  std::uint32_t code = 0;  // of Exited
  std::uint32_t line = 0;  // where, if debug information says so
  std::size_t inputs_taken = 0;
};

/// `module`: bitcode or text.  require: it can be read and is valid
Interpretation interpret(const std::string& module, const RunValues& values,
                         const InterpreterLimits& limits, std::stop_token stop);

}  // namespace lem::check
