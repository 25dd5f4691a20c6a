#include "base/options.h"

#include <algorithm>
#include <charconv>
#include <mutex>

#include "base/near_names.h"

namespace lem {

static std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

namespace {
struct Paths {
  std::mutex mutex{};
  std::vector<std::string> known{""};
};
}  // namespace

static Paths& paths() {
  static Paths all;
  return all;
}

static bool is_path(const OptionRow& row) {
  return row.choices == "PATH";
}

/// Paths are kept once for the whole process and never forgotten, so that a value stays a number
/// and copies of options stay cheap. Number 0 is the empty path, the default.
static std::string known_path(std::int64_t value) {
  std::lock_guard lock(paths().mutex);
  return paths().known[static_cast<std::size_t>(value)];
}

static std::int64_t number_of_path(std::string_view path) {
  std::lock_guard lock(paths().mutex);
  std::vector<std::string>& known = paths().known;
  auto found = std::find(known.begin(), known.end(), path);
  auto number = found - known.begin();
  if (found == known.end()) known.emplace_back(path);
  return number;
}

std::string option_text(const OptionRow& row, std::int64_t value) {
  if (row.choices.empty()) return std::to_string(value);
  if (is_path(row)) return known_path(value);
  return std::string(word_at(row.choices, static_cast<std::size_t>(value)));
}

void Options::declare(std::span<const OptionRow> rows) {
  for (const OptionRow& row : rows) {
    bool fresh = entries_.emplace(std::string(row.name), Entry{row, row.fallback}).second;
    assert(fresh && "an option is declared twice");
    static_cast<void>(fresh);
  }
}

Status Options::set(std::string_view name, std::string_view value) {
  auto usage = [&](std::string message) { return Error{{}, std::move(message), ErrorKind::Usage}; };
  auto found = entries_.find(name);
  if (found == entries_.end()) {
    std::vector<std::string> names;
    for (const auto& [known, entry] : entries_) names.push_back(known);
    return usage("unknown option '" + std::string(name) + "'" + near_names(name, names));
  }
  const OptionRow& row = found->second.row;
  if (is_path(row)) {
    found->second.value = number_of_path(value);
    return Ok{};
  }
  if (!row.choices.empty()) {
    std::int64_t index = index_of(row.choices, value);
    if (index < 0)
      return usage("option '" + std::string(name) + "' takes " + std::string(row.choices) +
                   ", not '" + std::string(value) + "'");
    found->second.value = index;
    return Ok{};
  }
  std::int64_t number = 0;
  auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), number);
  bool whole = ec == std::errc{} && end == value.data() + value.size();
  if (!whole || number < row.min || number > row.max)
    return usage("option '" + std::string(name) + "' takes a whole number from " +
                 std::to_string(row.min) + " to " + std::to_string(row.max) + ", not '" +
                 std::string(value) + "'");
  found->second.value = number;
  return Ok{};
}

Status Options::set_all(std::string_view assignments) {
  if (assignments.empty()) return Ok{};
  for (std::string_view part : split(assignments, ',')) {
    std::size_t at = part.find('=');
    if (at == std::string_view::npos)
      return Error{
          {}, "expected option=value, found '" + std::string(part) + "'", ErrorKind::Usage};
    if (Status set_one = set(part.substr(0, at), part.substr(at + 1)); !set_one) return set_one;
  }
  return Ok{};
}

const Options::Entry& Options::declared(std::string_view name) const {
  auto found = entries_.find(name);
  assert(found != entries_.end() && "an undeclared option was read");
  return found->second;
}

std::vector<OptionRow> Options::rows() const {
  std::vector<OptionRow> all;
  for (const auto& [name, entry] : entries_) all.push_back(entry.row);
  return all;
}

}  // namespace lem
