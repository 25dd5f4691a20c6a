#include "check/c/native.h"

#include <fmt/format.h>
#include <string.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "base/sandbox.h"
#include "check/c/harness.h"
#include "check/c/patch.h"
#include "ctext/compiler.h"

namespace lem::check {

namespace {

using Outcome = NativeRun::Outcome;
using How = ProcessEnd::How;

constexpr const char* kNoSandbox = "there is no sandbox to run it in (bubblewrap)";

/// A program as compilers take it, by the ending of its name.
struct Code {
  std::string name;
  std::string bytes;
};

class NativeRunner {
 public:
  NativeRunner(const NativeOptions& options, std::uint32_t pointer_bits, std::stop_token stop)
      : options_(options), pointer_bits_(pointer_bits), stop_(std::move(stop)) {}

  /// Compiles both and runs the result.
  NativeRun run(const std::string& compiler, const Code& program, const std::string& harness) const;

 private:
  enum class Library : std::uint8_t { Hosted, None };
  std::vector<std::string> command(const std::string& compiler, const Code& program,
                                   Library library) const;
  BoxEnd compile(const std::string& compiler, const Code& program,
                 const std::string& harness) const;
  BoxEnd compile(const std::string& compiler, const Code& program, const std::string& harness,
                 Library library) const;

  const NativeOptions& options_;
  std::uint32_t pointer_bits_;
  std::stop_token stop_;
};

/// The linker wants a file to write; what comes out is its bytes.
std::vector<std::string> NativeRunner::command(const std::string& compiler, const Code& program,
                                               Library library) const {
  std::vector<std::string> args = {"sh",
                                   "-c",
                                   "\"$@\" -o /tmp/run && cat /tmp/run",
                                   "sh",
                                   compiler,
                                   "-O0",
                                   "-w",
                                   "-fwrapv",
                                   "-fno-strict-aliasing",
                                   "-fno-builtin",
                                   "-fno-pie",
                                   "-no-pie",
                                   "-Wl,-z,muldefs",
                                   "-DLEMMATA_FIRST",
                                   "-ffp-contract=off",
                                   pointer_bits_ == 64 ? "-m64" : "-m32"};
  if (pointer_bits_ != 64)  // in x87 registers floats would have more digits than their type
    args.insert(args.end(), {"-msse2", "-mfpmath=sse"});
  if (library == Library::None)
    args.insert(args.end(), {"-DLEMMATA_FREESTANDING", "-ffreestanding", "-fno-stack-protector",
                             "-nostdlib", "-static"});
  args.insert(args.end(), {"/box/cex.c", "/box/" + program.name});
  if (library == Library::Hosted) args.emplace_back("-lm");
  return args;
}

BoxEnd NativeRunner::compile(const std::string& compiler, const Code& program,
                             const std::string& harness, Library library) const {
  Box box{.args = command(compiler, program, library),
          .files = {{"/box/cex.c", harness}, {"/box/" + program.name, program.bytes}},
          .keep_output = true,
          .processes = Box::Processes::Many};
  ProcessLimits limits{.time = std::chrono::seconds(3 * options_.seconds),
                       .memory_mb = 4096,
                       .file_mb = 256,
                       .output_mb = 256};
  return run_in_box(box, limits, stop_);
}

/// Debian's two places for the C library of 32 bits.
bool has_library_of_32_bits() {
  std::error_code failed;
  return std::filesystem::exists("/usr/lib32/crt1.o", failed) ||
         std::filesystem::exists("/usr/lib/i386-linux-gnu/crt1.o", failed);
}

BoxEnd NativeRunner::compile(const std::string& compiler, const Code& program,
                             const std::string& harness) const {
  if (pointer_bits_ == 64) return compile(compiler, program, harness, Library::Hosted);
  if (has_library_of_32_bits()) {
    BoxEnd end = compile(compiler, program, harness, Library::Hosted);
    if (!end.works || end.end.how != How::Exited || end.end.code == 0) return end;
  }
  return compile(compiler, program, harness, Library::None);
}

/// The first line in which the compiler or the linker says what is wrong.
std::string complaint(const std::string& errors) {
  for (const char* sign : {": error: ", ": fatal error: ", ": undefined reference", "error: "}) {
    std::size_t at = errors.find(sign);
    if (at == std::string::npos) continue;
    std::size_t start = errors.rfind('\n', at);
    start = start == std::string::npos ? 0 : start + 1;
    return errors.substr(start, errors.find('\n', at) - start);
  }
  return errors.substr(0, errors.find('\n'));
}

NativeRun judge(const ProcessEnd& end, int seconds) {
  switch (end.how) {
    case How::Exited:
      break;
    case How::Signalled:
      return {Outcome::NotReached, fmt::format("the program is ended by {}", strsignal(end.code))};
    case How::TimedOut:
      return {Outcome::NotReached, fmt::format("the program still runs after {} s", seconds)};
    case How::Stopped:
      return {Outcome::Stopped, "stopped"};
    case How::TooMuchOutput:
    case How::NotStarted:
      return {Outcome::NotCompiled, "the compiled program does not start"};
  }
  auto is = [&](const HarnessEnd& one) {
    return end.code == one.code && end.errors.find(one.message) != std::string::npos;
  };
  if (is(kErrorReached)) return {Outcome::Reached};
  for (const HarnessEnd& one : {kInputsUsedUp, kOtherInput, kAssumptionFails, kOtherError})
    if (is(one))
      return {Outcome::NotReached, std::string(one.message.substr(one.message.find(' ') + 1))};
  return {Outcome::NotReached, fmt::format("the program exits with {}", end.code)};
}

NativeRun NativeRunner::run(const std::string& compiler, const Code& program,
                            const std::string& harness) const {
  auto [works, compiled] = compile(compiler, program, harness);
  if (compiled.how == How::Stopped) return {Outcome::Stopped, "stopped"};
  if (!works) return {Outcome::NoSandbox, kNoSandbox};
  if (compiled.how == How::Exited && compiled.code == 127)  // the shell's word for it
    return {Outcome::NotCompiled, "cannot run '" + compiler + "'"};
  if (!compiled.fine()) return {Outcome::NotCompiled, complaint(compiled.errors)};
  Box box{.args = {"/box/run"},
          .files = {{"/box/run", std::move(compiled.output), BoxFile::Mode::Program}},
          .scratch_mb = 1};
  ProcessLimits limits{
      .time = std::chrono::seconds(options_.seconds), .memory_mb = 1024, .file_mb = 256};
  auto [ran, end] = run_in_box(box, limits, stop_);
  if (!ran) return {Outcome::NotCompiled, "the compiled program does not start"};
  return judge(end, options_.seconds);
}

/// The module, or the code that clang makes of the patched text. Without a sandbox, or if clang
/// rejects the text, there is no code but a reason.
struct Codes {
  const CSource& source;
  const std::string& file;
  const Patch& patch;
  std::stop_token stop;

  BoxEnd clang(ctext::ClangJob::Makes makes) const {
    // Insertions call functions: none is one that clang knows better.
    ctext::ClangJob job{
        .pointer_bits = source.pointer_bits, .path = file, .makes = makes, .more = source.flags};
    job.more.push_back("-fno-builtin");
    if (!patch.places.empty()) job.text = patch.program;
    return ctext::run_clang(job, ctext::Unboxed::Refuse, stop);
  }
};

bool is_bitcode(std::string_view bytes) {
  return bytes.starts_with("BC") || bytes.starts_with("\xDE\xC0\x17\x0B");
}

NativeRun failure(const BoxEnd& clang) {
  if (clang.end.how == How::Stopped) return {Outcome::Stopped, "stopped"};
  if (!clang.works) return {Outcome::NoSandbox, kNoSandbox};
  return {Outcome::NotCompiled, complaint(clang.end.errors)};
}

/// The module itself, or that of a copy of the text.
NativeRun run_module(const NativeRunner& native, const Codes& codes, const NativeOptions& options,
                     const std::string& harness) {
  if (codes.patch.places.empty()) {
    const std::string& module = *codes.source.module;
    return native.run(options.compiler, {is_bitcode(module) ? "program.bc" : "program.ll", module},
                      harness);
  }
  BoxEnd made = codes.clang(ctext::ClangJob::Makes::Bitcode);
  if (!made.works || !made.end.fine()) return failure(made);
  return native.run(options.compiler, {"program.bc", std::move(made.end.output)}, harness);
}

/// The second compiler gets the output of clang's preprocessor, so that both compile the same
/// program.
NativeRun run_second(const NativeRunner& native, const Codes& codes, const NativeOptions& options,
                     const std::string& harness) {
  BoxEnd made = codes.clang(ctext::ClangJob::Makes::Preprocessed);
  if (!made.works || !made.end.fine()) return failure(made);
  return native.run(options.second, {"program.i", std::move(made.end.output)}, harness);
}

}  // namespace

bool is_completed(const CSource& source) {
  return source.module->find(ctext::kCompletedMark) != std::string::npos;
}

NativeRun run_natively(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                       const std::string& file, const NativeOptions& options,
                       std::stop_token stop) {
  assert(source.module != nullptr && "the front end keeps its module");
  Result<std::string> harness = harness_text(cfa, source, trace, file, options.about);
  if (!harness) return {Outcome::NotReached, harness.error().message};
  std::vector<OpenValue> open = open_values(cfa, source, trace);
  std::uint32_t last = trace.edges.empty() ? 0 : cfa[trace.edges.back()].line;
  bool has_text = !is_completed(source) && (file.ends_with(".c") || file.ends_with(".i"));
  Patch patch;
  if (has_text)
    if (Result<ctext::CText> text = ctext::CText::read(file); text)
      patch = patch_program(*text, cfa.terms(), open, last);
  std::string whole = *harness + patch.functions;
  NativeRunner native(options, source.pointer_bits, stop);
  Codes codes{source, file, patch, stop};
  NativeRun run = run_module(native, codes, options, whole);
  bool undecided = run.outcome == Outcome::NotReached || run.outcome == Outcome::NotCompiled;
  if (undecided && has_text && find_program(options.second)) {
    NativeRun again = run_second(native, codes, options, whole);
    if (again.outcome == Outcome::Reached) {
      run = std::move(again);
      run.note = "compiled by " + options.second;
    }
  }
  for (std::size_t i = 0; i < patch.places.size(); ++i) {
    if (i == 0) run.note += run.note.empty() ? "" : ", ";
    run.note += (i == 0 ? "in a copy of the program with the " : ", ") + patch.places[i];
  }
  if (run.outcome == Outcome::NotReached && patch.places.empty() && !open.empty())
    run.reason += fmt::format("; the run depends on the uninitialised '{}' of line {}",
                              open[0].variable->name, open[0].variable->line);
  run.harness = whole + patch.instructions;
  return run;
}

}  // namespace lem::check
