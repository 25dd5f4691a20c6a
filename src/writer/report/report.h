// The report of a run: one HTML page that needs no network, with the results as data and a script
// that shows them. docs/report.md says what is on the page. Template, style and scripts are files
// in this folder, which the build embeds. Tests: tests/unit/writer/report_test.cpp,
// tests/cli/report_test.py.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/growth.h"
#include "base/stats.h"
#include "model/problem.h"
#include "model/verilog_source.h"
#include "writer/run_report.h"

namespace lem::writer {

/// A proof in two parts, each of the same form as the whole.
struct ProofParts {
  Certificate needed;    // a proof by itself
  Certificate others;    // the lemmas that it does without
  bool minimal = false;  // known: no lemma of `needed` can be left out
};

/// What the page shows besides results and statistics.
struct ReportExtras {
  struct File {
    std::string name;
    std::string text;
  };
  struct Option {
    std::string name, value, fallback;
  };
  std::vector<File> sources{};  // the user's files, the main one first; none for binary ones
  const VerilogSource* verilog = nullptr;
  /// Lustre: by variable, the names of its values 0, 1, ...
  const std::map<std::string, std::vector<std::string>>* enumerators = nullptr;
  std::string command{};  // that reproduces the run
  std::vector<std::pair<std::string, std::string>> versions{};
  std::vector<Option> options{};
  const Growth* growth = nullptr;
  std::function<Term(Term)> readable{};  // an equivalent formula for people; none: as it is
  /// Of a safe result, what its proof needs; nullopt: it has no lemmas.
  std::function<std::optional<ProofParts>(const PropertyResult&)> parts{};
};

/// `problem` may be nullptr when the input was not read; no row then has evidence.
std::string write_report(const RunReport& report, const Problem* problem, const Stats& stats,
                         const ReportExtras& extras = {});

/// JSON that may stand between <script> and </script>: no character of it begins a tag.
std::string embeddable(std::string json);

}  // namespace lem::writer
