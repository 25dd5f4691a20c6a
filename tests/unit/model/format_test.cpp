#include "model/format.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

TEST(Format, HasItsOwnWords) {
  EXPECT_EQ(facts_of("aiger").property, "bad");
  EXPECT_EQ(facts_of("verilog").property, "assertion");
  EXPECT_EQ(facts_of("verilog").goal, "cover");
  EXPECT_EQ(facts_of("chc").property, "query");
  EXPECT_FALSE(facts_of("chc").assumes);
  EXPECT_EQ(facts_of("st").property, "property");
}

TEST(Format, ModelsOfNoFileHaveAPlainRow) {
  EXPECT_EQ(facts_of("random").property, "property");
  EXPECT_EQ(facts_of("").goal, "reachability");
  EXPECT_FALSE(facts_of("").waves);
  EXPECT_TRUE(facts_of("").assumes);
}

TEST(Format, MemoryOfLustreIsNoVariable) {
  const FormatFacts& lustre = facts_of("lustre");
  EXPECT_FALSE(is_users_state(lustre, "%init"));
  EXPECT_FALSE(is_users_state(lustre, "pre.x"));
  EXPECT_TRUE(is_users_state(lustre, "prefix"));
  EXPECT_TRUE(is_users_state(facts_of("vmt"), "pre.x"));
}

}  // namespace
}  // namespace lem
