// What the user asked for, as parsed from the command line, and what follows from it before
// anything runs: engine, preset, options and output files are all checked here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/console.h"
#include "app/outputs.h"
#include "app/supervisor.h"
#include "base/options.h"
#include "base/result.h"
#include "check/native_mode.h"
#include "frontend/frontend.h"
#include "run/prove.h"
#include "run/selection.h"

namespace lem::app {

struct OutputFiles {
  std::string json;  // "-" is standard output
  std::string witness;
  std::string certificate;
  std::string report;
  std::string sarif;  // "-" is standard output, as for JSON
  std::string junit;  // likewise

  std::vector<Output> all() const;
  int json_descriptor = -1;            // where this process's parent wants the JSON
  bool standard_output_taken = false;  // by a document that the parent writes
  /// Whether a document goes to standard output.
  bool take_standard_output() const {
    return standard_output_taken || json == "-" || sarif == "-" || junit == "-" || witness == "-" ||
           certificate == "-";
  }
};

/// The words of verdict lines: `safe NAME`; `unsat` for a proof, as in the hardware model checking
/// competition; `true` and `false(NAME)` of SV-COMP, whose property it then is. Gcc: diagnostics as
/// compilers print them, nothing for what is safe.
enum class Words : std::uint8_t { Own, Hwmcc, SvComp, Gcc };

/// Whether a verdict line waits for those of the properties before it.
enum class Order : std::uint8_t { Input, AsTheyCome };

struct CheckRequest {
  std::string file;
  std::string engine = "auto";          // NAME[:PRESET]
  std::vector<std::string> properties;  // names and patterns; empty: all
  Limits limits;
  std::uint32_t depth = 0;  // 0: no bound
  frontend::ReadOptions input;
  std::vector<std::string> settings;  // "engine.option=value"
  OutputFiles outputs;
  run::Certify certify = run::Certify::Yes;
  check::Native native = check::Native::Sandbox;
  LogLevel log = LogLevel::Quiet;
  Words words = Words::Own;
  Order order = Order::Input;
  LiveLine live = LiveLine::On;
  bool stats = false;   // on standard error
  bool places = false;  // the JSON says where in the source things are
  bool each = false;    // several files: each is a model of its own
  std::string label{};  // before the names of properties, where there are several models
  bool quiet = false;   // no warnings about the input
  std::string on;       // "slurm:N"; empty: here
  std::string name{};   // of the model in results; empty: its file
  std::vector<std::string> command{};  // the words of the command line, for reports
};

/// The usage error, with the names that there are.
Error unknown_engine(std::string_view id);

struct Plan {
  const run::Selectable& selected;
  Options options;
};

/// Finds engine and preset, applies preset then settings, and looks at the output files.
/// All errors are usage errors.
Result<Plan> plan_run(const CheckRequest& request);

}  // namespace lem::app
