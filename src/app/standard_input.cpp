#include "app/standard_input.h"

#include <algorithm>
#include <fstream>

#include "base/printable.h"
#include "base/temporary_folder.h"
#include "base/try.h"
#include "frontend/guess.h"

namespace lem::app {

static Error usage(std::string message) {
  return {{"-"}, std::move(message), ErrorKind::Usage};
}

/// Front ends, compilers and validators take files: one for what was read.
static Result<std::string> kept(const std::string& text, std::string_view extension,
                                Console& console) {
  static TemporaryFolder folder;
  if (folder.path().empty())
    return Error{{"-"}, "no folder for standard input: " + folder.error(), ErrorKind::Internal};
  std::string path = folder.path() + "/stdin" + std::string(extension);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return Error{{"-"}, "standard input cannot be kept in " + path, ErrorKind::Internal};
  console.call(path, "-");
  return path;
}

Status take_model(std::string& file, const frontend::ReadOptions& input, Console& console) {
  const std::vector<std::string>& more = input.source.more_files;
  for (const std::string& name : input.all_files(file))
    if (std::any_of(name.begin(), name.end(), is_control)) console.call(name, printable(name));
  if (file != "-") {
    if (std::find(more.begin(), more.end(), "-") != more.end())
      return usage("standard input is a model of its own");
    if (!input.source.as.empty()) return usage("--as is for a model from standard input");
    return Ok{};
  }
  if (!more.empty()) return usage("standard input is a model of its own");
  LEM_LET(std::string text, frontend::read_bytes("/dev/stdin"));
  std::string as = input.source.as;
  if (as.empty()) as = frontend::guess_extension(text);
  if (as.empty()) return usage("what format this is does not show; say it, as in --as smt2");
  if (as[0] != '.') as = "." + as;
  if (frontend::format_of("stdin" + as) == nullptr)
    return usage("--as: there is no format with the extension '" + as + "'");
  LEM_LET(std::string path, kept(text, as, console));
  file = path;
  return Ok{};
}

Status take_evidence(std::string& file, std::string_view extension, Console& console) {
  if (file != "-") return Ok{};
  LEM_LET(std::string text, frontend::read_bytes("/dev/stdin"));
  LEM_LET(std::string path, kept(text, ".evidence" + std::string(extension), console));
  file = path;
  return Ok{};
}

}  // namespace lem::app
