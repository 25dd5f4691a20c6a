#include "ctext/compiler.h"

#include <chrono>
#include <filesystem>

namespace lem::ctext {

static constexpr ProcessLimits kLimits{.time = std::chrono::seconds(60),
                                       .memory_mb = 4096,
                                       .file_mb = 512,
                                       .output_mb = 512,
                                       .errors_kb = 8192};
static constexpr const char* kCopy = "/lemmata/copy.c";

/// Why each: -O1 has clang mark where lifetimes start, and -disable-llvm-passes keeps it from
/// optimising; -fwrapv and -fno-finite-loops define otherwise undefined behaviour,
/// -ffp-contract=off fixes how often results are rounded.
static std::vector<std::string> arguments(const ClangJob& job) {
  std::vector<std::string> args = {job.clang,
                                   "-O1",
                                   "-Xclang",
                                   "-disable-llvm-passes",
                                   "-g",
                                   "-fwrapv",
                                   "-fno-finite-loops",
                                   "-fno-strict-aliasing",
                                   "-ffp-contract=off",
                                   "-Wno-return-type",  // is an error otherwise
                                   "-D__NO_INLINE__",   // glibc: putchar is putchar
                                   "-D__NO_CTYPE",
                                   "-fno-color-diagnostics",
                                   "-fno-caret-diagnostics",
                                   "-fno-crash-diagnostics",
                                   job.pointer_bits == 64 ? "-m64" : "-m32"};
  auto replace = [&](const std::string& file, const std::string& by) {
    args.insert(args.end(), {"-Xclang", "-remap-file", "-Xclang", file + ";" + by});
  };
  // The headers of the 64 bit system do for 32 bit, with one more: glibc's include
  // <gnu/stubs-32.h>, a list of functions that always fail, and Debian has it in the 32-bit
  // development package alone. An empty list is right: we link nothing.
  if (job.pointer_bits != 64) {
    args.insert(args.end(), {"-isystem", "/lemmata", "-isystem", "/usr/include/x86_64-linux-gnu"});
    replace("/lemmata/gnu/stubs-32.h", "/dev/null");
  }
  std::string path = path_for_compiler(job.path);
  if (job.text) replace(path, kCopy);
  args.insert(args.end(), job.more.begin(), job.more.end());
  if (job.makes == ClangJob::Makes::Bitcode)
    args.insert(args.end(), {"-emit-llvm", "-c"});
  else
    args.push_back("-E");
  args.insert(args.end(), {"-o", "-", "--", path});
  return args;
}

/// Paths are resolved first: inside the sandbox a/../b is another file if a is a link.
std::string path_for_compiler(const std::string& path) {
  bool inside = false;
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    if (part == ".." && inside) {
      std::error_code failed;
      std::filesystem::path real = std::filesystem::canonical(path, failed);
      return failed ? path : real.string();
    }
    inside = inside || (part != ".." && part != ".");
  }
  // A list of arguments, or an option, otherwise.
  return path.starts_with("@") || path.starts_with("-") ? "./" + path : path;
}

BoxEnd run_clang(const ClangJob& job, Unboxed unboxed, const std::stop_token& stop) {
  std::error_code failed;
  std::string path = path_for_compiler(job.path);
  // Files given as text are named in a list that has no quoting.
  if (job.text && path.find(';') != std::string::npos) return {true, {}};
  Box box{.args = arguments(job),
          .readable = readable_beside(path),
          .start_in = std::filesystem::current_path(failed).string(),
          .keep_output = true,
          .processes = Box::Processes::Many};
  if (failed) box.start_in = "/tmp";
  for (std::size_t i = 0; i + 1 < job.more.size(); ++i) {  // what the user names may be read
    if (job.more[i] == "-I" || job.more[i] == "-isystem")
      box.readable.push_back(std::filesystem::absolute(job.more[i + 1], failed).string());
    if (job.more[i] == "-include")
      for (std::string& file : readable_beside(job.more[i + 1]))
        box.readable.push_back(std::move(file));
  }
  if (job.text) box.files.push_back({kCopy, *job.text});
  BoxEnd ran = run_in_box(box, kLimits, stop);
  if (ran.works || unboxed == Unboxed::Refuse || !find_program(job.clang)) return ran;
  // Clang's own crash handler would leave files behind.
  Invocation bare{.args = {"env", "LLVM_DISABLE_SYMBOLIZATION=1"}, .keep_output = true};
  std::vector<std::string> args = arguments(job);
  bare.args.insert(bare.args.end(), args.begin(), args.end());
  return {false, run_process(bare, kLimits, stop)};
}

}  // namespace lem::ctext
