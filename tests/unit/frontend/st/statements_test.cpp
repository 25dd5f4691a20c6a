#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

std::string body(const std::string& statements) {
  return translation_error(
      "FUNCTION Bump : INT VAR_IN_OUT x : INT; END_VAR x := x + 1; Bump := x; END_FUNCTION "
      "PROGRAM p VAR CONSTANT n : INT := 5; END_VAR VAR i, k : INT; b : BOOL; "
      "a : ARRAY [0..9] OF INT; END_VAR " +
      statements + " END_PROGRAM");
}

TEST(StStatements, TranslatesLoopsAndBranches) {
  EXPECT_EQ(body("FOR i := 0 TO k BY 2 DO IF b THEN EXIT; ELSE CONTINUE; END_IF; END_FOR;"), "");
  EXPECT_EQ(
      body("WHILE i < 3 DO i := i + 1; END_WHILE; REPEAT i := i - 1; UNTIL i = 0 END_REPEAT;"), "");
  EXPECT_EQ(body("CASE i OF 1, 3..5: b := TRUE; ELSE b := FALSE; END_CASE; RETURN; i := 4;"), "");
}

TEST(StStatements, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(body("EXIT;"), "EXIT and CONTINUE stand in loops only");
  EXPECT_EQ(body("FOR i := 0 TO 3 BY 0 DO END_FOR;"), "a FOR loop by 0 does not end");
  EXPECT_EQ(body("n := 3;"), "'n' is a constant");
  EXPECT_EQ(body("CASE b OF k: i := 1; END_CASE;"), "a label of CASE is a constant");
}

TEST(StStatements, RefusesAssignmentsWhoseOrderControllersDifferOn) {
  EXPECT_NE(body("a[Bump(i)] := i;").find("controllers differ"), std::string::npos);
  EXPECT_EQ(body("a[Bump(i)] := k;"), "");
}

}  // namespace
}  // namespace lem::st::test
