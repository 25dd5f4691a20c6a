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
// Limits: numbers as addresses, bytes of addresses, recursion that is not finite: refused with
// place and construct. Tests: tests/unit/frontend/c/.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/c_marks.h"
#include "model/c_source.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::c {

struct COptions {
  enum class Arith : std::uint8_t { Bits, Int };
  Arith arith = Arith::Bits;
  std::uint32_t pointer_bits = 32;      // 32: ILP32, 64: LP64; of C only, bitcode has chosen
  std::uint32_t expanded_elements = 8;  // arrays up to this many are variables, one per element
  std::string clang = "clang-14";
  std::vector<std::string> files{};  // of the program, besides the one that is read
  std::vector<std::string> flags{};  // for the compiler: -I, -D, -U, -include
  std::string compile_commands{};    // a file that says how each file is compiled
  std::string entry{};               // called with any arguments instead of main
  std::uint32_t pointer_size = 4;    // how many elements the arguments of `entry` point to
  std::uint32_t pointer_depth = 3;   // how many objects are behind each other there
  enum class Globals : std::uint8_t { Any, Initial };
  Globals globals = Globals::Any;          // when `entry` is called
  std::vector<std::string> assumptions{};  // conditions in C that hold when `entry` is called
  enum class Undefined : std::uint8_t { Refuse, Nondet };
  Undefined undefined = Undefined::Refuse;  // calls of functions without a body
  enum class Devices : std::uint8_t { Any, Memory };
  Devices devices = Devices::Any;  // reads of volatile memory and of fixed addresses
  /// Together: one property for all that may fail, as SV-COMP has it; Apart: one for each place.
  enum class Errors : std::uint8_t { Together, Apart };
  Errors errors = Errors::Together;
  std::set<CRule> checks{};  // what else is looked for; each place is a property
};

/// Names of rules and groups (memory, arithmetic, all), separated by commas: added to `checks`.
Status parse_checks(const std::string& text, std::set<CRule>& checks);

struct CProgram {
  Cfa cfa;
  std::string file;
  std::vector<CVariable> variables;             // in the order of cfa.variables()
  std::vector<CInput> inputs;                   // by edge
  std::shared_ptr<const std::string> module{};  // as CSource has it
  CMarks marks{};
  std::vector<CProperty> properties{};   // as CSource has them
  bool asserts = true;                   // something, somewhere
  std::uint32_t pointer_bits = 32;       // of the module
  std::vector<std::string> undefined{};  // functions that return any value
  std::vector<std::string> warnings{};   // about the values of --entry
};

/// Reads .c, .i, .ll and .bc. A stop request ends the compiler; it is an error then.
Result<CProgram> read_c(const std::string& path, const COptions& options,
                        const std::stop_token& stop = {});

/// The same as a problem: no run ends at an error location, together or apart.
Result<Problem> read_c_problem(const std::string& path, const COptions& options,
                               const std::stop_token& stop = {}, Remarks* remarks = nullptr);

}  // namespace lem::c
