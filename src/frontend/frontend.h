// Front ends: text to Problem, keeping source positions.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"
#include "frontend/source_options.h"
#include "frontend/st/options.h"
#include "frontend/verilog/options.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::frontend {

/// What the languages leave to their users; each front end takes its own.
struct ReadOptions {
  SourceOptions source{};
  c::COptions c{};
  StOptions st{};
  std::vector<std::string> checks{};  // --check, in the words of the language
  verilog::VerilogOptions verilog{};

  /// Every file that is read, the first one given.
  std::vector<std::string> all_files(const std::string& first) const {
    std::vector<std::string> out = {first};
    out.insert(out.end(), source.more_files.begin(), source.more_files.end());
    return out;
  }
};

/// Whether a model may be made of several files.
enum class Files : std::uint8_t { One, Several };

struct FormatInfo {
  std::string_view id;          // "aiger"
  std::string_view extensions;  // ".aag .aig"
  std::string_view help;
  std::string_view needs;  // "an AIGER file needs ...": so that there is something to check
  Result<Problem> (*read)(const std::string& path, std::string_view bytes,
                          const ReadOptions& options, Remarks* remarks,
                          const std::stop_token& stop);
  Files files = Files::One;
};

std::span<const FormatInfo> all_formats();

/// By the extension of the name; nullptr if it is that of no format.
const FormatInfo* format_of(std::string_view path);

/// The file has no property: a usage error that says what the format would need.
Error nothing_to_check(const std::string& path, std::string_view format);

/// The bytes of a file. Missing or unreadable: NotFound.
Result<std::string> read_bytes(const std::string& path);

/// Reads a file by its extension. Missing or unreadable file: NotFound; ill-formed: BadInput with
/// position; unknown extension: Usage. `remarks`, if given, gets the remarks of the front end. A
/// stop request ends the compiler and gives an error.
Result<Problem> read_problem(const std::string& path, const ReadOptions& options = {},
                             Remarks* remarks = nullptr, const std::stop_token& stop = {});

}  // namespace lem::frontend
