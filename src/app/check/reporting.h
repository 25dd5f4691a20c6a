// The output of a run besides its verdict lines: log, progress, results and statistics.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/check/advice.h"
#include "app/check/report_page.h"
#include "app/check/request.h"
#include "app/check/scoreboard.h"
#include "app/console.h"
#include "app/supervisor.h"
#include "base/context.h"
#include "base/growth.h"
#include "model/problem.h"
#include "writer/finding.h"
#include "writer/run_report.h"

namespace lem::app {

Log make_log(const CheckRequest& request, Console& console);
/// Notes how far engines get, for advice, and shows it if there is a live line. Borrows the notes.
/// `growth`, if given, gets what an engine of this process has counted: `stats`.
Progress make_progress(const CheckRequest& request, Console& console, ProgressNotes& notes,
                       const Stats& stats, Growth* growth);
/// Gives advice where there are notes. Borrows both.
Scoreboard make_scoreboard(const CheckRequest& request, Console& console,
                           const ProgressNotes* notes = nullptr);
/// What the board is to expect: the chosen properties, and what nothing here checks. Shows warnings
/// about the input.
void announce(const CheckRequest& request, const Problem& problem,
              std::span<const std::size_t> chosen, const Remarks& remarks, Scoreboard& board);
/// The tick repaints the live line; giving up prints the missing verdicts, writes the JSON and ends
/// the process.
Supervisor::Hooks make_hooks(const CheckRequest& request, Console& console, Scoreboard& board);

/// What follows the colon of `unknown NAME: `; empty for definite verdicts.
std::string reason_text(const Verdict& verdict, StopCause cause);
/// Steps of a trace, k of a k-inductive certificate, else the counter "<engine>.depth".
std::optional<std::uint64_t> depth_of(const Verdict& verdict, std::string_view engine,
                                      const Stats& stats);

/// Total time and peak memory.
void record_resources(Stats& stats, double seconds);
/// SARIF and JUnit of all files, as far as asked for.
Status write_findings(const OutputFiles& out, std::span<const writer::CheckedFile> files,
                      Console& console);
/// JSON, SARIF, JUnit, HTML report and statistics, as far as asked for, and advice about unknown
/// properties.
Status write_results(const CheckRequest& request, const Scoreboard& board, const Stats& stats,
                     const RunFacts& facts, Console& console);

/// Keeps the input of a run whose evidence was rejected; the error with the place where it is kept.
Error keeping_input(const CheckRequest& request, const Error& error);

}  // namespace lem::app
