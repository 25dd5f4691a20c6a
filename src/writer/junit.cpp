#include "writer/junit.h"

#include <fmt/format.h>

#include "base/xml.h"
#include "writer/diagnostics.h"

namespace lem::writer {

namespace {

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0;

  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    seconds += other.seconds;
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\"",
                       tests, failures, errors, seconds);
  }
};

std::string case_head(const std::string& file, const std::string& name, double seconds) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                     xml_escaped(file), xml_escaped(name), seconds);
}

std::string case_text(const CheckedFile& file, const Finding& finding) {
  std::string head = case_head(file.file, finding.property, finding.seconds);
  head += fmt::format(" file=\"{}\"", xml_escaped(finding.about.at.file));
  if (finding.about.at.line != 0) head += fmt::format(" line=\"{}\"", finding.about.at.line);
  if (finding.verdict == "safe" && finding.vacuous.empty()) return head + "/>\n";
  std::string inner;
  if (finding.verdict == "safe")
    inner =
        fmt::format("      <system-out>vacuous: {}</system-out>\n", xml_escaped(finding.vacuous));
  if (finding.verdict == "unsafe")
    inner = fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        xml_escaped(finding.about.rule), xml_escaped(finding.message()),
                        xml_escaped(diagnostics(finding)));
  if (finding.verdict == "unknown")
    inner = fmt::format("      <error type=\"unknown\" message=\"{}\"/>\n",
                        xml_escaped(finding.message()));
  return head + ">\n" + inner + "    </testcase>\n";
}

/// A file that could not be checked is one test that went wrong.
std::string failed_case(const CheckedFile& file) {
  return case_head(file.file, file.file, file.seconds) +
         fmt::format(">\n      <error type=\"exit {}\" message=\"{}\"/>\n    </testcase>\n",
                     file.exit_code, xml_escaped(file.error));
}

Counts counts_of(const CheckedFile& file) {
  Counts out{file.findings.size(), 0, 0, file.seconds};
  for (const Finding& finding : file.findings) {
    out.failures += finding.verdict == "unsafe" ? 1 : 0;
    out.errors += finding.verdict == "unknown" ? 1 : 0;
  }
  if (file.error.empty()) return out;
  ++out.tests;
  ++out.errors;
  return out;
}

}  // namespace

std::string write_junit(std::span<const CheckedFile> files) {
  Counts all;
  std::string suites;
  for (const CheckedFile& file : files) {
    Counts counts = counts_of(file);
    all.add(counts);
    suites +=
        fmt::format("  <testsuite name=\"{}\" {}>\n", xml_escaped(file.file), counts.attributes());
    for (const Finding& finding : file.findings) suites += case_text(file, finding);
    if (!file.error.empty()) suites += failed_case(file);
    suites += "  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lemmata\" " +
         all.attributes() + ">\n" + suites + "</testsuites>\n";
}

}  // namespace lem::writer
