// Local variables that become SSA values, by LLVM's promotion. LLVM gives a variable without a
// value whichever value is simplest, so each is given one first.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

namespace lem::c {

/// A call of this name says by its argument whether what is read next has a value.
inline constexpr llvm::StringLiteral kOwnGiven = "lemmata.given";

/// Look: each read has a call of kOwnGiven before it, which says whether the variable has a value;
/// where it always has one there is none.
enum class Given : std::uint8_t { Ignore, Look };

///   require: isAllocaPromotable of each, all of one function
void promote(const std::vector<llvm::AllocaInst*>& locals, Given given);

}  // namespace lem::c
