// Conditions of --assume: expressions of C over the parameters of the entry, what they point to,
// and globals. They are compiled as functions at the end of the entry's file, where its types,
// macros and static variables are known. Tests: tests/unit/frontend/c/entry_test.cpp.
#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// What to append to the text of the file, so that `entry` has these conditions. An error if a
/// parameter is of a type that has no name.
Result<std::string> assumption_text(const llvm::Function& entry, const std::string& path,
                                    const COptions& options);

bool is_identifier(const std::string& text);
/// What to append so that the compiler keeps the entry where it is static and nothing calls it.
std::string keeping_text(const std::string& entry);

/// The function that the i-th condition is.
std::string assumption_name(std::size_t i);
/// The size of the object that begins at a pointer, in bytes; 0 if none does.
inline constexpr llvm::StringLiteral kObjectSize = "lemmata_object_size";

/// An error if the condition changes something.
Status only_reads(const llvm::Function& assumption);

}  // namespace lem::c
