#include "frontend/c/clang.h"

#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/assert.h"
#include "base/temporary_folder.h"
#include "ctext/compiler.h"
#include "frontend/c/checks.h"
#include "frontend/c/library.h"

namespace lem::c {

static std::uint32_t number(std::string_view text) {
  std::uint32_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size() ? value : 0;
}

/// Of `file:line:col`.
static SourcePos place_in(const std::string& path, const std::string& place) {
  std::size_t column = place.rfind(':');
  std::size_t row =
      column == std::string::npos || column == 0 ? column : place.rfind(':', column - 1);
  if (row == std::string::npos || row == 0) return {path};
  std::string_view view = place;
  std::string file = place.substr(0, row);
  return {file == ctext::path_for_compiler(path) ? path : file,
          number(view.substr(row + 1, column - row - 1)), number(view.substr(column + 1))};
}

/// `file:line:col: error: text` as clang writes it.
static Error first_error(const std::string& path, const std::string& errors) {
  std::istringstream in(errors);
  const std::string own = ctext::path_for_compiler(path);
  for (std::string line; std::getline(in, line);)
    for (std::string_view mark : {": error: ", ": fatal error: "})
      // The name itself may look like a message.
      if (std::size_t at = line.find(mark, line.starts_with(own) ? own.size() : 0);
          at != std::string::npos)
        return Error{place_in(path, line.substr(0, at)), "clang: " + line.substr(at + mark.size())};
  return Error{{path}, "clang failed and gave no reason"};
}

/// Clang in the sandbox sees less than the user.
static Error with_hint(Error error, bool boxed) {
  if (!boxed) error.message += " (clang ran without a sandbox)";
  bool beyond = error.message.starts_with("clang: '../") || error.message.starts_with("clang: '/");
  if (boxed && beyond && error.message.ends_with("file not found"))
    error.message += " (the compiler sees /usr and the folder of the program)";
  return error;
}

/// Output and what was said about it.
static Result<ProcessEnd> run(const std::string& path, const COptions& options,
                              ctext::ClangJob::Makes makes, const std::vector<std::string>& more,
                              const std::stop_token& stop, bool* in_sandbox = nullptr,
                              std::optional<std::string> text = {}) {
  ctext::ClangJob job{.clang = options.clang,
                      .pointer_bits = options.pointer_bits,
                      .path = path,
                      .text = std::move(text),
                      .makes = makes,
                      .more = options.flags};
  job.more.insert(job.more.end(), more.begin(), more.end());
  // Without it clang says which operations are on signed numbers, and nothing else changes.
  if (options.arith == COptions::Arith::Int) job.more.push_back("-fno-wrapv");
  auto [boxed, end] = ctext::run_clang(job, ctext::Unboxed::Allow, stop);
  if (in_sandbox != nullptr) *in_sandbox = boxed;
  switch (end.how) {
    case ProcessEnd::How::Exited:
      if (end.code == 0) return std::move(end);
      return with_hint(first_error(path, end.errors), boxed);
    case ProcessEnd::How::NotStarted:
      return Error{
          {path}, "cannot run '" + options.clang + "', which compiles C", ErrorKind::NotFound};
    case ProcessEnd::How::TimedOut:
      return Error{{path}, "clang takes more than 60 seconds"};
    case ProcessEnd::How::TooMuchOutput:
      return Error{{path}, "clang makes more than 512 MB of it"};
    case ProcessEnd::How::Stopped:
      return Error{{path}, "stopped while clang compiles it"};
    case ProcessEnd::How::Signalled:
      return Error{{path}, std::string("clang is ended: ") + strsignal(end.code)};
  }
  unreachable();
}

/// The text of the file, and more.
static std::optional<std::string> extended(const std::string& path, const std::string& more) {
  if (more.empty()) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {}) + more;
}

/// Of `file:line:col: warning: unsequenced modification and access to 'i' [-Wunsequenced]`.
static std::optional<Warning> unsequenced(const std::string& path, const std::string& line) {
  static constexpr std::string_view kMark = ": warning: ", kName = " [-Wunsequenced]";
  std::size_t at = line.find(kMark), end = line.rfind(kName);
  if (at == std::string::npos || end == std::string::npos) return std::nullopt;
  std::size_t from = at + kMark.size();
  return Warning{
      place_in(path, line.substr(0, at)),
      line.substr(from, end - from) +
          ": C leaves the order open and the result undefined; clang's order is checked"};
}

Result<Compiled> compile(const std::string& path, const COptions& options,
                         const std::vector<std::string>& own, const std::stop_token& stop,
                         const std::string& more) {
  std::vector<std::string> flags = sanitizer_flags(options.checks);
  for (const std::string& name : own) flags.push_back("-fno-builtin-" + name);
  // Clang would calculate these: with one of several results, and without the overflow.
  for (const char* name : {"strcmp", "strncmp", "memcmp", "bcmp"})
    flags.push_back(std::string("-fno-builtin-") + name);
  for (const char* name : {"abs", "labs", "llabs"})
    if (options.checks.contains(CRule::Overflow))
      flags.push_back(std::string("-fno-builtin-") + name);
  bool boxed = true;
  Result<ProcessEnd> end = run(path, options, ctext::ClangJob::Makes::Bitcode, flags, stop, &boxed,
                               extended(path, more));
  if (!end) return end.error();
  if (end->errors_cut) return Error{{path}, "clang has more than 8 MB of warnings about it"};
  Compiled out{std::move(end->output), {}, boxed};
  std::istringstream in(end->errors);
  for (std::string line; std::getline(in, line);)
    if (std::size_t at = line.find(": warning: shift count"); at != std::string::npos)
      out.constant_shifts.push_back(place_in(path, line.substr(0, at)));
    else if (std::optional<Warning> open = unsequenced(path, line))
      out.unsequenced.push_back(*std::move(open));
  return out;
}

extern const char* const kModels;  // the text of libc/*.c, made when Lemmata is built

Result<std::string> compile_models(const COptions& options, const std::vector<std::string>& defines,
                                   const std::stop_token& stop) {
  TemporaryFolder folder;
  std::string path = folder.path() + "/libc.c";
  std::ofstream(path) << kModels;
  COptions plain = options;
  plain.flags = {"-fno-builtin", "-g0", "-w"};
  for (const std::string& one : defines) plain.flags.push_back("-D" + one);
  Result<ProcessEnd> end = run(path, plain, ctext::ClangJob::Makes::Bitcode, {}, stop);
  if (!end) return end.error();
  return std::move(end->output);
}

Result<std::string> preprocess(const std::string& path, const COptions& options,
                               const std::stop_token& stop) {
  Result<ProcessEnd> end = run(path, options, ctext::ClangJob::Makes::Preprocessed, {"-P"}, stop);
  if (!end) return end.error();
  return std::move(end->output);
}

}  // namespace lem::c
