#include "run/message.h"

#include <gtest/gtest.h>

namespace lem::run {
namespace {

Verdict unsafe_answer() {
  return Unsafe{Trace{{true, false, true}, {{false}, {true}}}};
}
Verdict safe_answer() {
  return Safe{InductiveInvariant{{{AigLit(3, true), AigLit(200000, false)}, {}}}};
}

TEST(Message, AClaimOfNothingIsNone) {
  MessageReader reader;
  reader.feed(frame_claim({{0}, Unknown{Reason::GaveUp}}, {}));
  EXPECT_FALSE(reader.take().has_value());
  EXPECT_TRUE(reader.damaged());
}

TEST(Message, SurvivesBeingCutAnywhere) {
  Stats stats;
  stats.counter("a.b") += 300;
  std::string bytes = frame_status("frame 3") + frame_claim({{3}, unsafe_answer()}, stats) +
                      frame_final(Reason::GaveUp, stats);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    MessageReader reader;
    std::vector<Message> got;
    for (std::string_view part :
         {std::string_view(bytes).substr(0, cut), std::string_view(bytes).substr(cut)}) {
      reader.feed(part);
      while (auto message = reader.take()) got.push_back(std::move(*message));
    }
    ASSERT_EQ(got.size(), 3U) << cut;
    EXPECT_EQ(std::get<StatusLine>(got[0]).text, "frame 3");
    EXPECT_EQ(std::get<Claim>(got[1]).found.verdict, unsafe_answer());
    EXPECT_EQ(std::get<Claim>(got[1]).found.properties, std::vector<std::size_t>{3});
    EXPECT_EQ(std::get<Claim>(got[1]).stats.counter("a.b").value, 300U);
    EXPECT_EQ(std::get<FinalWord>(got[2]).reason, Reason::GaveUp);
  }
}

TEST(Message, ATruncatedMessageIsNone) {
  std::string bytes = frame_claim({{0}, safe_answer()}, {});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    MessageReader reader;
    reader.feed(std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(reader.take().has_value());
  }
}

TEST(Message, ADamagedMessageIsNoticed) {
  std::string bytes = frame_claim({{0}, safe_answer()}, {});
  for (std::size_t at = 9; at < bytes.size(); ++at) {  // past the length: checksum and payload
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    MessageReader reader;
    reader.feed(damaged);
    EXPECT_FALSE(reader.take().has_value());
    EXPECT_TRUE(reader.damaged());
  }
}

}  // namespace
}  // namespace lem::run
