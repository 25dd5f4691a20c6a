#include "check/c_native.h"

#include <fmt/format.h>
#include <string.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "base/temporary_folder.h"
#include "check/c_harness.h"
#include "check/c_patch.h"
#include "check/c_process.h"

namespace lem::check {

namespace {

using Outcome = NativeRun::Outcome;
using How = ProcessEnd::How;

class Native {
 public:
  Native(std::string compiler, int seconds, std::uint32_t pointer_bits, std::stop_token stop)
      : compiler_(std::move(compiler)),
        seconds_(seconds),
        pointer_bits_(pointer_bits),
        stop_(std::move(stop)) {}

  /// Compiles both and runs the result.
  NativeRun run(const std::string& program, const std::string& harness);
  NativeRun run_patched(const std::string& program, const Patch& patch, const std::string& harness);

 private:
  enum class Library : std::uint8_t { Hosted, None };
  std::vector<std::string> command(const std::string& program, Library library) const;
  ProcessEnd compile(const std::string& program) const;
  bool write(const std::string& name, const std::string& text) const;
  std::string in_folder(const std::string& name) const { return folder_.path() + "/" + name; }

  std::string compiler_;
  int seconds_;
  std::uint32_t pointer_bits_;
  std::stop_token stop_;
  TemporaryFolder folder_;
  std::string beside_;  // where the program was that the copy is made of
};

bool Native::write(const std::string& name, const std::string& text) const {
  std::ofstream out(in_folder(name), std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

std::vector<std::string> Native::command(const std::string& program, Library library) const {
  std::vector<std::string> args = {compiler_,
                                   "-O0",
                                   "-g",
                                   "-w",
                                   "-fwrapv",
                                   "-fno-strict-aliasing",
                                   "-fno-builtin",
                                   "-fno-pie",
                                   "-no-pie",
                                   "-Wl,-z,muldefs",
                                   "-DLEMMATA_FIRST",
                                   pointer_bits_ == 64 ? "-m64" : "-m32"};
  if (pointer_bits_ != 64)  // in x87 registers floats would have more digits than their type
    args.insert(args.end(), {"-msse2", "-mfpmath=sse"});
  if (library == Library::None)
    args.insert(args.end(), {"-DLEMMATA_FREESTANDING", "-ffreestanding", "-fno-stack-protector",
                             "-nostdlib", "-static", "-isystem", in_folder("include"), "-isystem",
                             "/usr/include/x86_64-linux-gnu"});
  args.push_back("-ffp-contract=off");
  if (!beside_.empty()) args.insert(args.end(), {"-iquote", beside_});
  args.insert(args.end(), {"-o", in_folder("run"), in_folder("cex.c"), program});
  return args;
}

ProcessEnd Native::compile(const std::string& program) const {
  ProcessLimits limits{std::chrono::seconds(3 * seconds_)};
  ProcessEnd end = run_process(command(program, Library::Hosted), folder_.path(), limits, stop_);
  if (pointer_bits_ == 64 || end.how != How::Exited || end.code == 0) return end;
  // glibc's headers include this list when they are read for 32 bits; Debian has it in the
  // 32-bit development package alone.
  std::error_code failed;
  std::filesystem::create_directories(in_folder("include/gnu"), failed);
  if (!write("include/gnu/stubs-32.h", "")) return end;
  return run_process(command(program, Library::None), folder_.path(), limits, stop_);
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
    case How::NotStarted:
      return {Outcome::NotCompiled, "the compiled program does not start"};
  }
  auto is = [&](const HarnessEnd& one) {
    return end.code == one.code && end.errors.find(one.message) != std::string::npos;
  };
  if (is(kErrorReached)) return {Outcome::Reached};
  for (const HarnessEnd& one : {kInputsUsedUp, kOtherInput, kAssumptionFails})
    if (is(one))
      return {Outcome::NotReached, std::string(one.message.substr(one.message.find(' ') + 1))};
  return {Outcome::NotReached, fmt::format("the program exits with {}", end.code)};
}

NativeRun Native::run(const std::string& program, const std::string& harness) {
  if (folder_.path().empty() || !write("cex.c", harness))
    return {Outcome::NotCompiled, "cannot write to a temporary folder"};
  ProcessEnd compiled = compile(program);
  if (compiled.how == How::Stopped) return {Outcome::Stopped, "stopped"};
  if (compiled.how == How::NotStarted)
    return {Outcome::NotCompiled, "cannot run '" + compiler_ + "'"};
  if (compiled.how != How::Exited || compiled.code != 0)
    return {Outcome::NotCompiled, complaint(compiled.errors)};
  ProcessLimits limits{std::chrono::seconds(seconds_), /*may_write_files=*/false};
  return judge(run_process({in_folder("run")}, folder_.path(), limits, stop_), seconds_);
}

/// The copy lies elsewhere: what it includes by a relative name is still found.
NativeRun Native::run_patched(const std::string& program, const Patch& patch,
                              const std::string& harness) {
  std::filesystem::path path(program);
  std::string copy = "copy" + path.extension().string();
  if (folder_.path().empty() || !write(copy, patch.program))
    return {Outcome::NotCompiled, "cannot write to a temporary folder"};
  beside_ = path.parent_path().string();
  NativeRun run = this->run(in_folder(copy), harness + patch.functions);
  for (const std::string& place : patch.places)
    run.note += (run.note.empty() ? "in a copy of the program with the " : ", ") + place;
  return run;
}

}  // namespace

NativeRun run_natively(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                       const std::string& file, const NativeOptions& options,
                       std::stop_token stop) {
  Result<std::string> harness = harness_text(cfa, source, trace, file);
  if (!harness) return {Outcome::NotReached, harness.error().message};
  std::error_code unknown;
  std::string program = std::filesystem::absolute(file, unknown).string();
  std::vector<OpenValue> open = open_values(cfa, source, trace);
  std::uint32_t last = trace.edges.empty() ? 0 : cfa[trace.edges.back()].line;
  Result<CText> text = CText::read(file);
  Patch patch;
  if (text) patch = patch_program(*text, cfa.terms(), open, last);
  auto run_with = [&](const std::string& compiler) {
    Native native(compiler, options.seconds, source.pointer_bits, stop);
    // As it is, the program would go another way or stay at its label for ever.
    return patch.places.empty() ? native.run(program, *harness)
                                : native.run_patched(program, patch, *harness);
  };
  NativeRun run = run_with(options.compiler);
  if (run.outcome == Outcome::NotReached && !options.second.empty()) {
    NativeRun again = run_with(options.second);
    if (again.outcome == Outcome::Reached) {
      again.note += (again.note.empty() ? "compiled by " : ", compiled by ") + options.second;
      run = std::move(again);
    }
  }
  if (run.outcome == Outcome::NotReached && patch.places.empty() && !open.empty())
    run.reason += fmt::format("; the run depends on the uninitialised '{}' of line {}",
                              open[0].variable->name, open[0].variable->line);
  run.harness = *std::move(harness) + patch.functions + patch.instructions;
  return run;
}

}  // namespace lem::check
