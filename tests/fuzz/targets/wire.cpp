// What workers send: frames, verdicts and terms. The first byte chooses between a
// frame as it is, a payload that gets its frame here (no mutation finds a checksum), and terms
// alone. What is accepted is sent on and means the same.
#include "term/wire.h"
#include "run/message.h"
#include "target.h"

using namespace lem;
using namespace lem::run;

/// The layout at the top of message.cpp.
static std::string framed(char kind, std::string_view payload) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (char byte : payload) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  std::string frame(1, kind);
  for (std::uint64_t number : {std::uint64_t{payload.size()}, hash})
    for (int i = 0; i < 8; ++i) frame.push_back(static_cast<char>(number >> (8 * i) & 0xff));
  return frame.append(payload);
}

static void populate(TermStore& terms) {
  terms.variable("x", terms.int_sort());
  terms.variable("b", terms.bool_sort());
  terms.variable("w", terms.bv_sort(8));
}

static void receive(std::string_view frame) {
  TermStore terms;
  populate(terms);
  MessageReader reader(&terms);
  reader.feed(frame);
  while (std::optional<Message> message = reader.take()) {
    const auto* claim = std::get_if<Claim>(&*message);
    if (claim == nullptr) continue;
    MessageReader second(&terms);
    second.feed(frame_claim(claim->found, claim->stats, {&terms, terms.size()}));
    std::optional<Message> again = second.take();
    fuzz::must(again && std::holds_alternative<Claim>(*again), "a message is not read again");
    fuzz::must(std::get<Claim>(*again).found.verdict == claim->found.verdict,
               "another verdict arrives");
  }
}

static void read_plain_terms(std::string_view text) {
  TermStore terms;
  populate(terms);
  std::size_t known = terms.size();
  std::optional<std::vector<Term>> roots = read_terms(terms, text);
  if (!roots) return;
  std::optional<std::vector<Term>> again = read_terms(terms, write_terms(terms, *roots, known));
  fuzz::must(again.has_value(), "terms are not read again");
  fuzz::must(*again == *roots, "other terms arrive");
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view rest = fuzz::text_of(data + 1, size - 1);
  switch (data[0]) {
    case 't':
      read_plain_terms(rest);
      break;
    case 'p':
    case 'f':
    case 's':
      receive(framed(static_cast<char>(data[0]), rest));
      break;
    default:
      receive(rest);
  }
  return 0;
}
