// Parts of the language server; tests/cli/lsp_test.py drives the whole of it.
#include <gtest/gtest.h>

#include "app/lsp/messages.h"
#include "app/lsp/text.h"
#include "app/lsp/transport.h"

namespace lem::app::lsp {

TEST(LspReader, GivesWholeMessagesHoweverTheBytesCome) {
  std::string bytes = framed("{}") + framed("{\"a\":1}");
  MessageReader reader;
  std::vector<std::string> got;
  for (char c : bytes) {
    reader.add(std::string_view(&c, 1));
    while (auto message = reader.next()) got.push_back(*message);
  }
  EXPECT_EQ(got, (std::vector<std::string>{"{}", "{\"a\":1}"}));
  EXPECT_FALSE(reader.broken());
}

TEST(LspReader, KnowsHeadersInAnyCaseAndOthers) {
  MessageReader reader;
  reader.add("content-type: x\r\nCONTENT-LENGTH:2\r\n\r\nhi");
  EXPECT_EQ(reader.next(), "hi");
}

TEST(LspReader, BreaksAtAHeaderThatIsNone) {
  for (std::string text :
       {std::string("Length: 3\r\n\r\nabc"), std::string("Content-Length: x\r\n\r\n"),
        std::string("Content-Length: 99999999999\r\n\r\n"), std::string(9000, 'x')}) {
    MessageReader reader;
    reader.add(text);
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.broken()) << text.substr(0, 40);
  }
}

TEST(LspText, UrisAndPathsAreInverse) {
  std::string path = "/a b/100%/ü:c.lus";
  EXPECT_EQ(path_of(uri_of(path)), path);
  EXPECT_EQ(path_of("file://host/a.c"), "/a.c");
  EXPECT_EQ(path_of("file:///a%2"), "/a%2");
  EXPECT_FALSE(path_of("untitled:Untitled-1"));
}

TEST(LspText, ColumnsAreUtf16) {
  EXPECT_EQ(utf16_length("aü€"), 3U);
  EXPECT_EQ(utf16_length("\xF0\x9F\x98\x80"), 2U);
}

TEST(LspText, ComparesWhatEveryEncodingAgreesOn) {
  EXPECT_TRUE(
      same_text("a\r\n\xFC"
                "b",
                "a\n\xC3\xBC"
                "b"));
  EXPECT_FALSE(same_text("ab", "a"));
  EXPECT_FALSE(same_text("a", "ab"));
  EXPECT_FALSE(same_text("ab", "ac"));
}

TEST(LspMessages, ErrorLinesAreParsed) {
  auto error = parse_error_line("/x.c:3:5: error: what: now", "/x.c");
  EXPECT_EQ(error.at.line, 3U);
  EXPECT_EQ(error.at.column, 5U);
  EXPECT_EQ(error.text, "what: now");
  EXPECT_EQ(parse_error_line("error: what", "/x.c").at.file, "/x.c");
  EXPECT_EQ(parse_error_line("/y.h:1:1: error: what", "/x.c").at.file, "");
}

static Checked one_failure() {
  writer::Finding finding;
  finding.property = "p";
  finding.verdict = "unsafe";
  finding.about = {"assert", "x > 0", {"/x.c", 2, 6}};
  for (int i = 0; i < 150; ++i) finding.steps.push_back({{"/x.c", 1, 1}, "step"});
  return {"/x.c", "int x;\nü  assert(x > 0);  \n", {"/x.c", 1, {}, 0, {finding}}};
}

TEST(LspMessages, RangesEndWithTheClaim) {
  Json diagnostics = diagnostics_of(one_failure());
  ASSERT_EQ(diagnostics.size(), 1U);
  // Byte 6 is character 4: the umlaut has two bytes.
  EXPECT_EQ(diagnostics[0]["range"]["start"], (Json{{"line", 1}, {"character", 4}}));
  EXPECT_EQ(diagnostics[0]["range"]["end"], (Json{{"line", 1}, {"character", 15}}));
  EXPECT_EQ(diagnostics[0]["severity"], 1);
}

TEST(LspMessages, LongRunsKeepTheirEnd) {
  Json related = diagnostics_of(one_failure())[0]["relatedInformation"];
  ASSERT_EQ(related.size(), 100U);
  EXPECT_EQ(related[0]["message"], "(50 steps before) step");
}

TEST(LspMessages, PlacesInOtherFilesAreShownAtTheTop) {
  Checked checked = one_failure();
  checked.result.findings[0].about.at = {"/y.h", 7, 1};
  Json diagnostic = diagnostics_of(checked)[0];
  EXPECT_EQ(diagnostic["range"]["start"]["line"], 0);
  EXPECT_EQ(diagnostic["message"], "assertion may fail: x > 0 (/y.h:7)");
}

TEST(LspMessages, HoverHasInvariantsOnceAndVerdicts) {
  writer::Finding finding;
  finding.property = "p";
  finding.verdict = "safe";
  finding.engine = "ic3";
  finding.about = {"assert", "", {"/x.c", 4, 1}};
  finding.invariants = {{{"/x.c", 3, 1}, "x > 0"}};
  writer::CheckedFile result{"/x.c", 0, {}, 0, {finding, finding}};
  EXPECT_EQ(hover_text(result, "/x.c", 3), "invariant:\n```\nx > 0\n```\n");
  EXPECT_NE(hover_text(result, "/x.c", 4)->find("**safe**: p"), std::string::npos);
  EXPECT_FALSE(hover_text(result, "/x.c", 5));
}

}  // namespace lem::app::lsp
