#include "app/suggest.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace lem::app {

/// Edit distance with swaps of neighbours (optimal string alignment).
static std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names) {
  std::size_t least = std::clamp<std::size_t>(word.size() / 3, 1, 2);
  std::optional<std::string> best;
  for (const std::string& name : names) {
    std::size_t here = distance(word, name);
    if (here > least || (best && here == least)) continue;
    least = here;
    best = name;
  }
  return best;
}

static std::vector<std::string> commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// Long options without their dashes.
static std::vector<std::string> options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options([](const CLI::Option*) { return true; }))
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

static std::string about_command(const CLI::App& app, const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    return "'" + word + "' is a file: lemmata check " + word;
  if (auto name = nearest(word, commands(app)))
    return "'" + word + "' is no command; did you mean '" + *name + "'?";
  return "'" + word + "' is no command; `lemmata --help` lists them";
}

std::string suggestion(const CLI::App& app, std::span<const std::string> words) {
  auto first = std::find_if(words.begin(), words.end(),
                            [](const std::string& word) { return !word.starts_with("-"); });
  if (first == words.end()) return words.empty() ? "no command; `lemmata --help` lists them" : "";
  std::vector<std::string> known = commands(app);
  if (std::find(known.begin(), known.end(), *first) == known.end())
    return about_command(app, *first);
  std::vector<std::string> declared = options(*app.get_subcommand(*first));
  for (auto word = first + 1; word != words.end(); ++word) {
    if (!word->starts_with("--")) continue;
    std::string name = word->substr(2, word->find('=') - 2);
    if (name.empty() || std::find(declared.begin(), declared.end(), name) != declared.end())
      continue;
    if (auto close = nearest(name, declared)) return "did you mean '--" + *close + "'?";
    return "`lemmata " + *first + " --help` lists its options";
  }
  return {};
}

}  // namespace lem::app
