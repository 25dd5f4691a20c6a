#include "base/growth.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>

namespace lem {

namespace {

// Of one engine. A full series loses every second sample, so that long runs stay small.
constexpr std::size_t kMostSamples = 600;
constexpr std::size_t kMostEngines = 16;  // more curves cannot be told apart

/// The kind of a counter, by the last part of its name; empty for those that are not plotted.
std::string_view kind_of(std::string_view name) {
  struct Kind {
    std::string_view last, kind;
  };
  static constexpr std::array kKinds = {
      Kind{"lemmas", "lemmas"},
      Kind{"clauses", "lemmas"},
      Kind{"obligations", "obligations"},
      Kind{"ctis", "obligations"},
      Kind{"queries", "queries"},
      Kind{"suffix-queries", "queries"},
      Kind{"step-queries", "queries"},
      Kind{"depth", "depth"},
      Kind{"k", "depth"},
  };
  std::string_view last = name.substr(name.rfind('.') + 1);
  for (const Kind& kind : kKinds)
    if (kind.last == last && !name.starts_with("transform.")) return kind.kind;
  return {};
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  std::uint64_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<std::uint64_t> number_after(std::string_view text, std::string_view word) {
  std::size_t at = text.find(word);
  if (at == text.npos) return {};
  text.remove_prefix(at + word.size());
  return take_number(text);
}

void read_status(std::string_view status, GrowthSample& sample) {
  if (auto frame = number_after(status, "frame ")) sample.counts["depth"] = *frame;
  if (auto open = number_after(status, "obligations ")) sample.counts["open obligations"] = *open;
  std::size_t at = status.find("lemmas ");
  if (at == status.npos) return;
  std::string_view rest = status.substr(at + 7);
  while (auto count = take_number(rest)) sample.lemmas.push_back(*count);
  std::uint64_t top = sample.counts.contains("depth") ? sample.counts["depth"] : 0;
  if (top >= sample.lemmas.size()) sample.first_frame = top - sample.lemmas.size() + 1;
}

}  // namespace

std::map<std::string, std::uint64_t> growth_counts(const Stats& stats) {
  std::map<std::string, std::uint64_t> out;
  for (const auto& [name, counter] : stats.counters())
    if (std::string_view kind = kind_of(name); !kind.empty())
      out[std::string(kind)] += counter.value;
  return out;
}

Stats growth_stats(const Stats& stats) {
  Stats out;
  for (const auto& [name, counter] : stats.counters())
    if (!kind_of(name).empty()) out.counter(name).value = counter.value;
  return out;
}

void Growth::add(const std::string& engine, const Stats& stats, std::uint64_t memory_bytes,
                 std::string_view status, Clock::time_point now) {
  if (engines_.size() >= kMostEngines && !engines_.contains(engine)) return;
  std::vector<GrowthSample>& series = engines_[engine];
  if (memory_bytes == 0 && !series.empty()) memory_bytes = series.back().memory_bytes;
  GrowthSample sample;
  sample.seconds = std::chrono::duration<double>(now - start_).count();
  sample.memory_bytes = memory_bytes;
  sample.counts = growth_counts(stats);
  read_status(status, sample);
  series.push_back(std::move(sample));
  if (series.size() <= kMostSamples) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < series.size(); i += 2) std::swap(series[kept++], series[i]);
  series.resize(kept);
}

std::uint64_t resident_bytes_of_self() {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace lem
