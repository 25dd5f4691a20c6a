// What a worker process tells its parent: framed messages with length and checksum, so that a
// worker that dies while it speaks is told apart from one that finished.
// Tests: tests/unit/run/message_test.cpp.
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
#include "model/evidence/codec.h"
#include "model/found.h"
#include "model/verdict.h"
#include "term/term_store.h"

namespace lem::run {

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
/// What it found, and what it had counted by then.
struct Claim {
  Found found;
  Stats stats;
};
/// Why it ended, and what it counted.
struct FinalWord {
  Reason reason;
  Stats stats;
};
/// Adds what a worker counted to what the run did.
void add_counts(Stats& all, const Stats& more);
using Message = std::variant<StatusLine, FinalWord, Claim, Sample>;

/// One frame, ready to be written to a pipe.
std::string frame_status(std::string_view text);
/// Of the counters those that growth_stats() keeps, so that the frame is small.
std::string frame_sample(std::string_view text, const Stats& stats, std::uint64_t memory_bytes);
/// The text of a progress line, with or without counts.   require: one of these
const std::string& status_of(const Message& message);
std::string frame_claim(const Found& found, const Stats& stats, SharedTerms terms = {});
std::string frame_final(Reason reason, const Stats& stats);

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

}  // namespace lem::run
