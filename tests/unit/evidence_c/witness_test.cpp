#include "writer/c_witness.h"

#include "check/c_witness_file.h"
#include "check/validate.h"
#include "evidence_support.h"

namespace lem {
namespace {

CWitnessTask task_of(const TestProgram& program) {
  return {program.path(), "0.1", "2026-01-01T00:00:00Z"};
}

class Witnesses : public testing::Test {
 protected:
  /// The variable of that unique name.
  static Term var(const TestProgram& program, const std::string& name) {
    for (const CVariable& variable : program.source().variables)
      if (program.terms().name(variable.term) == name) return variable.term;
    ADD_FAILURE() << "no variable " << name;
    return {};
  }
  /// Claims one formula at the only loop.
  static std::string certificate(const TestProgram& program, Term claim, CWitness* all = nullptr) {
    CText text(program.text());
    CPlaces places(program.cfa(), program.source(), text);
    EXPECT_EQ(places.loop_heads().size(), 1U);
    LocationInvariants invariants;
    invariants.at.assign(program.cfa().locations().size(), program.terms().boolean(true));
    for (LocationId head : places.loop_heads()) invariants.at[index(head)] = claim;
    Result<CWitness> witness =
        write_invariant_set(program.cfa(), program.source(), text, invariants, task_of(program));
    EXPECT_TRUE(witness.ok());
    if (all != nullptr) *all = *witness;
    return witness->text;
  }
  static std::string judge_certificate(const TestProgram& program, const std::string& text) {
    return words(validate_c_certificate(program.problem(), "w.yml", text, {}));
  }
  static std::string judge_witness(const TestProgram& program, const std::string& text) {
    return words(validate_c_witness(program.problem(), "w.yml", text, {}));
  }
  static std::string words(const Status& status) {
    return status.ok() ? "accepted" : status.error().text();
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  }
};

const std::string kCount = kHead +
                           "int main(void) {\n"
                           "  int x = 0;\n"
                           "  while (x < 10)\n"
                           "    x = x + 1;\n"
                           "  if (x != 10) reach_error();\n"
                           "  return 0;\n"
                           "}\n";

TEST_F(Witnesses, ALoopInvariantIsAtItsLoop) {
  TestProgram program(kCount);
  TermStore& t = program.terms();
  Term x = var(program, "main::x");
  Term claim = t.make_not(t.make(Op::BvSlt, {t.bv(10, 32), x}));
  std::string text = certificate(program, claim);
  Result<check::WitnessEntry> entry =
      check::read_witness("w.yml", text, check::WitnessKind::InvariantSet);
  ASSERT_TRUE(entry) << entry.error().text() << text;
  ASSERT_EQ(entry->invariants.size(), 1U) << text;
  EXPECT_EQ(entry->invariants[0].row, 10U);
  EXPECT_EQ(entry->invariants[0].column, 3U);
  EXPECT_EQ(entry->invariants[0].kind, CPlace::Kind::Loop);
  EXPECT_EQ(entry->invariants[0].value, "(x < 11)");
  EXPECT_EQ(entry->data_model, "ILP32");
  EXPECT_EQ(judge_certificate(program, text), "accepted");
}

TEST_F(Witnesses, WhatDoesNotProveIsRejected) {
  TestProgram program(kCount);
  TermStore& t = program.terms();
  Term x = var(program, "main::x");
  auto below = [&](int bound) {
    return certificate(program, t.make(Op::BvSlt, {x, t.bv(bound, 32)}));
  };
  EXPECT_EQ(judge_certificate(program, below(11)), "accepted");
  EXPECT_EQ(judge_certificate(program, below(12)),
            "w.yml: error: what holds from line 10 does not suffice");
  EXPECT_EQ(judge_certificate(program, below(10)),
            "w.yml: error: what holds from line 10 does not suffice");
  EXPECT_EQ(judge_certificate(program, below(0)),
            "w.yml: error: what holds from the start does not suffice");
}

TEST_F(Witnesses, AboutAnotherProgramTheyAreRejected) {
  TestProgram program(kCount), other(kCount + " ");
  TermStore& t = program.terms();
  std::string text =
      certificate(program, t.make(Op::BvSlt, {var(program, "main::x"), t.bv(11, 32)}));
  EXPECT_EQ(judge_certificate(other, text),
            "w.yml: error: the witness is about another file: its hash differs");
  EXPECT_EQ(judge_certificate(program, replaced(text, "ILP32", "LP64")),
            "w.yml: error: the witness is about another data model: LP64");
  EXPECT_EQ(judge_certificate(program, replaced(text, "x < 11", "y < 11")),
            "w.yml: error: invariant at 10:3: unknown name 'y'");
  EXPECT_EQ(judge_certificate(program, replaced(text, "line: 10", "line: 11")),
            "w.yml: error: invariant at 11:3: no such place in the program");
}

TEST_F(Witnesses, TheFormatIsKept) {
  TestProgram program(kCount);
  TermStore& t = program.terms();
  std::string text =
      certificate(program, t.make(Op::BvSlt, {var(program, "main::x"), t.bv(11, 32)}));
  auto error = [&](const std::string& from, const std::string& to) {
    auto entry =
        check::read_witness("w.yml", replaced(text, from, to), check::WitnessKind::InvariantSet);
    return entry ? std::string("fine") : entry.error().message;
  };
  EXPECT_EQ(error("2.0", "1.0"), "'format_version' cannot be '1.0'");
  EXPECT_EQ(error("invariant_set", "violation_sequence"),
            "'entry_type' cannot be 'violation_sequence'");
  EXPECT_EQ(error("uuid", "uid"), "metadata has no 'uuid'");
  EXPECT_EQ(error("loop_invariant", "my_invariant"), "'type' cannot be 'my_invariant'");
  EXPECT_EQ(error("line: 10", "line: ten"), "'line' is no positive number");
  EXPECT_EQ(error("format: \"c_", "format: \"d_"), "'format' cannot be 'd_expression'");
  EXPECT_EQ(error("column", "colour"), "location has no key 'colour'");
  for (std::size_t cut = 0; cut < text.size(); cut += 7)  // no crash
    EXPECT_FALSE(
        check::read_witness("w.yml", text.substr(0, cut), check::WitnessKind::InvariantSet));
}

TEST_F(Witnesses, OtherPlacesOfLoops) {
  for (const char* loop :
       {"for (; x < 10; x++) ;\n", "for (;\n x < 10;\n x++) ;\n",
        "do { x = x + 1;\n } while (x < 10);\n", "again: if (x < 10) { x = x + 1; goto again; }\n",
        "while (1) { if (x >= 10) break;\n x = x + 1; }\n"}) {
    TestProgram program(kHead + "int main(void) { int x = 0;\n" + loop +
                        "if (x != 10) reach_error(); return 0; }\n");
    ASSERT_TRUE(program.ok());
    TermStore& t = program.terms();
    Term x = var(program, "main::x");
    bool is_do = std::string(loop).starts_with("do");
    Term claim = t.make(Op::BvSlt, {x, t.bv(is_do ? 10 : 11, 32)});
    EXPECT_EQ(judge_certificate(program, certificate(program, claim)), "accepted") << loop;
  }
}

TEST_F(Witnesses, NamesMeanWhatTheyMeanInTheirBlocks) {
  TestProgram program(
      kHead +
      "int x = 3;\nint main(void) { int y = 0;\n"
      "for (int x = 0; x < 10; x++) { int y = 7; if (y + x == 99) reach_error(); }\n"
      "if (x + y != 3) reach_error(); return 0; }\n");
  ASSERT_TRUE(program.ok());
  TermStore& t = program.terms();
  CWitness witness;
  Term inner = t.make(Op::BvSlt, {var(program, "main::x"), t.bv(11, 32)});
  Term outer = t.make_eq(var(program, "x"), t.bv(3, 32));
  Term y = t.make_eq(var(program, "main::y"), t.bv(0, 32));
  certificate(program, t.make_and(std::vector<Term>{inner, outer, y}), &witness);
  EXPECT_EQ(witness.lost, 1U) << witness.text;  // the outer x
  EXPECT_NE(witness.text.find("(x < 11) && (y == 0)"), std::string::npos) << witness.text;
}

TEST_F(Witnesses, InlinedCopiesShareTheirLoop) {
  TestProgram program(kHead +
                      "int f(int n) { int i = 0;\n while (i < n) i++;\n return i; }\n"
                      "int main(void) { int a = f(3), b = f(5);\n"
                      "if (a + b < 0) reach_error(); return 0; }\n");
  ASSERT_TRUE(program.ok());
  CText text(program.text());
  CPlaces places(program.cfa(), program.source(), text);
  ASSERT_EQ(places.loop_heads().size(), 2U);
  TermStore& t = program.terms();
  LocationInvariants invariants;
  invariants.at.assign(program.cfa().locations().size(), t.boolean(true));
  const char* names[] = {"f::i", "f::i@2"};
  for (int i = 0; i < 2; ++i) {
    LocationId head = places.loop_heads()[static_cast<std::size_t>(i)];
    EXPECT_EQ(places.variable("i", head, *places.place(head))->term, var(program, names[i]));
    invariants.at[index(head)] =
        t.make_not(t.make(Op::BvSlt, {var(program, names[i]), t.bv(-i, 32)}));
  }
  Result<CWitness> witness =
      write_invariant_set(program.cfa(), program.source(), text, invariants, task_of(program));
  ASSERT_TRUE(witness);
  EXPECT_EQ(witness->places, 1U);
  EXPECT_NE(witness->text.find("((i >= -1)) || ((i >= 0))"), std::string::npos) << witness->text;
}

TEST_F(Witnesses, RunsComeBack) {
  for (const std::string& body :
       {std::string(
            "int main(void) { int a = __VERIFIER_nondet_int(); char c =\n"
            "__VERIFIER_nondet_char(); if (a == -1 && c == 5) reach_error(); return 0; }\n"),
        std::string("int main(void) { int a;\nunsigned b = __VERIFIER_nondet_uint();\n"
                    "if (a == 5 && b == 4294967295u) reach_error(); return 0; }\n"),
        std::string("int get(void) { return __VERIFIER_nondet_int(); }\n"
                    "int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += get();\n"
                    "if (s == 3) goto ERROR; return 0;\nERROR: goto ERROR; }\n")}) {
    TestProgram program(kHead + body);
    ASSERT_TRUE(program.ok());
    std::optional<CfaTrace> trace = program.find_run();
    ASSERT_TRUE(trace);
    CText text(program.text());
    Result<CWitness> witness =
        write_violation_sequence(program.cfa(), program.source(), text, *trace, task_of(program));
    ASSERT_TRUE(witness);
    EXPECT_EQ(witness->lost, 0U);
    EXPECT_EQ(judge_witness(program, witness->text), "accepted") << witness->text;
    std::size_t at = witness->text.find("\\\\result == ");
    ASSERT_NE(at, std::string::npos) << witness->text;
    std::string wrong = witness->text;
    wrong.insert(at + 12, "77 + ");
    EXPECT_NE(judge_witness(program, wrong), "accepted") << wrong;
  }
}

TEST_F(Witnesses, ATargetNamesTheError) {
  TestProgram program(kHead +
                      "int main(void) {\n  if (__VERIFIER_nondet_int() == 5)\n    reach_error();\n"
                      "  return 0; }\n");
  std::optional<CfaTrace> trace = program.find_run();
  ASSERT_TRUE(trace);
  CText text(program.text());
  Result<CWitness> witness =
      write_violation_sequence(program.cfa(), program.source(), text, *trace, task_of(program));
  ASSERT_TRUE(witness);
  auto entry = check::read_witness("w.yml", witness->text, check::WitnessKind::ViolationSequence);
  ASSERT_TRUE(entry) << entry.error().text();
  ASSERT_EQ(entry->waypoints.size(), 2U);
  EXPECT_EQ(entry->waypoints[0].type, "function_return");
  EXPECT_EQ(entry->waypoints[0].value, "\\result == 5");
  EXPECT_EQ(entry->waypoints[0].row, 9U);
  EXPECT_EQ(entry->waypoints[0].column, 29U);
  EXPECT_EQ(entry->waypoints[1].type, "target");
  EXPECT_EQ(entry->waypoints[1].row, 10U);
  EXPECT_EQ(entry->waypoints[1].column, 5U);
  EXPECT_EQ(judge_witness(program, replaced(witness->text, "target", "branching")),
            "w.yml:32:13: error: a waypoint 'branching' without a constraint");
}

}  // namespace
}  // namespace lem
