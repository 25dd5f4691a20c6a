// The results of a run, input of the JSON and HTML writers. Each row holds a Certified, so only
// checked verdicts (or unchecked ones under --no-certify) are reported.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stats.h"
#include "check/certify.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::writer {

struct Finding;  // writer/finding.h

/// The answer of a task on another host. Its evidence is a file, which was checked unless
/// --no-certify is given.
struct TaskAnswer {
  std::string verdict;  // the answer word
  std::string host;     // empty: of none
  bool checked;
};

struct PropertyResult {
  std::string property;
  check::Certified outcome;
  std::string reason;  // of Unknown, else empty
  std::string engine;  // with its preset: "ic3:plain"; "auto: kind" where a shortcut answered
  double seconds = 0;
  std::optional<std::uint64_t> depth;  // steps of the trace, else the engine's depth or frames
  std::string vacuous{};               // why the proof is vacuous; usually empty
  Goal goal = Goal::Avoid;
  std::vector<std::string> advice{};         // of Unknown: what to know and to try next
  std::string json{};                        // its row, if made already (json_row in writer/json.h)
  std::shared_ptr<const Finding> finding{};  // shared by copies; nullptr: not made yet
  std::string evidence{};                    // the file that has its witness or certificate
  std::optional<TaskAnswer> task{};          // in place of an outcome, which is then Unknown
};

struct RunReport {
  std::string version;
  std::string file;
  std::string format;  // empty if the file was never read to its end
  std::vector<PropertyResult> results;
  std::vector<Warning> warnings{};  // about the file
  bool places = false;              // the JSON has them
};

/// The verdict as an answer to what the property asks for: a run to a goal is what makes it `safe`.
std::string_view answer_word(const PropertyResult& result);

/// The name of a signal in the input file; without one i<k>, l<k> for inputs and latches, and
/// n<variable of the file> for gates. The constant is "false".
std::string signal_name(const Problem& problem, std::uint32_t var);
/// With "!" in front of a complemented signal.
std::string literal_name(const Problem& problem, AigLit lit);

}  // namespace lem::writer
