// C programs and LLVM 14 bitcode to control-flow automata [Lange18 2.4]: clang makes bitcode,
// everything that main calls is inlined, and memory becomes variables of the automaton: each scalar
// at a known place is one, each array under a variable index is an array, so that traces and
// invariants are in terms of the user's variables. Nothing is optimised. More in docs/c.md.
//
// Meaning: signed arithmetic wraps around. A division by zero and an access through null end the
// run, as the processor does. Shifts by the width or more give any value. Uninitialised variables
// have any value, anew each time their block is entered. malloc never fails, free does nothing.
// An access out of bounds neither ends the run nor changes another object; reading there gives any
// value. So no program is reported safe because of such an access. Arith::Int: numbers are
// mathematical. Inputs of unsigned types are at least 0, inputs narrower than int are in their
// range, all others are any integer. Floats are those of IEEE 754 and of their type, rounded as
// fesetround says; long double is that of x87. A conversion to an integer that does not fit gives
// any number, and NaN any sign.
//
// Limits: no indirect calls, memory read with types that overlap in part, addresses as
// numbers, recursion: refused with place and construct. Tests: tests/unit/frontend/c/.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/c_marks.h"
#include "model/c_source.h"
#include "model/problem.h"

namespace lem::c {

struct COptions {
  enum class Arith : std::uint8_t { Bits, Int };
  Arith arith = Arith::Bits;
  std::uint32_t pointer_bits = 32;      // 32: ILP32, 64: LP64; of C only, bitcode has chosen
  std::uint32_t expanded_elements = 8;  // arrays up to this many are variables, one per element
  std::string clang = "clang-14";
};

struct CProgram {
  Cfa cfa;
  std::string file;
  std::vector<CVariable> variables;             // in the order of cfa.variables()
  std::vector<CInput> inputs;                   // by edge
  std::shared_ptr<const std::string> module{};  // as CSource has it
  CMarks marks{};
  bool asserts = true;              // something, somewhere
  std::uint32_t pointer_bits = 32;  // of the module
};

/// Reads .c, .i, .ll and .bc. A stop request ends the compiler; it is an error then.
Result<CProgram> read_c(const std::string& path, const COptions& options,
                        const std::stop_token& stop = {});

/// The same as a problem with one property: no run ends at the error location.
Result<Problem> read_c_problem(const std::string& path, const COptions& options,
                               const std::stop_token& stop = {});

}  // namespace lem::c
