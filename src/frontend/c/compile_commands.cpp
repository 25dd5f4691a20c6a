#include "frontend/c/compile_commands.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/sandbox.h"
#include "ctext/compiler.h"

namespace lem::c {

namespace fs = std::filesystem;
using nlohmann::json;

/// The words of a command as a shell reads them: blanks, quotes and backslashes.
static std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    char c = command[i];
    bool escapes = c == '\\' && quote != '\'' && i + 1 < command.size();
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
      continue;
    }
    open = true;
    if (escapes)
      word += command[++i];
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (quote != 0 && c == quote)
      quote = 0;
    else
      word += c;
  }
  if (open) words.push_back(word);
  return words;
}

static fs::path full(const std::string& path, const fs::path& folder) {
  std::error_code failed;
  fs::path whole = (folder / path).lexically_normal();
  fs::path real = fs::weakly_canonical(whole, failed);
  return failed ? whole : real;
}

static bool contains(const fs::path& folder, const fs::path& inner) {
  auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end());
  return end == folder.end();
}

static fs::path common(const fs::path& a, const fs::path& b) {
  fs::path out;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
    out /= *i;
  return out;
}

/// Folders whose files the commands may name. The project is what contains both the list and the
/// source; if that is a home or /tmp, it is the two folders alone.
static std::vector<fs::path> folders_of(const fs::path& list, const fs::path& source,
                                        const std::vector<std::string>& given) {
  std::vector<fs::path> out = {"/usr", list, source};
  fs::path project = common(list, source);
  if (readable_in(project.string()) == std::vector{project.string()}) out.push_back(project);
  std::error_code failed;
  for (std::size_t i = 0; i + 1 < given.size(); ++i)
    if (given[i] != "-include" && ctext::takes_path(given[i]))
      out.push_back(full(given[i + 1], fs::current_path(failed)));
  return out;
}

static Result<std::vector<std::string>> flags_of(const std::vector<std::string>& words,
                                                 const fs::path& folder,
                                                 const std::vector<fs::path>& allowed) {
  static constexpr std::array kWithValue = {"-isystem", "-iquote", "-idirafter", "-include",
                                            "-I",       "-D",      "-U"};
  std::vector<std::string> out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with('@')) return Error{{}, "'" + word + "': lists of arguments are not read"};
    if (word.starts_with("-std=")) out.push_back(word);
    auto flag = std::find_if(kWithValue.begin(), kWithValue.end(),
                             [&](const char* each) { return word.starts_with(each); });
    if (flag == kWithValue.end()) continue;
    std::string value = word.substr(std::string_view(*flag).size());
    if (value.empty() && i + 1 < words.size()) value = words[++i];
    if (ctext::takes_path(*flag)) {
      fs::path path = full(value, folder);
      auto inside = [&](const fs::path& each) { return contains(each, path); };
      if (std::none_of(allowed.begin(), allowed.end(), inside))
        return Error{{},
                     word + " names '" + path.string() +
                         "', which is outside of the project (give its folder with -I)"};
      value = path.string();
    }
    out.insert(out.end(), {*flag, value});
  }
  if (Status known = ctext::check_flags(out); !known) return Error{{}, known.error().message};
  return out;
}

static std::string text(const json& entry, const char* key) {
  auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The words of the entry's command, in either form.
static std::vector<std::string> words_of(const json& entry) {
  auto list = entry.find("arguments");
  if (list == entry.end() || !list->is_array()) return words_of(text(entry, "command"));
  std::vector<std::string> words;
  for (const json& word : *list)
    if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

Result<std::vector<std::string>> compile_flags(const std::string& commands, const std::string& file,
                                               const std::vector<std::string>& given) {
  std::ifstream in(commands);
  if (!in) return Error{{commands}, "cannot read the file", ErrorKind::NotFound};
  json entries = json::parse(in, nullptr, false);
  if (!entries.is_array()) return Error{{commands}, "not a list of compile commands in JSON"};
  std::error_code failed;
  fs::path here = full(commands, fs::current_path(failed)).parent_path();
  fs::path wanted = full(file, fs::current_path(failed));
  for (const json& entry : entries) {
    if (!entry.is_object()) continue;
    fs::path folder = here / text(entry, "directory");
    if (full(text(entry, "file"), folder) != wanted) continue;
    Result<std::vector<std::string>> flags =
        flags_of(words_of(entry), folder, folders_of(here, wanted.parent_path(), given));
    if (flags) return flags;
    return Error{{commands}, flags.error().message};
  }
  return Error{{commands}, "no command for '" + file + "'", ErrorKind::Usage};
}

}  // namespace lem::c
