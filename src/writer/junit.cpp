#include "writer/junit.h"

#include <fmt/format.h>

#include "writer/diagnostics.h"

namespace lem::writer {

namespace {

/// How many bytes of well-formed UTF-8 start here, as XML 1.0 allows them; 0: none.
std::size_t character(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  if (first < 0x80)
    return first >= 0x20 || first == '\n' || first == '\t' ? (first == 0x7F ? 0 : 1) : 0;
  std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  bool shortest = length == 2 || code >= (length == 3 ? 0x800U : 0x10000U);
  bool allowed = (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE && code != 0xFFFF;
  return shortest && allowed && code <= 0x10FFFF ? length : 0;
}

/// For attributes and text alike; what XML cannot have becomes U+FFFD.
std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = character(text);
    char c = text.front();
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

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
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(file),
                     escaped(name), seconds);
}

std::string case_text(const CheckedFile& file, const Finding& finding) {
  std::string head = case_head(file.file, finding.property, finding.seconds);
  head += fmt::format(" file=\"{}\"", escaped(finding.about.at.file));
  if (finding.about.at.line != 0) head += fmt::format(" line=\"{}\"", finding.about.at.line);
  if (finding.verdict == "safe" && finding.vacuous.empty()) return head + "/>\n";
  std::string inner;
  if (finding.verdict == "safe")
    inner = fmt::format("      <system-out>vacuous: {}</system-out>\n", escaped(finding.vacuous));
  if (finding.verdict == "unsafe")
    inner = fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        escaped(finding.about.rule), escaped(finding.message()),
                        escaped(diagnostics(finding)));
  if (finding.verdict == "unknown")
    inner =
        fmt::format("      <error type=\"unknown\" message=\"{}\"/>\n", escaped(finding.message()));
  return head + ">\n" + inner + "    </testcase>\n";
}

/// A file that could not be checked is one test that went wrong.
std::string failed_case(const CheckedFile& file) {
  return case_head(file.file, file.file, file.seconds) +
         fmt::format(">\n      <error type=\"exit {}\" message=\"{}\"/>\n    </testcase>\n",
                     file.exit_code, escaped(file.error));
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
        fmt::format("  <testsuite name=\"{}\" {}>\n", escaped(file.file), counts.attributes());
    for (const Finding& finding : file.findings) suites += case_text(file, finding);
    if (!file.error.empty()) suites += failed_case(file);
    suites += "  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lemmata\" " +
         all.attributes() + ">\n" + suites + "</testsuites>\n";
}

}  // namespace lem::writer
