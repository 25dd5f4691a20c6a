// What a worker process tells its parent: framed messages with length and checksum, so that a
// worker that dies while it speaks is told apart from one that finished.
// Tests: tests/unit/portfolio/portfolio_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/growth.h"
#include "base/stats.h"
#include "engine/engine.h"
#include "model/verdict.h"
#include "term/term_store.h"

namespace lem::portfolio {

using engine::Found;
using engine::OnFound;

/// The worker's progress line.
struct StatusLine {
  std::string text;
};
/// The same with what it has counted, for reports.
struct Sample {
  std::string text;
  Stats stats;
  std::uint64_t memory_bytes = 0;
};
/// The worker's last word and what it counted.
struct FinalWord {
  Verdict verdict;
  Stats stats;
};
/// Adds what a worker counted to what the run did.
void add_counts(Stats& all, const Stats& more);
using Message = std::variant<StatusLine, FinalWord, Found, Sample>;

/// One frame, ready to be written to a pipe.
std::string frame_status(std::string_view text);
/// Of the counters those that growth_stats() keeps, so that the frame is small.
std::string frame_sample(std::string_view text, const Stats& stats, std::uint64_t memory_bytes);
/// The text of a progress line, with or without counts.   require: one of these
const std::string& status_of(const Message& message);
/// `terms`: the store that terms of the verdict are in; those below `known` exist on both sides.
struct SharedTerms {
  const TermStore* store = nullptr;
  std::size_t known = 0;
};
std::string frame_final(const Verdict& verdict, const Stats& stats, SharedTerms terms = {});
/// What a worker on several properties found out on its way.
std::string frame_found(const Found& found, SharedTerms terms = {});

/// Cuts a byte stream back into messages.
class MessageReader {
 public:
  MessageReader() = default;
  /// Terms are read into the store, which outlives the reader.
  explicit MessageReader(TermStore* terms) : terms_(terms) {}
  void feed(std::string_view bytes) { pending_.append(bytes); }
  /// The next whole message, if there is one. Bytes that are no message make the stream damaged.
  std::optional<Message> take();
  bool damaged() const { return damaged_; }

 private:
  TermStore* terms_ = nullptr;
  std::string pending_;
  bool damaged_ = false;
};

}  // namespace lem::portfolio
