// The result of a property in places of the source: what it is about, the steps of its run and the
// invariants of its proof, each at its line. SARIF, JUnit, compilers' diagnostics and the language
// server are made of findings. A finding has no terms, so it outlives the problem. Tests:
// tests/unit/writer/findings_test.cpp, tests/cli/findings_test.py.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/problem.h"
#include "writer/run_report.h"

namespace lem::writer {

/// What a property is about.
struct PropertyAbout {
  std::string rule;   // its kind: "assert", "bounds", "cover", "bad"
  std::string claim;  // in the words of the source, where it has them
  SourcePos at;       // line 0: unknown
};
///   require: there is such a property
PropertyAbout about(const Problem& problem, std::size_t property);

/// Text at a place; line 0: somewhere in the file.
struct PlacedText {
  SourcePos at;
  std::string text;
};

struct Finding {
  std::string property;
  std::string verdict;  // "safe", "unsafe" or "unknown", as answers to what the property asks for
  std::string reason;   // of unknown
  std::string engine;
  double seconds = 0;
  std::string vacuous;
  PropertyAbout about;
  std::vector<PlacedText> steps;       // of the run; the property fails at its end
  std::vector<PlacedText> invariants;  // of the proof

  /// "assertion may fail: x > 0"; of unknown: why there is no verdict.
  std::string message() const;
};

/// `problem` may be nullptr when the input was not read; the finding is then about the file.
Finding finding_of(const PropertyResult& result, const Problem* problem, const std::string& file);
/// The one that was made with the verdict, else a new one.
Finding finding_for(const PropertyResult& result, const Problem* problem, const std::string& file);

/// What is known of one file that was checked.
struct CheckedFile {
  std::string file;
  int exit_code = 0;
  std::string error;  // of the run, if it failed: as printed
  double seconds = 0;
  std::vector<Finding> findings;
  std::vector<PlacedText> warnings{};  // about the file
};
CheckedFile checked_file(const RunReport& report, const Problem* problem, int exit_code,
                         double seconds);

}  // namespace lem::writer
