// Layout: kind (1 byte), payload length (8), checksum of the payload (8), payload. Numbers of the
// frame are little-endian; the payload is as base/bytes.h and model/evidence/codec.h have it.
#include "run/message.h"

#include <bit>
#include <cassert>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace lem::run {

namespace {

constexpr char kStatus = 's';
constexpr char kFinal = 'f';
constexpr char kClaim = 'p';
constexpr char kSample = 'c';
constexpr std::size_t kHeader = 17;

/// FNV-1a: detects truncation and stray writes; nobody attacks this pipe.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

void write_stats(ByteWriter& out, const Stats& stats) {
  out.number(stats.counters().size());
  for (const auto& [name, counter] : stats.counters()) {
    out.text(name);
    out.number(counter.value);
  }
  out.number(stats.timers().size());
  for (const auto& [name, timer] : stats.timers()) {
    out.text(name);
    out.fixed(std::bit_cast<std::uint64_t>(timer.seconds));
  }
}

Stats read_stats(ByteReader& in) {
  Stats stats;
  for (std::size_t left = in.count(); left > 0 && in.good(); --left) {
    std::string name = in.text();
    stats.counter(name).value = in.number();
  }
  for (std::size_t left = in.count(); left > 0 && in.good(); --left) {
    std::string name = in.text();
    stats.timer(name).seconds = std::bit_cast<double>(in.fixed());
  }
  return stats;
}

std::string frame(char kind, const std::string& payload) {
  ByteWriter header;
  header.fixed(payload.size());
  header.fixed(checksum(payload));
  std::string out = kind + header.take() + payload;
  assert(out.size() == kHeader + payload.size() && "the frame header has a fixed size");
  return out;
}

std::optional<Message> read_claim(ByteReader& in, TermStore* terms) {
  std::vector<std::size_t> properties(in.count());
  for (std::size_t& property : properties) property = in.number();
  std::optional<Verdict> verdict = read_verdict(in, terms);
  Stats stats = read_stats(in);
  bool definite = verdict && !is_unknown(*verdict);
  if (!definite || !in.good() || !in.at_end()) return {};
  return Claim{{std::move(properties), *std::move(verdict)}, std::move(stats)};
}

std::optional<Message> read_final(ByteReader& in) {
  std::optional<Reason> reason = read_reason(in);
  Stats stats = read_stats(in);
  if (!reason || !in.good() || !in.at_end()) return {};
  return FinalWord{*reason, std::move(stats)};
}

std::optional<Message> read_sample(ByteReader& in) {
  Sample sample;
  sample.text = in.text();
  sample.memory_bytes = in.number();
  sample.stats = read_stats(in);
  if (!in.good() || !in.at_end()) return {};
  return sample;
}

std::optional<Message> parse(char kind, std::string_view payload, TermStore* terms) {
  if (kind == kStatus) return StatusLine{std::string(payload)};
  ByteReader in(payload);
  if (kind == kClaim) return read_claim(in, terms);
  if (kind == kSample) return read_sample(in);
  if (kind == kFinal) return read_final(in);
  return {};
}

}  // namespace

void add_counts(Stats& all, const Stats& more) {
  for (const auto& [name, counter] : more.counters()) all.counter(name) += counter.value;
  for (const auto& [name, timer] : more.timers()) all.timer(name).seconds += timer.seconds;
}

std::string frame_status(std::string_view text) {
  return frame(kStatus, std::string(text));
}

std::string frame_sample(std::string_view text, const Stats& stats, std::uint64_t memory_bytes) {
  ByteWriter out;
  out.text(text);
  out.number(memory_bytes);
  write_stats(out, growth_stats(stats));
  return frame(kSample, out.take());
}

const std::string& status_of(const Message& message) {
  if (const auto* sample = std::get_if<Sample>(&message)) return sample->text;
  return std::get<StatusLine>(message).text;
}

std::string frame_claim(const Found& found, const Stats& stats, SharedTerms terms) {
  ByteWriter out;
  out.number(found.properties.size());
  for (std::size_t property : found.properties) out.number(property);
  write_verdict(out, found.verdict, terms);
  write_stats(out, stats);
  return frame(kClaim, out.take());
}

std::string frame_final(Reason reason, const Stats& stats) {
  ByteWriter out;
  write_reason(out, reason);
  write_stats(out, stats);
  return frame(kFinal, out.take());
}

std::optional<Message> MessageReader::take() {
  if (damaged_ || pending_.size() < kHeader) return {};
  ByteReader header(std::string_view(pending_).substr(1, kHeader - 1));
  std::uint64_t size = header.fixed();
  std::uint64_t expected = header.fixed();
  if (pending_.size() - kHeader < size) return {};
  std::string_view payload = std::string_view(pending_).substr(kHeader, size);
  std::optional<Message> message;
  if (checksum(payload) == expected) message = parse(pending_.front(), payload, terms_);
  damaged_ = !message;
  pending_.erase(0, kHeader + size);
  return message;
}

}  // namespace lem::run
