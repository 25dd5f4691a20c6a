#include "app/check/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace lem::app {

void ProgressNotes::note(const std::string& line) {
  std::size_t colon = line.find(':');
  if (colon == std::string::npos) return;
  std::lock_guard lock(mutex_);
  last_[line.substr(0, colon)] = line;
}

std::vector<std::string> ProgressNotes::lines() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [engine, line] : last_) out.push_back(line);
  return out;
}

namespace {

using Lines = std::vector<std::string>;

class Adviser {
 public:
  Adviser(const CheckRequest& request, const Problem* problem)
      : request_(request), problem_(problem) {}

  Lines stopped(const std::string& cause, const Lines& progress) {
    how_far(cause, progress);
    if (cause == "memory") {
      std::uint64_t limit = request_.limits.megabytes.value_or(0);
      if (limit != 0) say(fmt::format("try --memory {}", 2 * limit));
      if (problem_ != nullptr && is_auto())
        say("try --set portfolio.workers=1: one engine at a time needs less");
    } else if (cause == "timeout" && request_.limits.seconds) {
      say(fmt::format("try --timeout {:g}", 4 * *request_.limits.seconds));
    }
    other_engine();
    smaller_task();
    return std::move(out_);
  }

  Lines bound_reached() {
    if (request_.depth != 0)
      say(fmt::format("there is no counterexample of at most {} steps; try --depth {}",
                      request_.depth, 2 * request_.depth));
    else
      say("an option limits the depth of the search (lemmata options)");
    say("for a proof, try --engine auto without a bound");
    return std::move(out_);
  }

  Lines gave_up(const std::string& reason) {
    if (reason != "gave up") {
      say("no engine checks this property: " + reason +
          " (docs/formats.md says what is supported)");
      return std::move(out_);
    }
    say("the engine's method does not decide this model");
    other_engine();
    smaller_task();
    return std::move(out_);
  }

  Lines crashed() {
    say("all engines ended without an answer, most often for lack of memory");
    say("try --set portfolio.workers=1, or one engine alone");
    other_engine();
    return std::move(out_);
  }

  Lines out_of_memory() {
    say("engines that were at work needed more memory than all of them may have together");
    say("try --set portfolio.memory=N (MB), or --set portfolio.workers=1: one at a time needs "
        "less");
    other_engine();
    return std::move(out_);
  }

  Lines undecided() {
    say("an engine has an answer, but the solvers of the checker did not confirm its evidence in "
        "time");
    say("try another engine, whose evidence may be simpler");
    other_engine();
    say("--no-certify prints the answer unchecked");
    return std::move(out_);
  }

  Lines not_native() {
    if (problem_ != nullptr && problem_->source.st != nullptr) {
      say("the run of the model is not one of the interpreted program; please report this");
      return std::move(out_);
    }
    say("the model has a run to the error that the compiled program does not have: the program "
        "depends on what C leaves open");
    if (request_.input.c.arith == c::COptions::Arith::Int)
      say("try --arith bv: integers of the model do not wrap around");
    say("try --check uninitialised,overflow,bounds to find undefined behaviour before the error");
    return std::move(out_);
  }

 private:
  void say(std::string line) { out_.push_back(std::move(line)); }
  std::string engine() const { return request_.engine.substr(0, request_.engine.find(':')); }
  bool is_auto() const { return engine() == "auto"; }

  void how_far(const std::string& cause, const Lines& progress) {
    if (problem_ == nullptr) {
      say(cause + " while the file was read");
      return;
    }
    std::string far;
    for (const std::string& line : progress) far += (far.empty() ? "" : "; ") + line;
    if (!far.empty()) say("reached " + far);
  }

  /// Engines for this kind of model that were not asked for alone.
  void other_engine() {
    if (problem_ == nullptr) return;
    if (!is_auto()) {
      say("try --engine auto: several engines side by side");
      return;
    }
    if (problem_->is_program())
      say("try --engine ic3cfa for a proof, --engine bmc for a counterexample: one engine alone "
          "gets all the time");
    else if (problem_->is_horn())
      say("try --engine spacer, or --engine spacer:cores: one engine alone gets all the time");
    else if (problem_->is_terms())
      say("try --engine ic3ia for a proof, --engine bmc for a counterexample: one engine alone "
          "gets all the time");
    else
      say("try --engine ic3 for a proof, --engine bmc for a counterexample: one engine alone gets "
          "all the time");
  }

  void smaller_task() {
    if (problem_ == nullptr) return;
    if (problem_->properties.size() > 1 && request_.properties.empty())
      say("try --property NAME: one property at a time");
    if (problem_->source.c != nullptr && request_.input.c.arith == c::COptions::Arith::Bits)
      say("try --arith int, if signed arithmetic of the program does not overflow");
    if (problem_->source.st != nullptr) say("try --assume CONDITION: fewer inputs to consider");
  }

  const CheckRequest& request_;
  const Problem* problem_;
  Lines out_;
};

}  // namespace

std::vector<std::string> advise(const writer::PropertyResult& result, const CheckRequest& request,
                                const Problem* problem, const std::vector<std::string>& progress) {
  std::optional<Reason> reason = reason_of(result.outcome.verdict());
  if (!reason) return {};
  Adviser adviser(request, problem);
  switch (*reason) {
    case Reason::Stopped:
      return adviser.stopped(result.reason, progress);
    case Reason::BoundReached:
      return adviser.bound_reached();
    case Reason::GaveUp:
      return adviser.gave_up(result.reason);
    case Reason::Crashed:
      return adviser.crashed();
    case Reason::Undecided:
      return adviser.undecided();
    case Reason::NotNative:
      return adviser.not_native();
    case Reason::OutOfMemory:
      return adviser.out_of_memory();
  }
  unreachable();
}

std::vector<std::string> advice_lines(const writer::RunReport& report) {
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> groups;
  for (const writer::PropertyResult& result : report.results) {
    if (result.advice.empty()) continue;
    auto same = std::find_if(groups.begin(), groups.end(),
                             [&](const auto& group) { return group.first == result.advice; });
    if (same == groups.end()) same = groups.insert(groups.end(), {result.advice, {}});
    same->second.push_back(result.property);
  }
  std::vector<std::string> out;
  for (const auto& [advice, names] : groups) {
    std::string who = names.front();
    if (names.size() > 1) who += fmt::format(" and {} more", names.size() - 1);
    for (const std::string& line : advice) out.push_back(who + ": " + line);
  }
  return out;
}

}  // namespace lem::app
