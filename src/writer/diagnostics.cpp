#include "writer/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

namespace lem::writer {

/// A diagnostic is one line, whatever the names and values have in them.
static std::string line(const SourcePos& at, std::string_view kind, std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return fmt::format("{}:{}:{}: {}: {}\n", at.file, std::max(at.line, 1U), std::max(at.column, 1U),
                     kind, text);
}

std::string diagnostics(const Finding& finding) {
  const PropertyAbout& about = finding.about;
  if (finding.verdict == "safe") return {};
  bool unsafe = finding.verdict == "unsafe";
  std::string out =
      line(about.at, unsafe ? "error" : "warning", finding.message() + " [" + about.rule + "]");
  for (const PlacedText& step : finding.steps) out += line(step.at, "note", step.text);
  return out;
}

}  // namespace lem::writer
