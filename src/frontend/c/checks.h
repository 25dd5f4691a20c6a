// What --check looks for in C programs. Arithmetic is checked by code that clang adds (its
// undefined behaviour sanitizer), before anything else is done to the program; memory by the
// translator, which knows objects and their sizes.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem::c {

/// What clang needs in addition so that it checks for these.
std::vector<std::string> sanitizer_flags(const std::set<CRule>& checks);

/// Rewrites what clang's checks consist of: calls of handlers become calls of our own
/// (Callee::Fails) without the values, which are for messages; results with a flag for overflow
/// become comparisons; checks of constants that hold, and of groups that are not in `checks`, are
/// dropped.
void take_in_checks(llvm::Function& function, const std::set<CRule>& checks);

/// What a call of our own reports, and where clang says that it is; nothing for other calls.
struct CheckCall {
  CRule rule;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
std::optional<CheckCall> check_of(const llvm::CallBase& call);

}  // namespace lem::c
