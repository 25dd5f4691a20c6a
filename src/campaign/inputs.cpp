#include "campaign/inputs.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

namespace lem::campaign {

namespace fs = std::filesystem;

bool matches(std::string_view pattern, std::string_view path) {
  std::size_t end = pattern.find('/');
  std::string_view part = pattern.substr(0, end);
  std::string_view rest = end == std::string_view::npos ? "" : pattern.substr(end + 1);
  bool last = end == std::string_view::npos;
  std::size_t cut = path.find('/');
  if (part == "**") {
    if (last) return true;
    if (matches(rest, path)) return true;
    return cut != std::string_view::npos && matches(pattern, path.substr(cut + 1));
  }
  std::string name(path.substr(0, cut));
  if (fnmatch(std::string(part).c_str(), name.c_str(), FNM_PERIOD) != 0) return false;
  if (cut == std::string_view::npos || last) return last && cut == std::string_view::npos;
  return matches(rest, path.substr(cut + 1));
}

static bool is_pattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

/// The folder of a campaign has models as well: proofs of circuits.
static bool is_passed_over(const fs::path& path) {
  std::string name = path.filename();
  return name.starts_with('.') || name.ends_with(".db.files");
}

/// Every file below `folder`, by names relative to `base`. Hidden ones are left out.
static std::vector<std::string> files_below(const fs::path& base, const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code failed;
  auto options = fs::directory_options::skip_permission_denied |
                 fs::directory_options::follow_directory_symlink;
  fs::recursive_directory_iterator at(base / folder, options, failed), end;
  for (; !failed && at != end; at.increment(failed)) {
    bool passed_over = is_passed_over(at->path());
    if (passed_over && at->is_directory(failed)) at.disable_recursion_pending();
    if (passed_over || !at->is_regular_file(failed)) continue;
    out.push_back((folder / at->path().lexically_relative(base / folder)).lexically_normal());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The part of a pattern before its first part that has a wildcard.
static std::string plain_start(const std::string& pattern) {
  std::size_t wild = pattern.find_first_of("*?[");
  std::size_t slash = pattern.rfind('/', wild);
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : pattern.substr(0, slash);
}

Result<std::vector<std::string>> find_inputs(const std::string& base, const std::string& pattern,
                                             std::span<const std::string> endings) {
  std::error_code failed;
  fs::path path = fs::path(base) / pattern;
  std::vector<std::string> out;
  if (fs::is_directory(path, failed)) {
    for (std::string& file : files_below(base, pattern))
      if (std::find(endings.begin(), endings.end(), fs::path(file).extension()) != endings.end())
        out.push_back(std::move(file));
    if (out.empty()) return Error{{pattern}, "no models in this folder", ErrorKind::NotFound};
    return out;
  }
  if (!is_pattern(pattern) || fs::exists(path, failed)) {
    if (fs::is_regular_file(path, failed)) return std::vector{pattern};
    return Error{{pattern}, "no such file", ErrorKind::NotFound};
  }
  std::string normal = fs::path(pattern).lexically_normal();
  for (std::string& file : files_below(base, plain_start(normal)))
    if (matches(normal, file)) out.push_back(std::move(file));
  if (out.empty()) return Error{{pattern}, "no file matches", ErrorKind::NotFound};
  return out;
}

}  // namespace lem::campaign
