#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram =
    "VAR_GLOBAL g, i : INT; END_VAR TYPE S : STRUCT a : INT; END_STRUCT; END_TYPE "
    "PROGRAM p VAR i : INT; w : WORD; s : ARRAY [0..1, 2..4] OF S; END_VAR END_PROGRAM";

TEST(StPlaces, VariablesOfTheBlockHideGlobalOnes) {
  Parts p(kProgram);
  EXPECT_EQ(p.t.name(p.variable("i")), "i");
  EXPECT_EQ(p.t.name(p.variable("g")), "g");
  EXPECT_EQ(p.t.name(p.variable("global.i")), "GLOBAL.i");
  EXPECT_EQ(p.variable("instance.i"), p.variable("i"));
}

TEST(StPlaces, IndicesAreCountedThrough) {
  Parts p(kProgram);
  EXPECT_EQ(p.t.name(p.variable("s[1, 3].a")), "s[1,3].a");
  Place any = p.place("s[i, 3].a");
  EXPECT_EQ(any.known(), nullptr);
  EXPECT_TRUE(any.may_miss);
  EXPECT_EQ(any.alternatives.size(), 6U) << "each under its guard";
}

TEST(StPlaces, RefusesWhatIsNoVariable) {
  Parts p(kProgram);
  EXPECT_EQ(p.error_of("s[0, 5].a"), "the index is out of bounds");
  EXPECT_EQ(p.error_of("s[0].a"), "expected 2 indices");
  EXPECT_EQ(p.error_of("s[0, 2].b"), "S has no part 'b'");
  EXPECT_EQ(p.error_of("w.16"), "WORD has no such bit");
  EXPECT_EQ(p.error_of("i[0]"), "only arrays have elements, not INT");
}

TEST(StPlaces, NumberedVariablesHaveNamesInProofs) {
  Parts p(kProgram);
  Term extra = p.cfa.temporary(p.t.bool_sort());
  p.expressions.places.add_numbered(7, Storage{&p.type("bool"), extra});
  EXPECT_EQ(p.variable("__7"), extra);
}

}  // namespace
}  // namespace lem::st::test
