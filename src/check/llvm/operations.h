// Arithmetic on values: what LLVM's instructions compute, bit by bit where bits are open.
#pragma once

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

#include "check/llvm/value.h"

namespace lem::check {

/// Integers; nothing for a division by zero. Shifts by the width or more are open. An address plus
/// or minus a number is an address, the difference of two into one object a number.
std::optional<Value> integer_binary(unsigned opcode, const Value& a, const Value& b,
                                    unsigned width);
/// Also of pointers. Open where it depends on open bits or on the order of objects.
Value integer_compare(llvm::CmpInst::Predicate predicate, const Value& a, const Value& b);

/// `type`: of the operands, a float.  require: both are known
Value float_binary(unsigned opcode, const Value& a, const Value& b, const llvm::Type& type,
                   llvm::RoundingMode rounding);
Value float_compare(llvm::CmpInst::Predicate predicate, const Value& a, const Value& b,
                    const llvm::Type& type);
llvm::APFloat float_of(const Value& value, const llvm::Type& type);
Value float_value(const llvm::APFloat& number);
/// Of numbers that are at least 0, infinite or NaN; others give NaN.
llvm::APFloat square_root(const llvm::APFloat& number, llvm::RoundingMode rounding);

/// Between scalars; nullopt for an unsupported instruction.
std::optional<Value> convert(unsigned opcode, const Value& value, const llvm::Type& from,
                             llvm::Type& to, const llvm::DataLayout& layout,
                             llvm::RoundingMode rounding);

}  // namespace lem::check
