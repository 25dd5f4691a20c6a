#include "frontend/c/output.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/c/environment.h"
#include "frontend/c/library.h"

namespace lem::c {

namespace {

/// Strings that are in the program have an end, and nothing is wrong with reading them.
bool is_literal(const llvm::Value& text) {
  llvm::StringRef known;
  return llvm::getConstantStringInfo(&text, known);
}

/// The arguments of a call of printf behind its format, in turn; null if there is none left.
class Arguments {
 public:
  Arguments(const llvm::CallBase& call, unsigned first) : call_(call), next_(first) {}
  llvm::Value* next() { return next_ < call_.arg_size() ? call_.getArgOperand(next_++) : nullptr; }

 private:
  const llvm::CallBase& call_;
  unsigned next_;
};

/// ISO C 11, 7.21.6.1: before the call, %s reads up to the 0 or to its precision. Whether there is
/// a string to read.
bool read_strings(llvm::CallBase& call, llvm::StringRef format, Arguments arguments) {
  bool changed = false;
  llvm::IRBuilder<> build(&call);
  auto* size = build.getIntNTy(call.getModule()->getDataLayout().getPointerSizeInBits());
  for (format = format.split('%').second; !format.empty(); format = format.split('%').second) {
    format = format.ltrim("-+ #0'");
    if (format.consume_front("*")) arguments.next();
    format = format.ltrim("0123456789");
    llvm::Value* most = llvm::ConstantInt::getAllOnesValue(size);
    if (format.consume_front(".*")) {
      llvm::Value* given = arguments.next();
      if (given != nullptr && given->getType()->isIntegerTy()) most = build.CreateSExt(given, size);
    } else if (format.consume_front(".")) {
      std::uint64_t given = 0;
      if (format.consumeInteger(10, given)) given = 0;
      most = llvm::ConstantInt::get(size, given);
    }
    format = format.ltrim("hljztL");
    if (format.empty()) break;
    llvm::Value* value = format.front() == '%' ? nullptr : arguments.next();
    bool string = format.front() == 's';
    format = format.drop_front();
    if (!string || value == nullptr || !value->getType()->isPointerTy() || is_literal(*value))
      continue;
    llvm::Type* bytes = build.getInt8PtrTy();
    llvm::FunctionCallee reads = call.getModule()->getOrInsertFunction(
        (kModel + "read_string").str(), build.getVoidTy(), bytes, size);
    build.CreateCall(reads, {build.CreateBitCast(value, bytes), most});
    changed = true;
  }
  return changed;
}

bool watch_formats(llvm::Module& module, bool memory, bool errno_read) {
  struct Printer {
    const char* name;
    unsigned format;
    bool reads;  // its arguments are those of the call
  };
  bool changed = false;
  for (const Printer& one : {Printer{"printf", 0, true}, Printer{"fprintf", 1, true},
                             Printer{"vprintf", 0, false}, Printer{"vfprintf", 1, false}})
    for (llvm::CallBase* call : calls_of(module, one.name)) {
      llvm::StringRef format;
      if (memory && one.reads && call->arg_size() > one.format &&
          llvm::getConstantStringInfo(call->getArgOperand(one.format), format) &&
          read_strings(*call, format, Arguments(*call, one.format + 1)))
        changed = true;
      if (!errno_read && call->use_empty()) continue;
      llvm::IRBuilder<> build(call->getNextNode());
      build.SetCurrentDebugLocation(call->getDebugLoc());
      llvm::CallInst* result = build.CreateCall(
          module.getOrInsertFunction((kModel + "printed").str(), build.getInt32Ty()));
      if (call->getType() == result->getType()) call->replaceAllUsesWith(result);
      changed = true;
    }
  return changed;
}

}  // namespace

bool watch_output(llvm::Module& module, const COptions& options, bool errno_read) {
  bool memory = looks_at_memory(options.checks);
  bool changed = watch_formats(module, memory, errno_read);
  for (const char* name : {"puts", "fputs", "putchar", "fputc", "putc", "fflush", "perror"}) {
    if ((memory || errno_read) && take_address_of_model(module, name)) changed = true;
    for (llvm::CallBase* call : calls_of(module, name)) {
      bool reads = memory && !call->arg_empty() &&
                   call->getArgOperand(0)->getType()->isPointerTy() &&
                   !is_literal(*call->getArgOperand(0));
      if (!reads && !errno_read && call->use_empty()) continue;
      call_instead(*call, (kModel + name).str());
      changed = true;
    }
  }
  return changed;
}

}  // namespace lem::c
