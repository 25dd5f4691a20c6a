#include "campaign/changes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/assert.h"

namespace lem::campaign {

namespace {

// Less is not worth a line, whatever the spread.
constexpr double kLeastRatio = 1.25;
constexpr double kLeastSeconds = 0.1;
// Deviations from the median that still are noise, in units of the spread.
constexpr double kSpreads = 3;
constexpr double kMadToSigma = 1.4826;

struct Group {
  std::string verdict;
  std::vector<double> seconds;  // of definite verdicts
  std::size_t runs = 0;
};
using Groups = std::map<std::pair<std::string, std::string>, Group>;

bool is_definite(const std::string& verdict) {
  return verdict == "safe" || verdict == "unsafe";
}

double median(std::vector<double> values) {
  assert(!values.empty() && "nothing has no median");
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Solved means: by more than half of the seeds.
Groups groups_of(std::span<const RunRow> rows) {
  Groups out;
  for (const RunRow& row : rows) {
    Group& group = out[{row.file, row.configuration}];
    ++group.runs;
    if (group.verdict.empty() || !is_definite(group.verdict)) group.verdict = row.record.verdict;
    if (is_definite(row.record.verdict)) group.seconds.push_back(row.record.seconds);
  }
  for (auto& [key, group] : out)
    if (2 * group.seconds.size() <= group.runs && is_definite(group.verdict))
      group.verdict = "unknown";
  return out;
}

struct Pair {
  Change change;
  double ratio;  // its logarithm
};

void sort_changes(std::vector<Change>& changes) {
  auto size = [](const Change& one) {
    return std::abs(
        std::log(std::max(one.seconds_after, 1e-3) / std::max(one.seconds_before, 1e-3)));
  };
  std::stable_sort(changes.begin(), changes.end(), [&](const Change& a, const Change& b) {
    return a.kind != b.kind ? a.kind < b.kind : size(a) > size(b);
  });
}

/// Adds what became slower or faster than the rest.
void compare_times(const std::vector<Pair>& pairs, Comparison& out) {
  if (pairs.empty()) return;
  std::vector<double> ratios;
  for (const Pair& pair : pairs) ratios.push_back(pair.ratio);
  double middle = median(ratios);
  for (double& ratio : ratios) ratio = std::abs(ratio - middle);
  double noise = std::max(std::log(kLeastRatio), kSpreads * kMadToSigma * median(ratios));
  out.ratio = std::exp(middle);
  out.noise = std::exp(noise);
  for (const Pair& pair : pairs) {
    Change change = pair.change;
    bool worth = std::abs(change.seconds_after - change.seconds_before) >= kLeastSeconds;
    if (!worth || std::abs(pair.ratio - middle) <= noise) continue;
    change.kind = pair.ratio > middle ? Change::Kind::Slower : Change::Kind::Faster;
    out.changes.push_back(std::move(change));
  }
}

}  // namespace

std::string_view name(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::Contradicted:
      return "contradicted";
    case Change::Kind::Lost:
      return "lost";
    case Change::Kind::New:
      return "new";
    case Change::Kind::Slower:
      return "slower";
    case Change::Kind::Faster:
      return "faster";
  }
  unreachable();
}

Comparison compare(std::span<const RunRow> before, std::span<const RunRow> after) {
  Groups old = groups_of(before);
  Groups now = groups_of(after);
  Comparison out;
  std::vector<Pair> pairs;
  for (const auto& [key, group] : now) {
    auto found = old.find(key);
    if (found == old.end()) {
      ++out.added;
      continue;
    }
    ++out.common;
    const Group& then = found->second;
    bool solved = is_definite(group.verdict);
    bool was_solved = is_definite(then.verdict);
    Change change{Change::Kind::New, key.first, key.second, then.verdict, group.verdict, 0, 0};
    if (!then.seconds.empty()) change.seconds_before = median(then.seconds);
    if (!group.seconds.empty()) change.seconds_after = median(group.seconds);
    if (solved && was_solved && group.verdict == then.verdict) {
      double ratio =
          std::log(std::max(change.seconds_after, 1e-3) / std::max(change.seconds_before, 1e-3));
      pairs.push_back({std::move(change), ratio});
      continue;
    }
    if (!solved && !was_solved) continue;
    change.kind = solved && was_solved ? Change::Kind::Contradicted
                  : solved             ? Change::Kind::New
                                       : Change::Kind::Lost;
    out.changes.push_back(std::move(change));
  }
  out.removed = old.size() - out.common;
  compare_times(pairs, out);
  sort_changes(out.changes);
  return out;
}

}  // namespace lem::campaign
