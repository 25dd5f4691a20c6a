// Compiles C to LLVM code: the same command for the front end, which analyses the code, and for the
// checker, which runs it. Clang reads untrusted text, so it runs in the sandbox: it sees /usr and
// the folder of the file (base/sandbox.h), and writes to standard output. Tests:
// tests/unit/frontend/c/, tests/cli/sandbox_test.py.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sandbox.h"

namespace lem::ctext {

struct ClangJob {
  std::string clang = "clang-14";
  std::uint32_t pointer_bits = 32;
  std::string path;
  std::optional<std::string> text{};  // instead of the file's
  enum class Makes : std::uint8_t { Bitcode, Preprocessed } makes = Makes::Bitcode;
  std::vector<std::string> more{};  // arguments
};

/// The name of a variable in modules that are more than the text of one file: other files, models
/// of library functions, inputs in place of volatile memory.
inline constexpr const char* kCompletedMark = "lemmata_completed_program";
/// Inputs that are the arguments of main: how many, and the bytes of string I in turn (with I
/// behind the name).
inline constexpr const char* kArgumentCount = "__VERIFIER_nondet_argc";
inline constexpr const char* kArgumentBytes = "__VERIFIER_nondet_argv_";

/// Where there is no sandbox.
enum class Unboxed : std::uint8_t { Allow, Refuse };

/// The result is the output. Messages of clang name files by path_for_compiler(). What comes from
/// names is never read as an option or as a list of arguments.
///   require: what of job.more comes from outside passed check_flags
BoxEnd run_clang(const ClangJob& job, Unboxed unboxed, const std::stop_token& stop);

/// The name that clang has for a file: always a path, even if the name looks like an option. Line
/// ends and other control characters are replaced.
std::string path_for_compiler(const std::string& path);

/// Arguments that change what a program means, in the form that run_clang takes: `-I FOLDER`,
/// `-isystem`, `-iquote`, `-idirafter`, `-include FILE`, `-D NAME`, `-D NAME=VALUE`, `-U NAME`,
/// `-std=NAME`. Anything else is a usage error: it could load a plugin, run a program or name a
/// list of arguments.
Status check_flags(const std::vector<std::string>& flags);
/// Whether the word after this one is the name of a folder or a file.
bool takes_path(std::string_view flag);

}  // namespace lem::ctext
