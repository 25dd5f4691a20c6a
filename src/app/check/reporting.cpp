#include "app/check/reporting.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <variant>

#include "app/evidence/write.h"
#include "app/version.h"
#include "base/fork.h"
#include "base/process.h"
#include "base/try.h"
#include "writer/json.h"
#include "writer/junit.h"
#include "writer/sarif.h"

namespace lem::app {

Log make_log(const CheckRequest& request, Console& console) {
  return {request.log, [&](LogLevel, const std::string& line) { console.err(line); }};
}

Progress make_progress(const CheckRequest& request, Console& console, ProgressNotes& notes,
                       const Stats& stats, Growth* growth) {
  LiveLine live = console.allow_live(request.live);
  std::string engine = request.engine;
  return Progress([&console, &notes, &stats, growth, live, engine](const std::string& line) {
    notes.note(line);
    if (live == LiveLine::On) console.set_status(line);
    if (growth != nullptr) growth->add(engine, stats, resident_bytes_of_self(), line);
  });
}

static void print_advice(const CheckRequest& request, const writer::RunReport& report,
                         Console& console) {
  if (request.quiet) return;
  for (const std::string& line : advice_lines(report)) console.err(line);
}

Scoreboard make_scoreboard(const CheckRequest& request, Console& console,
                           const ProgressNotes* notes) {
  const OutputFiles& out = request.outputs;
  bool findings = request.words == Words::Gcc || !out.sarif.empty() || !out.junit.empty();
  bool json = !out.json.empty() || out.json_descriptor >= 0;
  Scoreboard::Style style{.order = request.order, .words = request.words, .label = request.label};
  if (out.take_standard_output()) style.lines = Scoreboard::Lines::StandardError;
  if (findings) style.rows = Scoreboard::Rows::Findings;
  if (json) style.rows = Scoreboard::Rows::Json;
  if (notes != nullptr)
    style.adviser = [&request, notes](const writer::PropertyResult& result, const Problem* read) {
      return advise(result, request, read, notes->lines());
    };
  writer::RunReport head{
      std::string(version()), request.name.empty() ? request.file : request.name, {}, {}};
  head.places = request.places || out.json_descriptor >= 0;
  return {console, std::move(style), std::move(head)};
}

void announce(const CheckRequest& request, const Problem& problem,
              std::span<const std::size_t> chosen, const Remarks& remarks, Scoreboard& board) {
  board.expect(problem, chosen, remarks.unchecked);
  board.warn(remarks.warnings, request.quiet ? Warnings::Hide : Warnings::Show);
  for (std::size_t i = 0; i < remarks.unchecked.size(); ++i)
    board.add(chosen.size() + i, {remarks.unchecked[i].name,
                                  check::unknown(Reason::GaveUp),
                                  remarks.unchecked[i].why,
                                  request.engine,
                                  0,
                                  {}});
}

/// JSON, SARIF and JUnit, as far as asked for.
static Status write_documents(const CheckRequest& request, const Scoreboard& board,
                              const Stats& stats, double seconds, Console& console) {
  const OutputFiles& out = request.outputs;
  const writer::RunReport& report = board.report();
  if (out.json_descriptor >= 0)
    write_all(out.json_descriptor, writer::write_json(report, board.problem(), stats));
  if (!out.json.empty())
    LEM_TRY(put(out.json, writer::write_json(report, board.problem(), stats), console));
  if (out.sarif.empty() && out.junit.empty()) return Ok{};
  int code = static_cast<int>(exit_code(report));
  const writer::CheckedFile file = writer::checked_file(report, board.problem(), code, seconds);
  return write_findings(out, std::span(&file, 1), console);
}

Status write_findings(const OutputFiles& out, std::span<const writer::CheckedFile> files,
                      Console& console) {
  if (!out.sarif.empty())
    LEM_TRY(put(out.sarif, writer::write_sarif(std::string(version()), files), console));
  return out.junit.empty() ? Ok{} : put(out.junit, writer::write_junit(files), console);
}

Supervisor::Hooks make_hooks(const CheckRequest& request, Console& console, Scoreboard& board) {
  auto start = std::chrono::steady_clock::now();
  auto tick = [&console, start, calls = 0U]() mutable {
    if (calls++ % 5 != 0) return;  // four repaints a second
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    console.repaint(elapsed.count(), resident_bytes_of_tree());
  };
  // Runs while the main thread is stuck: it reads nothing that thread may be writing, which is why
  // the statistics are left out and the rows with terms were made before.
  auto give_up = [&, start](StopCause cause) {
    console.hurry();
    std::unique_lock lock = board.close(cause, request.engine);
    ExitCode code = exit_code(board.report());
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (Status written = write_documents(request, board, Stats{}, elapsed.count(), console);
        !written)
      code = console.fail(written.error());
    print_advice(request, board.report(), console);
    console.wipe();
    _exit(static_cast<int>(console.conclude(code)));
  };
  return {tick, give_up};
}

std::string reason_text(const Verdict& verdict, StopCause cause) {
  std::optional<Reason> reason = reason_of(verdict);
  if (!reason) return {};
  return std::string(*reason == Reason::Stopped ? name(cause) : name(*reason));
}

std::optional<std::uint64_t> depth_of(const Verdict& verdict, std::string_view engine,
                                      const Stats& stats) {
  if (const Run* run = run_of(verdict)) return depth_of(*run);
  if (const Certificate* proof = certificate_of(verdict))
    if (std::optional<std::uint32_t> k = induction_depth(*proof)) return *k;
  auto found = stats.counters().find(std::string(engine) + ".depth");
  if (found == stats.counters().end()) return {};
  return found->second.value;
}

void record_resources(Stats& stats, double seconds) {
  rusage self{};
  rusage children{};
  getrusage(RUSAGE_SELF, &self);
  getrusage(RUSAGE_CHILDREN, &children);
  stats.timer("app.total").seconds = seconds;
  stats.counter("app.peak-memory-kb").value =
      static_cast<std::uint64_t>(std::max(self.ru_maxrss, children.ru_maxrss));
}

static void print_stats(const Stats& stats, Console& console) {
  for (const auto& [name, counter] : stats.counters())
    console.err(fmt::format("{:<32} {:>14}", name, counter.value));
  for (const auto& [name, timer] : stats.timers())
    console.err(fmt::format("{:<32} {:>14.3f} s", name, timer.seconds));
}

Status write_results(const CheckRequest& request, const Scoreboard& board, const Stats& stats,
                     const RunFacts& facts, Console& console) {
  const OutputFiles& out = request.outputs;
  const writer::RunReport& report = board.report();
  const Problem* problem = board.problem();
  auto total = stats.timers().find("app.total");
  double seconds = total == stats.timers().end() ? 0 : total->second.seconds;
  LEM_TRY(write_documents(request, board, stats, seconds, console));
  if (!out.report.empty())
    LEM_TRY(put(out.report, report_page(request, report, problem, stats, facts), console));
  if (request.stats) print_stats(stats, console);
  print_advice(request, report, console);
  return Ok{};
}

Error keeping_input(const CheckRequest& request, const Error& error) {
  if (error.kind != ErrorKind::Internal) return error;
  std::string kept = keep_input(request.file);
  Error full{{request.file}, error.message, error.kind};
  if (!kept.empty()) full.message += "; input kept as " + kept;
  return full;
}

}  // namespace lem::app
