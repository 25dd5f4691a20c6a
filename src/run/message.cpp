// Layout: kind (1 byte), payload length (8), checksum of the payload (8), payload. Numbers of the
// frame are little-endian; numbers of the payload are base-128 varints, bits are packed.
#include "run/message.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>
#include <vector>

#include "term/wire.h"

namespace lem::run {

namespace {

constexpr char kStatus = 's';
constexpr char kFinal = 'f';
constexpr char kClaim = 'p';
constexpr char kSample = 'c';
constexpr std::size_t kHeader = 17;
constexpr auto kLastReason = static_cast<std::uint64_t>(Reason::OutOfMemory);

/// FNV-1a: detects truncation and stray writes; nobody attacks this pipe.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

class Writer {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>((value & 0x7f) | 0x80));
    out_.push_back(static_cast<char>(value));
  }
  void fixed(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) out_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
  void text(std::string_view value) {
    number(value.size());
    out_.append(value);
  }
  void bits(const std::vector<bool>& values) {
    number(values.size());
    for (std::size_t at = 0; at < values.size(); at += 8) {
      unsigned byte = 0;
      for (std::size_t i = at; i < values.size() && i < at + 8; ++i)
        byte |= (values[i] ? 1U : 0U) << (i - at);
      out_.push_back(static_cast<char>(byte));
    }
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reading past the end or an oversized count makes the reader bad; it then yields zeros.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  bool good() const { return good_; }
  bool at_end() const { return left_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      std::uint64_t byte = next_byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  std::uint64_t fixed() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value |= next_byte() << (8 * i);
    return value;
  }
  /// A count of things that take at least one byte for every `per_byte` of them.
  std::size_t count(std::size_t per_byte = 1) {
    std::uint64_t value = number();
    if (value <= left_.size() * per_byte) return static_cast<std::size_t>(value);
    good_ = false;
    return 0;
  }
  std::string text() {
    std::size_t size = count();
    std::string value(left_.substr(0, size));
    left_.remove_prefix(size);
    return value;
  }
  std::vector<bool> bits() {
    std::vector<bool> values(count(8));
    std::uint64_t byte = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % 8 == 0) byte = next_byte();
      values[i] = (byte >> (i % 8) & 1) != 0;
    }
    return values;
  }

 private:
  std::uint64_t next_byte() {
    if (left_.empty()) {
      good_ = false;
      return 0;
    }
    std::uint64_t byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    return byte;
  }
  std::string_view left_;
  bool good_ = true;
};

enum class Tag : std::uint8_t {
  Invariant,
  KInductive,
  Trace,
  Unknown,
  TermInvariant,
  TermTrace,
  LocationInvariants,
  CfaTrace
};

void write_clauses(Writer& out, const std::vector<SignalClause>& clauses) {
  out.number(clauses.size());
  for (const SignalClause& clause : clauses) {
    out.number(clause.size());
    for (AigLit lit : clause) out.number(lit.code());
  }
}

std::vector<SignalClause> read_clauses(Reader& in) {
  std::vector<SignalClause> clauses(in.count());
  for (SignalClause& clause : clauses) {
    clause.resize(in.count());
    for (AigLit& lit : clause) lit = AigLit::from_code(static_cast<std::uint32_t>(in.number()));
  }
  return clauses;
}

void write_term_trace(Writer& out, const TermTrace& trace, SharedTerms terms) {
  std::vector<Term> values;
  for (const TermTrace::Step& step : trace.steps) {
    values.insert(values.end(), step.states.begin(), step.states.end());
    values.insert(values.end(), step.inputs.begin(), step.inputs.end());
  }
  out.number(trace.steps.size());
  out.number(trace.steps.front().states.size());
  out.number(trace.steps.front().inputs.size());
  out.text(write_terms(*terms.store, values, terms.known));
}

/// Whether the values fill that many rows; numbers of the message may be of any size. Rows of
/// nothing take no bytes: there are no more of them than of anything else.
bool is_table(const std::vector<Term>& values, std::size_t rows, std::size_t width) {
  constexpr std::size_t kMostEmptyRows = 1 << 20;
  if (width == 0) return values.empty() && rows <= kMostEmptyRows;
  return values.size() % width == 0 && values.size() / width == rows;
}

std::optional<Verdict> read_term_trace(Reader& in, TermStore* terms) {
  std::size_t steps = in.number();
  std::size_t states = in.number();
  std::size_t inputs = in.number();
  std::string bytes = in.text();
  if (terms == nullptr || !in.good()) return {};
  std::optional<std::vector<Term>> values = read_terms(*terms, bytes);
  if (!values || states > values->size() || inputs > values->size()) return {};
  if (!is_table(*values, steps, states + inputs)) return {};
  TermTrace trace;
  auto at = values->begin();
  auto take = [&](std::size_t count) {
    std::vector<Term> row(at, at + static_cast<std::ptrdiff_t>(count));
    at += static_cast<std::ptrdiff_t>(count);
    return row;
  };
  for (std::size_t i = 0; i < steps; ++i) {
    TermTrace::Step& step = trace.steps.emplace_back();
    step.states = take(states);
    step.inputs = take(inputs);
  }
  return Unsafe{std::move(trace)};
}

void write_cfa_trace(Writer& out, const CfaTrace& trace, SharedTerms terms) {
  std::vector<Term> values;
  for (const std::vector<Term>& row : trace.values)
    values.insert(values.end(), row.begin(), row.end());
  out.number(trace.edges.size());
  for (EdgeId edge : trace.edges) out.number(index(edge));
  out.number(trace.values.front().size());
  out.text(write_terms(*terms.store, values, terms.known));
}

std::optional<Verdict> read_cfa_trace(Reader& in, TermStore* terms) {
  CfaTrace trace;
  trace.edges.resize(in.count());
  for (EdgeId& edge : trace.edges) edge = EdgeId(static_cast<std::uint32_t>(in.number()));
  std::size_t width = in.number();
  std::string bytes = in.text();
  if (terms == nullptr || !in.good()) return {};
  std::optional<std::vector<Term>> values = read_terms(*terms, bytes);
  if (!values || !is_table(*values, trace.edges.size() + 1, width)) return {};
  for (auto at = values->begin(); trace.values.size() <= trace.edges.size();) {
    auto end = at + static_cast<std::ptrdiff_t>(width);
    trace.values.emplace_back(at, end);
    at = end;
  }
  return Unsafe{std::move(trace)};
}

/// Locations with a claim, then the claims.
void write_invariants(Writer& out, const LocationInvariants& map, SharedTerms terms) {
  std::vector<bool> claimed;
  std::vector<Term> claims;
  for (Term claim : map.at) {
    claimed.push_back(static_cast<bool>(claim));
    if (claim) claims.push_back(claim);
  }
  out.bits(claimed);
  out.number(map.rounds.size());
  for (std::uint32_t rounds : map.rounds) out.number(rounds);
  out.text(write_terms(*terms.store, claims, terms.known));
}

std::optional<Verdict> read_invariants(Reader& in, TermStore* terms) {
  std::vector<bool> claimed = in.bits();
  std::vector<std::uint32_t> rounds(in.count());
  for (std::uint32_t& each : rounds) each = static_cast<std::uint32_t>(in.number());
  std::string bytes = in.text();
  if (terms == nullptr || !in.good()) return {};
  std::optional<std::vector<Term>> claims = read_terms(*terms, bytes);
  auto count = std::count(claimed.begin(), claimed.end(), true);
  if (!claims || std::ssize(*claims) != count) return {};
  if (!rounds.empty() && rounds.size() != claimed.size()) return {};
  LocationInvariants map{{}, std::move(rounds)};
  auto next = claims->begin();
  for (bool claim : claimed) map.at.push_back(claim ? *next++ : Term());
  return Safe{std::move(map)};
}

void write_verdict(Writer& out, const Verdict& verdict, SharedTerms terms) {
  auto tag = [&](Tag value) { out.number(static_cast<std::uint64_t>(value)); };
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (unsafe != nullptr && std::holds_alternative<TermTrace>(unsafe->run)) {
    tag(Tag::TermTrace);
    write_term_trace(out, unsafe->term_trace(), terms);
  } else if (unsafe != nullptr && std::holds_alternative<CfaTrace>(unsafe->run)) {
    tag(Tag::CfaTrace);
    write_cfa_trace(out, unsafe->cfa_trace(), terms);
  } else if (unsafe != nullptr) {
    tag(Tag::Trace);
    out.bits(unsafe->trace().initial);
    out.number(unsafe->trace().inputs.size());
    for (const std::vector<bool>& row : unsafe->trace().inputs) out.bits(row);
  } else if (const auto* safe = std::get_if<Safe>(&verdict)) {
    if (const auto* proof = std::get_if<TermInvariant>(&safe->certificate)) {
      tag(Tag::TermInvariant);
      out.number(proof->k);
      out.number(proof->simple_path == SimplePath::Yes ? 1 : 0);
      out.text(write_terms(*terms.store, {&proof->invariant, 1}, terms.known));
    } else if (const auto* map = std::get_if<LocationInvariants>(&safe->certificate)) {
      tag(Tag::LocationInvariants);
      write_invariants(out, *map, terms);
    } else if (const auto* inductive = std::get_if<KInductive>(&safe->certificate)) {
      tag(Tag::KInductive);
      out.number(inductive->k);
      out.number(inductive->simple_path == SimplePath::Yes ? 1 : 0);
      write_clauses(out, inductive->clauses);
    } else {
      tag(Tag::Invariant);
      write_clauses(out, std::get<InductiveInvariant>(safe->certificate).clauses);
    }
  } else {
    tag(Tag::Unknown);
    out.number(static_cast<std::uint64_t>(std::get<Unknown>(verdict).reason));
  }
}

std::optional<Verdict> read_verdict(Reader& in, TermStore* terms) {
  switch (static_cast<Tag>(in.number())) {
    case Tag::TermInvariant: {
      TermInvariant proof;
      proof.k = static_cast<std::uint32_t>(in.number());
      proof.simple_path = in.number() != 0 ? SimplePath::Yes : SimplePath::No;
      std::string bytes = in.text();
      if (terms == nullptr || !in.good()) return {};
      std::optional<std::vector<Term>> read = read_terms(*terms, bytes);
      if (!read || read->size() != 1) return {};
      proof.invariant = read->front();
      return Safe{proof};
    }
    case Tag::TermTrace:
      return read_term_trace(in, terms);
    case Tag::LocationInvariants:
      return read_invariants(in, terms);
    case Tag::CfaTrace:
      return read_cfa_trace(in, terms);
    case Tag::Invariant:
      return Safe{InductiveInvariant{read_clauses(in)}};
    case Tag::KInductive: {
      KInductive inductive;
      inductive.k = static_cast<std::uint32_t>(in.number());
      inductive.simple_path = in.number() != 0 ? SimplePath::Yes : SimplePath::No;
      inductive.clauses = read_clauses(in);
      return Safe{std::move(inductive)};
    }
    case Tag::Trace: {
      Trace trace;
      trace.initial = in.bits();
      trace.inputs.resize(in.count());
      for (std::vector<bool>& row : trace.inputs) row = in.bits();
      return Unsafe{std::move(trace)};
    }
    case Tag::Unknown: {
      std::uint64_t reason = in.number();
      if (reason > kLastReason) return {};
      return Unknown{static_cast<Reason>(reason)};
    }
  }
  return {};
}

void write_stats(Writer& out, const Stats& stats) {
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

Stats read_stats(Reader& in) {
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
  Writer header;
  header.fixed(payload.size());
  header.fixed(checksum(payload));
  std::string out = kind + header.take() + payload;
  assert(out.size() == kHeader + payload.size() && "the frame header has a fixed size");
  return out;
}

std::optional<Message> read_claim(Reader& in, TermStore* terms) {
  std::vector<std::size_t> properties(in.count());
  for (std::size_t& property : properties) property = in.number();
  std::optional<Verdict> verdict = read_verdict(in, terms);
  Stats stats = read_stats(in);
  bool definite = verdict && !std::holds_alternative<Unknown>(*verdict);
  if (!definite || !in.good() || !in.at_end()) return {};
  return Claim{{std::move(properties), *std::move(verdict)}, std::move(stats)};
}

std::optional<Message> read_final(Reader& in) {
  std::uint64_t reason = in.number();
  Stats stats = read_stats(in);
  if (reason > kLastReason || !in.good() || !in.at_end()) return {};
  return FinalWord{static_cast<Reason>(reason), std::move(stats)};
}

std::optional<Message> read_sample(Reader& in) {
  Sample sample;
  sample.text = in.text();
  sample.memory_bytes = in.number();
  sample.stats = read_stats(in);
  if (!in.good() || !in.at_end()) return {};
  return sample;
}

std::optional<Message> parse(char kind, std::string_view payload, TermStore* terms) {
  if (kind == kStatus) return StatusLine{std::string(payload)};
  Reader in(payload);
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
  Writer out;
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
  Writer out;
  out.number(found.properties.size());
  for (std::size_t property : found.properties) out.number(property);
  write_verdict(out, found.verdict, terms);
  write_stats(out, stats);
  return frame(kClaim, out.take());
}

std::string frame_final(Reason reason, const Stats& stats) {
  Writer out;
  out.number(static_cast<std::uint64_t>(reason));
  write_stats(out, stats);
  return frame(kFinal, out.take());
}

std::optional<Message> MessageReader::take() {
  if (damaged_ || pending_.size() < kHeader) return {};
  Reader header(std::string_view(pending_).substr(1, kHeader - 1));
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
