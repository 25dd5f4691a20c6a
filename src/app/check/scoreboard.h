// The verdicts so far. They come in any order and are printed in input order, or as they come.
// Shared by the run and by the supervisor's last resort, which fills in what is missing when the
// run is stuck.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/check/request.h"
#include "app/console.h"
#include "app/exit_code.h"
#include "app/supervisor.h"
#include "model/problem.h"
#include "writer/run_report.h"

namespace lem::app {

enum class Warnings { Hide, Show };

/// 1 if some property is unsafe, else 2 if some is unknown, else 0.
ExitCode exit_code(const writer::RunReport& report);

class Scoreboard {
 public:
  /// Verdict lines go to standard output, or to standard error when that is the JSON's place.
  enum class Lines { StandardOutput, StandardError };
  /// Whether findings, or these and the rows of the JSON, are made as the verdicts come in: the
  /// supervisor may have to write them while the next property is at work on the same terms.
  enum class Rows { None, Findings, Json };

  /// What gives advice about a property that is unknown; called by any thread that settles.
  using Adviser =
      std::function<std::vector<std::string>(const writer::PropertyResult&, const Problem*)>;

  struct Style {
    Lines lines = Lines::StandardOutput;
    Rows rows = Rows::None;
    Order order = Order::Input;
    Words words = Words::Own;
    std::string label{};  // before the names in verdict lines
    Adviser adviser{};    // nothing: no advice
  };
  Scoreboard(Console& console, Style style, writer::RunReport head)
      : console_(console), style_(std::move(style)), report_(std::move(head)) {}

  /// Until the properties are known the file stands for all of them.
  /// Borrows the problem. What nothing here checks comes after the properties.
  void expect(const Problem& problem, std::span<const std::size_t> properties,
              std::span<const Unchecked> unchecked = {});
  /// Records what the front end warned about, and prints it if asked to.
  void warn(std::vector<Warning> warnings, Warnings shown);
  /// The verdict of the property at this place of `expect`'s list: recorded, and printed when its
  /// turn comes.   require: it has none yet
  void add(std::size_t place, writer::PropertyResult result);
  std::size_t settled() const { return settled_; }
  std::size_t expected() const { return waiting_.size(); }
  bool has(std::size_t place) const { return place < waiting_.size() && waiting_[place]; }
  /// The file that has the evidence of a property.   require: it is settled
  void add_evidence(std::size_t place, const std::string& file);
  /// More about a property: a shorter run, or why its proof is vacuous, which is printed.
  ///   require: all are settled, with the same verdict
  void amend(std::size_t place, writer::PropertyResult result);
  /// How many proofs are vacuous, if there are more than lines were printed, or if all are.
  void sum_up_vacuous();
  /// Every verdict that is still missing becomes `unknown NAME: cause`. While the lock lives no
  /// other thread gets to add any more.
  [[nodiscard]] std::unique_lock<std::mutex> close(StopCause cause, const std::string& engine);

  /// With the verdicts once all are there.   require: no other thread adds any more
  const writer::RunReport& report() const { return report_; }
  /// nullptr before `expect`.
  const Problem* problem() const { return problem_; }

 private:
  void add_locked(std::size_t place, writer::PropertyResult result);
  void add_rows(writer::PropertyResult& result) const;
  void print(const writer::PropertyResult& result);
  std::string line_of(const writer::PropertyResult& result) const;

  std::mutex mutex_;
  Console& console_;
  const Style style_;
  writer::RunReport report_;
  std::vector<std::string> expected_{};
  std::vector<std::optional<writer::PropertyResult>>
      waiting_{};            // in input order, until all are there
  std::size_t printed_ = 0;  // Order::Input: so many from the start
  std::atomic<std::size_t> settled_ = 0;
  static constexpr std::size_t kVacuousLines = 8;  // of one run; programs have hundreds of checks
  std::size_t vacuous_ = 0;
  const Problem* problem_ = nullptr;
};

}  // namespace lem::app
