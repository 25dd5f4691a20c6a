#include "app/outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <optional>

#include "writer/file.h"

namespace lem::app {

static Error usage(std::string message) {
  return {{}, std::move(message), ErrorKind::Usage};
}

bool is_folder(const std::string& path) {
  return path.ends_with('/');
}

Status check_writable(const Output& output) {
  const std::string& path = output.path;
  if (path.empty() || path == "-") return Ok{};
  std::error_code failed;
  bool exists = std::filesystem::is_directory(path, failed);
  bool folder_meant = output.may_be_folder && is_folder(path);
  if (exists && !folder_meant) return usage("cannot write '" + path + "': it is a directory");
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder_meant && !exists) folder = folder.parent_path();  // it will be made
  if (folder.empty()) folder = path.starts_with('/') ? "/" : ".";
  if (!std::filesystem::is_directory(folder, failed))
    return usage("cannot write '" + path + "': no such folder");
  if (access(folder.c_str(), W_OK) != 0)
    return usage("cannot write '" + path + "': the folder is not writable");
  return Ok{};
}

static std::string identity(const struct stat& info, const std::string& name) {
  return fmt::format("{}:{}/{}", info.st_dev, info.st_ino, name);
}

/// Equal exactly for names of the same file; none for what is not a regular file.
static std::optional<std::string> identity(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0) {
    if (!S_ISREG(info.st_mode)) return {};
    return identity(info, "");
  }
  // Not there yet: its folder and its name.
  std::filesystem::path file(path);
  std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  if (stat(folder.c_str(), &info) != 0) return {};
  return identity(info, file.filename().string());
}

static std::optional<std::string> identity(int stream) {
  struct stat info {};
  if (fstat(stream, &info) != 0 || !S_ISREG(info.st_mode)) return {};
  return identity(info, "");
}

Status check_apart(std::span<const std::string> inputs, std::span<const Output> outputs) {
  std::map<std::string, std::string> taken;  // by identity: the option that names it
  for (const std::string& input : inputs)
    if (auto id = identity(input)) taken[*id] = "the input";
  for (auto [stream, name] :
       {std::pair{STDOUT_FILENO, "standard output"}, std::pair{STDERR_FILENO, "standard error"}}) {
    auto id = identity(stream);
    if (!id) continue;
    auto [at, fresh] = taken.try_emplace(*id, name);
    if (!fresh && at->second == "the input")
      return usage(std::string(name) + " would overwrite the input '" + inputs.front() + "'");
  }
  for (const Output& output : outputs) {
    if (output.path.empty() || output.path == "-") continue;
    auto id = identity(output.path);
    if (!id) continue;
    auto [at, fresh] = taken.try_emplace(*id, output.option);
    if (!fresh)
      return usage(
          fmt::format("{} '{}' would overwrite {}", output.option, output.path,
                      at->second == output.option ? "another file of its own" : at->second));
  }
  return Ok{};
}

Status put(const std::string& path, const std::string& text, Console& console) {
  if (path.empty()) return Ok{};
  if (path != "-") return writer::write_file_atomically(path, text);
  console.out(text);  // remembers what is lost
  return Ok{};
}

}  // namespace lem::app
