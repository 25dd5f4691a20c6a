// Where things are in the source, and which functions are special.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// The innermost place: in the function that was inlined, not in its caller.
SourcePos place_of(const llvm::Instruction& instruction, const std::string& path);
/// The same, of what is in the program of `main`.
SourcePos place_of(const llvm::DILocation& at, const llvm::Function& main, const std::string& path);
/// Of a function or a variable, where it is defined.
SourcePos place_of(const llvm::GlobalObject& global, const std::string& path);
std::uint32_t line_of(const llvm::Instruction& instruction);
Error unsupported(const llvm::Instruction& instruction, const std::string& path,
                  const std::string& construct);

/// The meaning of a call: the body, and for functions without one the conventions of SV-COMP. Only
/// reach_error and __VERIFIER_error are the error whatever their body does.
enum class Callee : std::uint8_t {
  Defined,   // has a body: inlined
  Error,     // reach_error and its like: the error location
  Fails,     // ours: a check that does not hold; the run goes on
  Exit,      // ends the run
  Assume,    // ends the run unless the argument is non-zero
  Assert,    // fails if the argument is zero
  Nondet,    // any value
  Fresh,     // ours: the object has any value from here
  Allocate,  // a new object on the heap, with any contents
  AllocateZero,
  Resize,     // ours: an object on the heap has another size from here
  Object,     // ours: on the heap before the program begins, with the contents that main gives it
  Shrink,     // ours: such an object has so many bytes in this run
  Printing,   // no effect on the program; any result
  Nothing,    // no effect, no result
  First,      // its first argument
  Undefined,  // no body, no meaning
};
Callee callee_of(const llvm::Function& function);
bool is_error_name(llvm::StringRef name);
/// `ERROR: goto ERROR;`, which was the error before there were functions for it.
bool is_error_loop(const llvm::CallBase& call);
/// The function called, through casts of its type, when it is known.
llvm::Function* called(const llvm::CallBase& call);
/// The blocks that control can come to, the first one first.
std::vector<llvm::BasicBlock*> reachable(llvm::Function& function);
/// Where a pointer of unknown origin comes from, for messages.
std::string origin(const llvm::Value& pointer);
/// __VERIFIER_nondet_X, nondet_X, unknown() and unknown1() when they have no body.
bool is_input(const llvm::Function& function);
/// Builtins on integers, and kOwnJoin.
bool is_integer_function(const llvm::Function& function);
/// Whether this is a part of a condition of --assume, or of what it calls.
bool in_assumption(const llvm::Instruction& instruction);
/// The file that the compiler has such conditions in.
inline constexpr llvm::StringLiteral kAssumeFile = "--assume";
/// Of the result of __VERIFIER_nondet_X.
CSign nondet_sign(llvm::StringRef name);

/// Metadata of an operation on signed numbers, which C lets overflow.
inline constexpr llvm::StringLiteral kSigned = "lemmata.signed";

/// Metadata of a load or store that copies, in unions of numbers and addresses, what the memory may
/// have of the other kind; it changes nothing else.
inline constexpr llvm::StringLiteral kAlso = "lemmata.also";

/// Metadata of a call: why it is refused.
inline constexpr llvm::StringLiteral kRefused = "lemmata.refused";

inline constexpr llvm::StringLiteral kNondet = "__VERIFIER_nondet_";
inline constexpr llvm::StringLiteral kOwnNondet = "lemmata.nondet.";
inline constexpr llvm::StringLiteral kOwnJoin = "lemmata.join.";       // bytes to a number
inline constexpr llvm::StringLiteral kOwnNumbers = "lemmata.numbers";  // see explicit.h
inline constexpr llvm::StringLiteral kOwnLabel = "lemmata.label";
inline constexpr llvm::StringLiteral kOwnFresh = "lemmata.fresh";
inline constexpr llvm::StringLiteral kOwnEnd = "lemmata.end";    // of what never returns
inline constexpr llvm::StringLiteral kOwnExit = "lemmata.exit";  // see outside_main.cpp
inline constexpr llvm::StringLiteral kOwnAssume = "lemmata.assume";

}  // namespace lem::c
