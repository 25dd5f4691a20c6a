// Calls through pointers become a choice among the functions that the pointer may point to.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace lem::c {

/// The functions that each indirect call of a function may call. Code that is added to the function
/// may let a call reach more: its last way stays the indirect call until nothing is added any more.
class IndirectCalls {
 public:
  IndirectCalls(llvm::Function& function, const std::string& path)
      : function_(function), path_(path) {}

  /// Adds direct calls of what is newly found, and returns these; none: nothing is new.
  Result<std::vector<llvm::CallBase*>> resolve();
  /// A call through none of the functions that were found ends the run, as the processor does.
  void finish();

 private:
  std::vector<llvm::CallBase*> indirect() const;
  llvm::CallBase* add_way(llvm::CallBase& call, llvm::Function& target);

  llvm::Function& function_;
  const std::string& path_;
  std::map<const llvm::CallBase*, std::set<const llvm::Function*>> tried_;
  std::map<const llvm::CallBase*, llvm::PHINode*> results_;
};

}  // namespace lem::c
