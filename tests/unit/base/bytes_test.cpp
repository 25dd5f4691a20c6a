#include "base/bytes.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

TEST(Bytes, WhatIsWrittenIsRead) {
  ByteWriter out;
  for (std::uint64_t number : {0ULL, 127ULL, 128ULL, ~0ULL}) out.number(number);
  out.fixed(0x0123456789abcdefULL);
  out.text("a text");
  out.bits({true, false, true, true, false, false, true, false, true});
  std::string bytes = out.take();
  ByteReader in(bytes);
  for (std::uint64_t number : {0ULL, 127ULL, 128ULL, ~0ULL}) EXPECT_EQ(in.number(), number);
  EXPECT_EQ(in.fixed(), 0x0123456789abcdefULL);
  EXPECT_EQ(in.text(), "a text");
  EXPECT_EQ(in.bits(),
            (std::vector<bool>{true, false, true, true, false, false, true, false, true}));
  EXPECT_TRUE(in.good());
  EXPECT_TRUE(in.at_end());
}

TEST(Bytes, ReadingPastTheEndIsNoticed) {
  ByteReader in("");
  EXPECT_EQ(in.number(), 0U);
  EXPECT_FALSE(in.good());
}

TEST(Bytes, ACountIsNoMoreThanTheBytesThatFollow) {
  ByteWriter out;
  out.number(5);
  out.number(1);
  std::string bytes = out.take();
  ByteReader in(bytes);
  EXPECT_EQ(in.count(), 0U);
  EXPECT_FALSE(in.good());
  ByteReader dense(bytes);
  EXPECT_EQ(dense.count(8), 5U);
  EXPECT_TRUE(dense.good());
}

TEST(Bytes, ANumberOfMoreThan64BitsIsNone) {
  ByteReader in("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  in.number();
  EXPECT_FALSE(in.good());
}

}  // namespace
}  // namespace lem
