#include "check/llvm/interpreter.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include "check/llvm/machine.h"

namespace lem::check {

Interpretation interpret(const std::string& module, const RunValues& values,
                         const InterpreterLimits& limits, std::stop_token stop) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> parsed =
      llvm::parseIR(llvm::MemoryBufferRef(module, "module"), problem, context);
  if (parsed == nullptr)
    return {Interpretation::How::Undecided,
            "the module cannot be read: " + problem.getMessage().str()};
  return Machine(*parsed, values, limits, std::move(stop)).run();
}

}  // namespace lem::check
