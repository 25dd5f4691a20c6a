#include "frontend/c/read_in_child.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/SourceMgr.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/fork.h"

namespace lem::c {

static constexpr rlim_t kSeconds = 60;
static constexpr rlim_t kBytes = rlim_t{4} << 30;
static constexpr std::string_view kSurvived = "s";
static constexpr std::string_view kDamaged = "d";

static void limit(__rlimit_resource_t which, rlim_t value) {
  rlimit now{};
  getrlimit(which, &now);
  now.rlim_cur = now.rlim_max = std::min(value, now.rlim_cur);
  setrlimit(which, &now);
}

/// In the process of its own.
static void read_and_verify(const std::string& bytes, const std::string& path, int write_end) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kSeconds);
  limit(RLIMIT_AS, kBytes);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
  // Its own handler would run the destructors of the whole program.
  llvm::install_fatal_error_handler([](void*, const char*, bool) { _exit(1); });
  llvm::LLVMContext context;
  // The reader drops invalid debug information with a message, which makes the code damaged.
  bool damaged = false;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo&, void* noted) { *static_cast<bool*>(noted) = true; },
      &damaged);
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIR(llvm::MemoryBufferRef(bytes, path), problem, context);
  if (module != nullptr) (void)llvm::verifyModule(*module);
  write_all(write_end, damaged ? kDamaged : kSurvived);
  _exit(0);  // destructors of a large module take long
}

Status read_in_child(const std::string& bytes, const std::string& path,
                     const std::stop_token& stop) {
  Forked child = fork_with_pipe([&](int end) { read_and_verify(bytes, path, end); });
  if (!child.started())
    return Error{{path}, "cannot start a process to read it in", ErrorKind::Internal};
  std::optional<std::string> answer = child.read_all(stop);
  if (answer == kSurvived) return Ok{};
  if (stop.stop_requested()) return Error{{path}, "stopped while it is read"};
  std::string what = path.ends_with(".ll") ? "not valid LLVM code" : "not valid LLVM bitcode";
  return Error{{path}, answer == kDamaged ? what + ": its debug information is damaged" : what};
}

}  // namespace lem::c
