// What an automaton's variables and edges are in the C program it was made from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/c_marks.h"
#include "model/cfa.h"

namespace lem {

enum class COrigin : std::uint8_t { User, Internal };
enum class CSign : std::uint8_t { Signed, Unsigned };

struct CVariable {
  Term term;  // its name is unique: main::x, f::x, f::x@2 in the second copy of f
  /// The user's, with members: x, s.a[3]; empty for internal ones. Of arrays, [] stands where the
  /// index belongs, a[] or s[].n; with several, as in m[][], elements are counted through.
  std::string name;
  std::string function;  // where it is declared; empty for globals
  std::uint32_t line = 0;
  std::uint32_t bits = 0;  // in memory, whatever the sort; of arrays, one element's
  CSign sign = CSign::Signed;
  COrigin origin = COrigin::Internal;
  /// Of an enumeration: the names of its values.
  std::shared_ptr<const std::map<std::int64_t, std::string>> enumerators{};
  bool character = false;  // char: people read letters
};

/// A nondeterministic input: the value of `variable` when `edge` has been taken.
struct CInput {
  EdgeId edge;
  Term variable;
  std::string function;  // __VERIFIER_nondet_int
  CSign sign;
  SourcePos at;
};

/// What a property of a C program is about. The first two are stated by the program, the others
/// are undefined behaviour, or near it, that the user asks for.
enum class CRule : std::uint8_t {
  Assertion,
  ErrorCall,  // reach_error and its like, outside of assertions
  Bounds,
  Null,
  Division,
  Overflow,
  Shift,
  Conversion,
  Uninitialised,
  UseAfterFree,
  DoubleFree,
  Leak,
  Unreachable,
};
std::string_view name(CRule rule);
/// What a call of this function reports: clang's checks of undefined behaviour call
/// __ubsan_handle_add_overflow and its like.
std::optional<CRule> rule_of_handler(std::string_view function);
inline constexpr std::string_view kHandlers[] = {
    "__ubsan_handle_add_overflow",        "__ubsan_handle_sub_overflow",
    "__ubsan_handle_mul_overflow",        "__ubsan_handle_negate_overflow",
    "__ubsan_handle_divrem_overflow",     "__ubsan_handle_shift_out_of_bounds",
    "__ubsan_handle_out_of_bounds",       "__ubsan_handle_implicit_conversion",
    "__ubsan_handle_float_cast_overflow", "__ubsan_handle_builtin_unreachable"};

/// A place at which a C program may fail.
struct CProperty {
  std::string name;  // as the problem has it
  CRule rule = CRule::Assertion;
  std::string text;  // of the source: what is asserted, or what may fail
  SourcePos at;
  LocationId error;
  /// The function that is called where the assertion fails, __assert_fail or reach_error.
  std::string reporter{};
};

struct CSource {
  std::vector<CVariable> variables;  // in the order of the automaton's
  std::vector<CInput> inputs;        // by edge
  std::uint32_t pointer_bits = 32;
  /// The LLVM module that the automaton was made from, as the front end read it (bitcode or text),
  /// before anything was prepared: what a run of the automaton is replayed on.
  std::shared_ptr<const std::string> module{};
  std::vector<CProperty> properties{};  // in the order of the problem's; none: one error for all
  std::shared_ptr<const CMarks> marks{};
  std::vector<std::string> flags{};  // of the compiler, where it had more than it has always

  const CProperty* about(std::string_view property) const;
};

}  // namespace lem
