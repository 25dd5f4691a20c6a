// How C becomes LLVM code: one command for the front end, which analyses that code, and for the
// checker, which runs it. Clang reads what others wrote, so it works in the sandbox: it sees /usr
// and what is beside the file (base/sandbox.h), and writes to standard output. Tests:
// tests/unit/frontend/c/, tests/cli/sandbox_test.py.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

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

/// Where there is no sandbox.
enum class Unboxed : std::uint8_t { Allow, Refuse };

/// What it makes is the output. Paths are as in `path` in what clang says.
BoxEnd run_clang(const ClangJob& job, Unboxed unboxed, const std::stop_token& stop);

/// The name that clang is given: a path even where the file's name looks like something else.
std::string path_for_compiler(const std::string& path);

}  // namespace lem::ctext
