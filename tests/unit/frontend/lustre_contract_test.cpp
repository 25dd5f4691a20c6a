// Contracts: what constrains, what is claimed, and by which names.
#include <gtest/gtest.h>

#include "unit/frontend/lustre_support.h"

namespace lem::frontend {
namespace {

const char kSaturation[] =
    "node sat(i: int) returns (out: int);\n"
    "(*@contract\n"
    "  assume i >= 0;\n"
    "  guarantee \"small\" out <= 42;\n"
    "  mode pass (require i < 42; ensure out = i;);\n"
    "  mode full (require i >= 42; ensure out = 42;);\n"
    "*)\n"
    "let out = if i >= 42 then 42 else i; tel\n";

TEST(LustreContract, OfTheMainNodeConstrainsAndClaims) {
  EXPECT_EQ(property_names(kSaturation),
            (Strings{"small", "pass.ensure[l5c30]", "full.ensure[l6c31]", "one_mode_active"}));
  LustreRun run(kSaturation);
  run.step({{"i", "-1"}});
  EXPECT_FALSE(run.constrained());
  run.step({{"i", "50"}});
  EXPECT_TRUE(run.constrained());
  for (const Property& property : run.problem().properties)
    EXPECT_FALSE(run.violates(property.name)) << property.name;
}

TEST(LustreContract, AssumptionOfACalledNodeIsAClaimOfItsCaller) {
  LustreRun run(std::string(kSaturation) +
                "node top(i: int) returns (out: int); let out = sat(i - 1); tel");
  run.step({{"i", "0"}});
  EXPECT_TRUE(run.constrained());
  EXPECT_TRUE(run.violates("sat~1.assume[l3c3]"));
  run.step({{"i", "1"}});
  EXPECT_FALSE(run.violates("sat~1.assume[l3c3]"));
}

TEST(LustreContract, GuaranteesOfACalledNodeHoldWhileItsAssumptionsDid) {
  LustreRun run(
      "node f(i: int) returns (o: int);\n(*@contract assume i >= 0; guarantee \"g\" o > 5; "
      "*)\nlet o = i; tel\n"
      "node top(i: int) returns (o: int); let o = f(i); tel");
  run.step({{"i", "3"}});
  EXPECT_TRUE(run.violates("f~1.g"));
  run.step({{"i", "-1"}});
  EXPECT_FALSE(run.violates("f~1.g"));
  run.step({{"i", "3"}});
  EXPECT_FALSE(run.violates("f~1.g")) << "the assumption failed before";
}

TEST(LustreContract, ModesNeedNotEnsureOutsideTheirRequirements) {
  LustreRun run(
      "node top(i: int) returns (o: int);\n(*@contract mode m (require i > 0; require i < "
      "9; ensure \"e\" o = 0;); *)\nlet o = i; tel");
  run.step({{"i", "5"}});
  EXPECT_TRUE(run.violates("m.e"));
  EXPECT_FALSE(run.violates("one_mode_active"));
  run.step({{"i", "9"}});
  EXPECT_FALSE(run.violates("m.e"));
  EXPECT_TRUE(run.violates("one_mode_active"));
}

TEST(LustreContract, ImportsModeReferencesAndGhosts) {
  const std::string text =
      "contract spec(i: int) returns (o: int);\nlet\n"
      "  const zero: int = 0;\n"
      "  var sum: int = i -> pre sum + i;\n"
      "  guarantee \"sum\" o = sum;\n"
      "  mode big (require sum > 10; ensure o > zero;);\n"
      "tel\n"
      "node top(i: int) returns (o: int);\n"
      "(*@contract\n"
      "  import spec(i) returns (o);\n"
      "  mode small (require not ::spec::big; ensure \"small\" o <= 10;);\n"
      "*)\n"
      "var sum: bool;\n"
      "let o = i + (0 -> pre o); sum = true; tel";
  EXPECT_EQ(property_names(text),
            (Strings{"spec.sum", "small.small", "spec.big.ensure[l6c31]", "one_mode_active"}));
  LustreRun run(text);
  for (const char* i : {"5", "6", "-20", "3"}) {
    run.step({{"i", i}});
    for (const Property& property : run.problem().properties)
      EXPECT_FALSE(run.violates(property.name)) << property.name << " at " << i;
  }
}

TEST(LustreContract, ErrorsNameTheContract) {
  EXPECT_EQ(lustre_error("node t(i: int) returns (o: int);\n(*@contract import c(i) returns (o); "
                         "*)\nlet o = i; tel"),
            "f.lus:2:13: error: unknown contract 'c'");
  EXPECT_EQ(lustre_error("node t(i: int) returns (o: int);\n(*@contract guarantee ::m; *)\nlet o = "
                         "i; tel"),
            "f.lus:2:23: error: unknown mode 'm'");
  EXPECT_EQ(lustre_error("node t(i: int) returns (o: int);\n(*@contract guarantee l; *)\nvar l: "
                         "bool; let o = i; l = true; tel"),
            "f.lus:2:23: error: unknown name 'l'");
  EXPECT_EQ(lustre_error("node t(i: int) returns (o: int);\n(*@contract guarantee o > 0;\nlet o = "
                         "i; tel"),
            "f.lus:2:1: error: the contract is not closed");
}

TEST(LustreClaims, NamesAreUniqueAndTellThePlace) {
  EXPECT_EQ(property_names("node top(a, b: bool) returns (c: bool);\nlet c = a;\n--%PROPERTY c;\n"
                           "--%PROPERTY \"c\" b;\n--%PROPERTY a or b;\ncheck \"n\" a;\ntel"),
            (Strings{"c", "c_2", "property[l5c1]", "n"}));
}

TEST(LustreClaims, ObservesOutputsAndLocalsOfTheMainNode) {
  auto problem = lustre::read_lustre("f.lus",
                                     "type r = struct {x: int; y: bool};\nnode top(a: r) returns "
                                     "(o: r); var l: int; let o = a; l = 0 -> pre a.x; tel");
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  Strings names;
  for (const auto& [name, term] : problem->source.observed) names.push_back(name);
  EXPECT_EQ(names, (Strings{"o.x", "o.y", "l"}));
  EXPECT_EQ(problem->source.format, "lustre");
}

}  // namespace
}  // namespace lem::frontend
