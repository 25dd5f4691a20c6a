#include "frontend/c/compile_commands.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

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

static std::vector<std::string> flags_of(const std::vector<std::string>& words,
                                         const fs::path& folder) {
  static constexpr std::array kWithPath = {"-isystem", "-include", "-I"};
  static constexpr std::array kWithName = {"-D", "-U"};
  std::vector<std::string> out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    auto take = [&](const char* flag, bool path) {
      if (!word.starts_with(flag)) return false;
      std::string value = word.substr(std::string(flag).size());
      if (value.empty() && i + 1 < words.size()) value = words[++i];
      out.insert(out.end(), {flag, path ? full(value, folder).string() : value});
      return true;
    };
    bool taken = false;
    for (const char* flag : kWithPath) taken = taken || take(flag, true);
    for (const char* flag : kWithName) taken = taken || take(flag, false);
    if (!taken && word.starts_with("-std=")) out.push_back(word);
  }
  return out;
}

static std::string text(const json& entry, const char* key) {
  auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<std::vector<std::string>> compile_flags(const std::string& commands,
                                               const std::string& file) {
  std::ifstream in(commands);
  if (!in) return Error{{commands}, "cannot read the file", ErrorKind::NotFound};
  json entries = json::parse(in, nullptr, false);
  if (!entries.is_array()) return Error{{commands}, "not a list of compile commands in JSON"};
  std::error_code failed;
  fs::path here = fs::absolute(fs::path(commands), failed).parent_path();
  fs::path wanted = full(file, fs::current_path(failed));
  for (const json& entry : entries) {
    if (!entry.is_object()) continue;
    fs::path folder = here / text(entry, "directory");
    if (full(text(entry, "file"), folder) != wanted) continue;
    std::vector<std::string> words = words_of(text(entry, "command"));
    if (auto list = entry.find("arguments"); list != entry.end() && list->is_array()) {
      words.clear();
      for (const json& word : *list)
        if (word.is_string()) words.push_back(word.get<std::string>());
    }
    return flags_of(words, folder);
  }
  return Error{{commands}, "no command for '" + file + "'", ErrorKind::Usage};
}

}  // namespace lem::c
