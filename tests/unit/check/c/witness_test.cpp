#include "writer/c_witness.h"

#include <set>

#include "check/c/witness_file.h"
#include "check/validate.h"
#include "evidence_support.h"
#include "support/unchecked.h"

namespace lem::check {
namespace {

writer::CWitnessTask task_of(const TestProgram& program) {
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
  static std::string certificate(const TestProgram& program, Term claim,
                                 writer::CWitness* all = nullptr) {
    ctext::CText text(program.text());
    ctext::CPlaces places(program.cfa(), program.source(), program.marks(), text);
    EXPECT_EQ(places.loop_heads().size(), 1U);
    LocationInvariants invariants;
    invariants.at.assign(program.cfa().locations().size(), program.terms().boolean(true));
    for (LocationId head : places.loop_heads()) invariants.at[index(head)] = claim;
    Result<writer::CWitness> witness =
        writer::write_invariant_set(program.cfa(), program.source(), program.marks(), text,
                                    test::unchecked(invariants), task_of(program));
    EXPECT_TRUE(witness.ok());
    if (all != nullptr) *all = *witness;
    return witness->text;
  }
  static std::string judge_certificate(const TestProgram& program, const std::string& text) {
    return words(validate_c_certificate(program.problem(), program.marks(), "w.yml", text));
  }
  static std::string judge_witness(const TestProgram& program, const std::string& text) {
    return words(validate_c_witness(program.problem(), program.marks(), "w.yml", text));
  }
  static std::string words(const Result<Accepted>& status) {
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
  Result<WitnessEntry> entry = read_witness("w.yml", text, WitnessKind::InvariantSet);
  ASSERT_TRUE(entry) << entry.error().text() << text;
  ASSERT_EQ(entry->invariants.size(), 1U) << text;
  EXPECT_EQ(entry->invariants[0].location.row, 10U);
  EXPECT_EQ(entry->invariants[0].location.column, 3U);
  EXPECT_EQ(entry->invariants[0].kind, ctext::CPlace::Kind::Loop);
  EXPECT_EQ(entry->invariants[0].value.text, "(x < 11)");
  EXPECT_EQ(entry->data_model.text, "ILP32");
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
            "w.yml:13:16: error: the witness is about another file: its hash differs");
  EXPECT_EQ(judge_certificate(program, replaced(text, "ILP32", "LP64")),
            "w.yml:15:19: error: the witness is about another data model: LP64");
  EXPECT_EQ(judge_certificate(program, replaced(text, "x < 11", "y < 11")),
            "w.yml:25:16: error: '(y < 11)': unknown name 'y'");
  EXPECT_EQ(judge_certificate(program, replaced(text, "line: 10", "line: 11")),
            "w.yml:21:11: error: no loop of the program starts at 11:3");
  EXPECT_EQ(judge_certificate(program, replaced(text, "reach_error()", "other()")),
            "w.yml:14:22: error: the witness is about another property: "
            "CHECK( init(main()), LTL(G ! call(other())) )");
  EXPECT_EQ(judge_certificate(program, replaced(text, "file_name: \"t.c\"", "file_name: \"u.c\"")),
            "w.yml:21:22: error: 'u.c' is none of the input files");
  EXPECT_EQ(judge_certificate(program, replaced(text, "\"main\"", "\"f\"")),
            "w.yml:24:21: error: 10:3 is in function 'main'");
}

TEST_F(Witnesses, TheFormatIsKept) {
  TestProgram program(kCount);
  TermStore& t = program.terms();
  std::string text =
      certificate(program, t.make(Op::BvSlt, {var(program, "main::x"), t.bv(11, 32)}));
  auto error = [&](const std::string& from, const std::string& to) {
    auto entry = read_witness("w.yml", replaced(text, from, to), WitnessKind::InvariantSet);
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
    EXPECT_FALSE(read_witness("w.yml", text.substr(0, cut), WitnessKind::InvariantSet));
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

/// The text with one more invariant.
std::string with(const std::string& text, const std::string& type, const std::string& line,
                 const std::string& value) {
  return text + "    - invariant:\n        type: \"" + type +
         "\"\n        location:\n          file_name: \"t.c\"\n          line: " + line +
         "\n        value: \"" + value + "\"\n        format: \"c_expression\"\n";
}

TEST_F(Witnesses, InvariantsAwayFromLoopsAreChecked) {
  TestProgram program(kHead +
                      "int g;\n"                         // 8
                      "void set(int to) {\n"             // 9
                      "  g = to;\n"                      // 10
                      "}\n"                              // 11
                      "int main(void) {\n"               // 12
                      "  int x = 0, y = 7; x++; x--;\n"  // 13
                      "  set(1);\n"                      // 14
                      "  while (x < 10) {\n"             // 15
                      "    if (x == 5)\n"                // 16
                      "      y = 8;\n"                   // 17
                      "    x = x + 1;\n"                 // 18
                      "  }\n"                            // 19
                      "  int z;\n"                       // 20
                      "  set(2);\n"                      // 21
                      "  if (x != 10) reach_error();\n"  // 22
                      "  return 0;\n"                    // 23
                      "}\n");                            // 24
  ASSERT_TRUE(program.ok());
  TermStore& t = program.terms();
  std::string text =
      certificate(program, t.make(Op::BvSlt, {var(program, "main::x"), t.bv(11, 32)}));
  ASSERT_EQ(judge_certificate(program, text), "accepted") << text;
  auto judged = [&](const std::string& line, const std::string& value) {
    return judge_certificate(program, with(text, "location_invariant", line, value));
  };
  for (const auto& [line, value] : std::vector<std::pair<std::string, std::string>>{
           {"14", "x == 0 && y == 7"},
           {"14", "1"},
           {"15", "x == 0"},
           {"16", "x < 10"},
           {"17", "x == 5"},
           {"18", "x < 10"},
           {"20", "x == 10"},
           {"21", "x == 10"},
           {"22", "x == 10 && g == 2"},
           {"23", "x == 10"},
           {"13\n          column: 21", "x == 0 && y == 7"},
           {"13\n          column: 26", "x == 1"},
           {"10", "to == 1 || to == 2"}})
    EXPECT_EQ(judged(line, value), "accepted") << line << ": " << value;
  for (const auto& [line, value] :
       std::vector<std::pair<std::string, std::string>>{{"14", "x == 1"},
                                                        {"14", "0"},
                                                        {"16", "x < 9"},
                                                        {"17", "x == 4"},
                                                        {"18", "y == 7"},
                                                        {"20", "x == 11"},
                                                        {"22", "g == 1"},
                                                        {"23", "g == 3"},
                                                        {"13\n          column: 21", "x == 1"},
                                                        {"13\n          column: 26", "x == 0"},
                                                        {"10", "to == 1"},
                                                        {"15", "x == 1"}})
    EXPECT_NE(judged(line, value).find("does not suffice"), std::string::npos)
        << line << ": " << value << ": " << judged(line, value);
  EXPECT_EQ(judged("18", "nosuchvar == 1 ((("),
            "w.yml:32:16: error: 'nosuchvar == 1 (((': unknown name 'nosuchvar'");
  EXPECT_EQ(judged("18", "x == 1 ((("), "w.yml:32:16: error: 'x == 1 (((': unexpected '('");
  EXPECT_EQ(judged("18", "set(1)"), "w.yml:32:16: error: 'set(1)': a call of 'set'");
  EXPECT_EQ(judged("18", "x = 10"), "w.yml:32:16: error: 'x = 10': unexpected '='");
  EXPECT_EQ(judged("14", "z == 1"), "w.yml:32:16: error: 'z == 1': unknown name 'z'");
  EXPECT_EQ(judged("9999", "1"), "w.yml:30:11: error: no statement of the program starts at 9999");
  EXPECT_EQ(judged("19", "1"), "w.yml:30:11: error: no statement of the program starts at 19");
}

// Control is at the statement again when it jumps there from its inside.
TEST_F(Witnesses, AJumpToTheStartOfAStatementCounts) {
  TestProgram program(kHead +
                      "int main(void) {\n  int x = 0;\n"
                      "again:\n  if (x < 10) {\n    x = x + 1;\n    goto again;\n  }\n"
                      "  if (x != 10) reach_error();\n  return 0;\n}\n");
  ASSERT_TRUE(program.ok());
  TermStore& t = program.terms();
  std::string text =
      certificate(program, t.make(Op::BvSlt, {var(program, "main::x"), t.bv(11, 32)}));
  EXPECT_EQ(judge_certificate(program, text), "accepted") << text;
  for (const char* line : {"10", "11"}) {
    EXPECT_EQ(judge_certificate(program, with(text, "location_invariant", line, "x <= 10")),
              "accepted");
    EXPECT_NE(judge_certificate(program, with(text, "location_invariant", line, "x == 0")),
              "accepted");
  }
}

TEST_F(Witnesses, InvariantsInCodeThatIsNeverReachedAreRefused) {
  TestProgram program(kHead +
                      "int f(void) {\n  int i = 0;\n  while (i < 3) i++;\n  return i;\n}\n"
                      "int main(void) {\n  int x = 0;\n  while (x < 10)\n    x++;\n"
                      "  if (x != 10) reach_error();\n  return 0;\n}\n");
  ASSERT_TRUE(program.ok());
  TermStore& t = program.terms();
  std::string text =
      certificate(program, t.make(Op::BvSlt, {var(program, "main::x"), t.bv(11, 32)}));
  for (const char* line : {"9", "10"})
    EXPECT_EQ(judge_certificate(program, with(text, "location_invariant", line, "1 (((")),
              "w.yml:30:11: error: the program as it is analysed is never at this place");
  EXPECT_EQ(judge_certificate(program, with(text, "loop_invariant", "10", "1")),
            "w.yml:30:11: error: the program as it is analysed is never at this place");
}

TEST_F(Witnesses, LoopsThatBeginOnOneLineHaveTheirOwnPlaces) {
  TestProgram program(kHead +
                      "int main(void) {\n"
                      "  int a = 0, b = 0; while (a < 3) a++; while (b < 5) b++;\n"
                      "  for (int i = 0; i < 2; i++) a++; for (int i = 0; i < 4; i++) b++;\n"
                      "  if (a < 3 || b < 5) reach_error();\n  return 0;\n}\n");
  ASSERT_TRUE(program.ok());
  ctext::CText text(program.text());
  ctext::CPlaces places(program.cfa(), program.source(), program.marks(), text);
  ASSERT_EQ(places.loop_heads().size(), 4U);
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (LocationId head : places.loop_heads()) {
    std::optional<ctext::CPlace> place = places.place(head);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->kind, ctext::CPlace::Kind::Loop);
    ctext::CPosition at = places.position(place->token);
    found.insert({at.row, at.column});
  }
  EXPECT_EQ(found, (std::set<std::pair<std::uint32_t, std::uint32_t>>{
                       {9, 21}, {9, 40}, {10, 3}, {10, 36}}));
  TermStore& t = program.terms();
  auto below = [&](const char* name, int bound) {
    return t.make(Op::BvSlt, {var(program, name), t.bv(bound, 32)});
  };
  auto least = [&](const char* name, int bound) { return t.make_not(below(name, bound)); };
  LocationInvariants invariants;
  invariants.at.assign(program.cfa().locations().size(), t.boolean(true));
  for (LocationId head : places.loop_heads()) {
    ctext::CPosition at = places.position(places.place(head)->token);
    std::vector<Term> claims;
    if (at.column == 21)
      claims = {least("main::a", 0), below("main::a", 4), least("main::b", 0), below("main::b", 1)};
    if (at.column == 40)
      claims = {least("main::a", 3), below("main::a", 4), least("main::b", 0), below("main::b", 6)};
    if (at.column == 3)
      claims = {least("main::a", 3),
                least("main::b", 5),
                below("main::b", 6),
                least("main::i", 0),
                below("main::i", 3),
                t.make_eq(t.make(Op::BvAdd, {var(program, "main::i"), t.bv(3, 32)}),
                          var(program, "main::a"))};
    if (at.column == 36)
      claims = {least("main::a", 3),
                below("main::a", 9),
                least("main::b", 5),
                least("main::i@2", 0),
                below("main::i@2", 5),
                t.make_eq(t.make(Op::BvAdd, {var(program, "main::i@2"), t.bv(5, 32)}),
                          var(program, "main::b"))};
    invariants.at[index(head)] = t.make_and(claims);
  }
  Result<writer::CWitness> witness =
      writer::write_invariant_set(program.cfa(), program.source(), program.marks(), text,
                                  test::unchecked(invariants), task_of(program));
  ASSERT_TRUE(witness);
  EXPECT_EQ(witness->lost, 0U) << witness->text;
  EXPECT_EQ(witness->places, 4U) << witness->text;
  EXPECT_EQ(judge_certificate(program, witness->text), "accepted") << witness->text;
}

TEST_F(Witnesses, ALoopThatBeginsWithACallIsInItsCaller) {
  TestProgram program(kHead +
                      "int n;\nvoid count(void) {\n  n++;\n}\n"
                      "int main(void) {\n  count();\n  do {\n    count();\n"
                      "  } while (n < 10);\n  if (n != 10) reach_error();\n  return 0;\n}\n");
  ASSERT_TRUE(program.ok());
  TermStore& t = program.terms();
  std::string text = certificate(program, t.make(Op::BvSlt, {var(program, "n"), t.bv(10, 32)}));
  EXPECT_NE(text.find("line: 15\n"), std::string::npos) << text;
  EXPECT_EQ(judge_certificate(program, text), "accepted") << text;
}

TEST_F(Witnesses, NamesMeanWhatTheyMeanInTheirBlocks) {
  TestProgram program(
      kHead +
      "int x = 3;\nint main(void) { int y = 0;\n"
      "for (int x = 0; x < 10; x++) { int y = 7; if (y + x == 99) reach_error(); }\n"
      "if (x + y != 3) reach_error(); return 0; }\n");
  ASSERT_TRUE(program.ok());
  TermStore& t = program.terms();
  writer::CWitness witness;
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
  ctext::CText text(program.text());
  ctext::CPlaces places(program.cfa(), program.source(), program.marks(), text);
  ASSERT_EQ(places.loop_heads().size(), 2U);
  TermStore& t = program.terms();
  LocationInvariants invariants;
  invariants.at.assign(program.cfa().locations().size(), t.boolean(true));
  const char* names[] = {"f::i", "f::i@2"};
  for (int i = 0; i < 2; ++i) {
    LocationId head = places.loop_heads()[static_cast<std::size_t>(i)];
    EXPECT_EQ(places.variable("i", places.frame(head), *places.place(head))->term,
              var(program, names[i]));
    invariants.at[index(head)] =
        t.make_not(t.make(Op::BvSlt, {var(program, names[i]), t.bv(-i, 32)}));
  }
  Result<writer::CWitness> witness =
      writer::write_invariant_set(program.cfa(), program.source(), program.marks(), text,
                                  test::unchecked(invariants), task_of(program));
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
    ctext::CText text(program.text());
    Result<writer::CWitness> witness =
        writer::write_violation_sequence(program.cfa(), program.source(), program.marks(), text,
                                         test::unchecked(*trace), task_of(program));
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
  ctext::CText text(program.text());
  Result<writer::CWitness> witness =
      writer::write_violation_sequence(program.cfa(), program.source(), program.marks(), text,
                                       test::unchecked(*trace), task_of(program));
  ASSERT_TRUE(witness);
  auto entry = read_witness("w.yml", witness->text, WitnessKind::ViolationSequence);
  ASSERT_TRUE(entry) << entry.error().text();
  ASSERT_EQ(entry->waypoints.size(), 2U);
  EXPECT_EQ(entry->waypoints[0].type, "function_return");
  EXPECT_EQ(entry->waypoints[0].value.text, "\\result == 5");
  EXPECT_EQ(entry->waypoints[0].location.row, 9U);
  EXPECT_EQ(entry->waypoints[0].location.column, 29U);
  EXPECT_EQ(entry->waypoints[1].type, "target");
  EXPECT_EQ(entry->waypoints[1].location.row, 10U);
  EXPECT_EQ(entry->waypoints[1].location.column, 5U);
  EXPECT_EQ(judge_witness(program, replaced(witness->text, "target", "branching")),
            "w.yml:32:13: error: a waypoint 'branching' without a constraint");
}

const std::string kSum = kHead +
                         "int main(void) {\n"                      // 8
                         "  int s = 0;\n"                          // 9
                         "  for (int i = 0; i < 2; i++) {\n"       // 10
                         "    int a = __VERIFIER_nondet_int();\n"  // 11
                         "    s += a;\n"                           // 12
                         "  }\n"                                   // 13
                         "  int open;\n"                           // 14
                         "  if (s == 12 && open == 3)\n"           // 15
                         "    reach_error();\n"                    // 16
                         "  return 0;\n"                           // 17
                         "}\n";

std::string waypoint(const std::string& type, const std::string& constraint,
                     const std::string& place) {
  return "    - segment:\n        - waypoint:\n            type: \"" + type +
         "\"\n            action: \"follow\"\n" +
         (constraint.empty()
              ? ""
              : "            constraint:\n              value: \"" + constraint + "\"\n") +
         "            location:\n              file_name: \"t.c\"\n              line: " + place +
         "\n";
}

TEST_F(Witnesses, AllWaypointsArePassedInOrderAtTheirPlaces) {
  TestProgram program(kSum);
  std::string head = certificate(program, program.terms().boolean(true));
  head = replaced(head.substr(0, head.find("    - invariant:")), "invariant_set",
                  "violation_sequence");
  if (head.ends_with(" []\n")) head = head.substr(0, head.size() - 4) + "\n";
  auto input = [](int value, const std::string& place = "11") {
    return waypoint("function_return", "\\\\result == " + std::to_string(value), place);
  };
  std::string open = waypoint("assumption", "open == 3", "15"),
              target = waypoint("target", "", "16");
  auto judged = [&](const std::string& content) { return judge_witness(program, head + content); };
  EXPECT_EQ(judged(input(5) + input(7) + open + target), "accepted");
  EXPECT_EQ(judged(input(5) + waypoint("assumption", "a == 5 && s == 0", "12") + input(7) + open +
                   target),
            "accepted");
  // The second time control is there.
  EXPECT_EQ(judged(input(5) + input(7) + waypoint("assumption", "a == 7 && s == 5", "12") + open +
                   target),
            "accepted");
  for (const std::string& wrong :
       {input(5) + input(6) + open + target, input(5) + open + target,
        input(5) + input(7) + input(0) + open + target, input(5) + input(7) + target,
        input(5) + waypoint("assumption", "0", "12") + input(7) + open + target,
        input(5) + waypoint("assumption", "s == 9", "12") + input(7) + open + target,
        input(5) + input(7) + waypoint("assumption", "s == 0", "12") + open + target,
        input(5) + input(7) + open + waypoint("assumption", "s == 12", "9") + target,
        input(5) + input(7) + open + waypoint("target", "", "1"),
        input(5) + input(7) + open + waypoint("target", "", "15"),
        input(5) + input(7) + open + waypoint("target", "", "9999"),
        input(5) + input(7) + open + waypoint("target", "", "16\n              column: 9"),
        input(5) + input(7, "11\n              column: 3") + open + target,
        waypoint("function_return", "\\\\result == 4294967301", "11") + input(7) + open + target,
        waypoint("function_return", "\\\\result == 99999999999999", "11") + input(7) + open +
            target,
        input(5) + waypoint("assumption", "((( foo", "12") + input(7) + open + target,
        input(5) + waypoint("branching", "true", "15") + input(7) + open + target,
        input(5) + waypoint("function_enter", "", "15") + input(7) + open + target,
        input(5) + waypoint("assumption", "open == 3", "14") + input(7) + target})
    EXPECT_TRUE(judged(wrong).starts_with("w.yml:")) << judged(wrong) << "\n" << wrong;
  EXPECT_EQ(judged(input(5) + waypoint("assumption", "((( foo", "12") + input(7) + open + target),
            "w.yml:33:22: error: '((( foo': unknown name 'foo'");
}

}  // namespace
}  // namespace lem::check
