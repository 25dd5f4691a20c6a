#include "base/near_names.h"

#include <gtest/gtest.h>

#include <array>

namespace lem {
namespace {

const std::array<std::string, 4> kNames = {"fifo.full", "fifo.empty", "Arbiter.one_grant", "ic3"};

TEST(NearNames, NamesThatDifferLittleComeNearestFirst) {
  EXPECT_EQ(near_names("fifo.ful", kNames), "; near it: fifo.full");
  EXPECT_EQ(near_names("FIFO.EMPTY", kNames), "; near it: fifo.empty");
  EXPECT_EQ(near_names("fifo", kNames), "; near it: fifo.full, fifo.empty");
}

TEST(NearNames, WhatIsFarIsNotNamed) {
  EXPECT_EQ(near_names("timer", kNames), "");
  EXPECT_EQ(near_names("", kNames), "");
  EXPECT_EQ(near_names(std::string(1000, 'x'), kNames), "");
}

}  // namespace
}  // namespace lem
