// C programs and LLVM 14 bitcode to control-flow automata [004 section 2.4]: clang makes bitcode,
// everything that main calls is inlined, and each scalar object in memory becomes one variable of
// the automaton, so that traces and invariants speak of the user's variables. Nothing is optimised.
//
// Meaning: signed arithmetic wraps around. A division by zero ends the run, as the processor does;
// so does reaching the end of a function that never returns. Shifts beyond the width are those of
// SMT-LIB. Uninitialised variables have any value, anew each time their block is entered.
// Arith::Int: numbers are mathematical. Inputs of unsigned types are at least 0, inputs narrower
// than int are in their range, all others are any integer.
//
// Limits: no arrays under a variable index, pointers that live in memory, heap, floats, recursion:
// refused with place and construct. Tests: tests/unit/frontend_c/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/cfa.h"

namespace lem {

struct COptions {
  enum class Arith : std::uint8_t { Bits, Int };
  Arith arith = Arith::Bits;
  std::uint32_t pointer_bits = 32;  // 32: ILP32, 64: LP64; of C only, bitcode has chosen
  std::string clang = "clang-14";
};

enum class COrigin : std::uint8_t { User, Internal };
enum class CSign : std::uint8_t { Signed, Unsigned };

struct CVariable {
  Term term;             // its name is unique: main::x, f::x, f::x@2 in the second copy of f
  std::string name;      // the user's, with members: x, s.a[3]; empty for internal ones
  std::string function;  // where it is declared; empty for globals
  std::uint32_t line = 0;
  std::uint32_t bits = 0;  // in memory, whatever the sort
  CSign sign = CSign::Signed;
  COrigin origin = COrigin::Internal;
};

/// A nondeterministic input: the value of `variable` when `edge` has been taken.
struct CInput {
  EdgeId edge;
  Term variable;
  std::string function;  // __VERIFIER_nondet_int
  CSign sign;
  SourcePos at;
};

struct CProgram {
  Cfa cfa;
  std::string file;
  std::vector<CVariable> variables;  // in the order of cfa.variables()
  std::vector<CInput> inputs;        // by edge
};

/// Reads .c, .i, .ll and .bc.
Result<CProgram> read_c(const std::string& path, const COptions& options);

}  // namespace lem
