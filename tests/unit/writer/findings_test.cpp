// SARIF, JUnit and diagnostics of findings; tests/cli/findings_test.py has those of whole runs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "writer/diagnostics.h"
#include "writer/finding.h"
#include "writer/json.h"
#include "writer/junit.h"
#include "writer/sarif.h"

namespace lem::writer {

static Finding failing() {
  Finding out;
  out.property = "p";
  out.verdict = "unsafe";
  out.about = {"bounds", "a[i]", {"x.c", 3, 5}};
  out.steps = {{{"x.c", 2, 1}, "i = 7"}, {{"x.c"}, "somewhere"}};
  return out;
}

static Finding undecided() {
  Finding out;
  out.property = "q";
  out.verdict = "unknown";
  out.reason = "timeout";
  out.about = {"assert", "", {"x.c", 9, 1}};
  return out;
}

static nlohmann::json sarif_run(std::span<const CheckedFile> files) {
  return nlohmann::json::parse(write_sarif("1.0", files))["runs"][0];
}

TEST(Diagnostics, AreLinesOfFileLineAndColumn) {
  EXPECT_EQ(diagnostics(failing()),
            "x.c:3:5: error: index may be out of bounds: a[i] [bounds]\n"
            "x.c:2:1: note: i = 7\n"
            "x.c:1:1: note: somewhere\n");
  EXPECT_EQ(diagnostics(undecided()), "x.c:9:1: warning: not decided: q: timeout [assert]\n");
}

TEST(Diagnostics, KeepToOneLine) {
  Finding finding = failing();
  finding.about.claim = "a\nb\tc";
  finding.steps.clear();
  EXPECT_EQ(diagnostics(finding), "x.c:3:5: error: index may be out of bounds: a b c [bounds]\n");
}

TEST(Sarif, LeavesOutUnknownPlacesAndSafeProperties) {
  Finding safe = failing();
  safe.verdict = "safe";
  CheckedFile file{"x.c", 1, {}, 0.5, {failing(), safe, undecided()}};
  nlohmann::json run = sarif_run(std::span(&file, 1));
  ASSERT_EQ(run["results"].size(), 2U);
  auto steps = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  EXPECT_EQ(steps[0]["location"]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_FALSE(steps[1]["location"]["physicalLocation"].contains("region"));
  EXPECT_EQ(run["results"][1]["kind"], "open");
  EXPECT_FALSE(run["results"][1].contains("codeFlows"));
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 2U);
  EXPECT_TRUE(run["invocations"][0]["executionSuccessful"]);
}

TEST(Sarif, NamesFilesThatCouldNotBeChecked) {
  CheckedFile file{"/a b.c", 65, "/a b.c:1:2: error: no", 0, {}};
  nlohmann::json run = sarif_run(std::span(&file, 1));
  EXPECT_FALSE(run["invocations"][0]["executionSuccessful"]);
  auto notice = run["invocations"][0]["toolExecutionNotifications"][0];
  EXPECT_EQ(notice["message"]["text"], "/a b.c:1:2: error: no");
  EXPECT_EQ(notice["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///a%20b.c");
}

TEST(Junit, CountsFailuresAndErrors) {
  CheckedFile files[] = {{"x.c", 1, {}, 1, {failing(), undecided()}},
                         {"y.c", 65, "y.c:1:1: error: <no>", 1, {}}};
  std::string xml = write_junit(files);
  EXPECT_NE(xml.find("<testsuites name=\"lemmata\" tests=\"3\" failures=\"1\" errors=\"2\""),
            xml.npos);
  EXPECT_NE(xml.find("message=\"y.c:1:1: error: &lt;no&gt;\""), xml.npos);
}

TEST(Junit, ReplacesWhatXmlCannotHave) {
  Finding finding = failing();
  finding.property =
      "a\x01\xC0\xAF\xED\xA0\x80\xE2\x82\xAC";  // a control, too long, a surrogate, €
  CheckedFile file{"x.c", 1, {}, 0, {finding}};
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_NE(write_junit(std::span(&file, 1))
                .find("name=\"a" + bad + bad + bad + bad + bad + bad + "\xE2\x82\xAC\""),
            std::string::npos);
}

TEST(JsonFindings, OfAnotherProcessAreReadBack) {
  const char* text = R"({"file": "x.c", "results": [{"property": "p", "verdict": "unsafe",
    "reason": null, "engine": "bmc", "seconds": 0.5, "places": {"rule": "bounds", "file": "x.c",
    "line": 3, "column": 5, "text": "a[i]", "steps": [{"line": 2, "column": 1, "text": "i = 7"},
    {"text": "somewhere"}]}}]})";
  std::optional<CheckedFile> file = read_findings(text);
  ASSERT_TRUE(file);
  ASSERT_EQ(file->findings.size(), 1U);
  EXPECT_EQ(diagnostics(file->findings[0]), diagnostics(failing()));
}

TEST(JsonFindings, OfADocumentThatIsNotWholeAreNone) {
  EXPECT_FALSE(read_findings(""));
  EXPECT_FALSE(read_findings(R"({"file": "x.c", "results": [{"prop)"));
  EXPECT_FALSE(read_findings(R"({"file": "x.c"})"));
}

}  // namespace lem::writer
