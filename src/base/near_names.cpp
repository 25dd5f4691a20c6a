#include "base/near_names.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace lem {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({change, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string near_names(std::string_view wanted, std::span<const std::string> names) {
  constexpr std::size_t kMost = 3;
  constexpr std::size_t kLongest = 200;  // nobody types more; keeps the table small
  if (wanted.empty() || wanted.size() > kLongest) return {};
  std::string key = lower(wanted);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    std::string other = lower(name);
    std::size_t apart = distance(key, other);
    bool part = key.size() >= 3 && other.find(key) != std::string::npos;
    if (part) apart = std::min<std::size_t>(apart, 2);
    if (part || apart <= std::max<std::size_t>(1, key.size() / 3)) found.emplace_back(apart, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i)
    text += (i == 0 ? "; near it: " : ", ") + std::string(found[i].second);
  return text;
}

}  // namespace lem
