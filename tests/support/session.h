// Everything that a run needs around it, for tests of src/run.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "run/jobs.h"
#include "run/prove.h"
#include "run/selection.h"
#include "transform/transform.h"

namespace lem::test {

struct Session {
  explicit Session(std::string_view settings = {}) {
    EXPECT_TRUE(options.set_all(settings).ok()) << settings;
  }
  Context context() { return {options, stats, log, progress, stop.get_token()}; }

  /// Evidence arrives as an engine gave it.
  void without_transforms() {
    for (const transform::TransformInfo& transform : transform::all_transforms())
      (void)options.set("transform." + std::string(transform.id), "off");
  }

  static std::vector<std::size_t> all_of(const Problem& problem) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < problem.properties.size(); ++i) all.push_back(i);
    return all;
  }
  static std::string word(const Verdict& verdict) {
    if (std::holds_alternative<Safe>(verdict)) return "safe";
    return std::holds_alternative<Unsafe>(verdict) ? "unsafe" : "unknown";
  }
  std::map<std::size_t, std::string> words() const {
    std::map<std::size_t, std::string> all;
    for (const auto& [property, verdict] : verdicts) all.emplace(property, word(verdict));
    return all;
  }

  /// All properties, by an engine of this name.
  Status prove(const Problem& problem, std::string_view engine) {
    return run::prove_all(problem, all_of(problem), *run::find_selectable(engine), how, settled,
                          context());
  }
  /// The same, by these members alone.
  Status run(const Problem& problem, std::vector<run::Member> members) {
    Context ctx = context();
    run::Open open(problem, all_of(problem), how, settled, ctx);
    run::Jobs jobs(open, std::move(members), how, ctx);
    if (Status done = jobs.run(); !done) return done;
    return open.give_up_all(jobs.reason());
  }

  Options options = run::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source stop;
  run::Settings how;
  Status settling = Ok{};  // what the caller says to each answer
  std::map<std::size_t, Verdict> verdicts;
  std::map<std::size_t, std::string> methods;
  run::OnSettled settled = [this](std::size_t property, const check::Certified& outcome,
                                  std::string_view by) {
    EXPECT_TRUE(verdicts.emplace(property, outcome.verdict()).second) << property << " twice";
    methods[property] = by;
    return settling;
  };
};

}  // namespace lem::test
