// What the pipeline makes of an automaton, in the form that tests of single steps use.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string_view>

#include "transform/cfa/reduction.h"
#include "transform/transform.h"

namespace lem::test {

/// The way back of a whole pipeline over automata.
class PipelineBack final : public transform::CfaBackTranslator {
 public:
  explicit PipelineBack(std::unique_ptr<transform::Pipeline> pipeline)
      : pipeline_(std::move(pipeline)) {}

  std::optional<CfaTrace> trace(const CfaTrace& run) const override {
    Verdict verdict = pipeline_->back(Unsafe{run});
    const auto* unsafe = std::get_if<Unsafe>(&verdict);
    return unsafe == nullptr ? std::nullopt : std::optional(std::get<CfaTrace>(unsafe->run));
  }
  LocationInvariants invariants(const LocationInvariants& claim) const override {
    Verdict verdict = pipeline_->back(Safe{claim});
    return certificate_as<LocationInvariants>(verdict);
  }

 private:
  std::unique_ptr<transform::Pipeline> pipeline_;
};

/// `settings`: "transform.cfa-values=off,...", empty for the defaults.
inline transform::Reduction preprocessed(const Cfa& cfa, std::string_view settings = {}) {
  Options options;
  options.declare(transform::transform_options());
  EXPECT_TRUE(options.set_all(settings).ok()) << settings;
  Stats stats;
  Log log;
  Progress progress;
  Problem problem{cfa, {{"error", ErrorLocation{}}}, {}};
  auto pipeline = std::make_unique<transform::Pipeline>(
      problem, Context{options, stats, log, progress, {}}, Rung::Program);
  Cfa reduced = pipeline->problem().cfa();
  return {std::move(reduced), std::make_unique<PipelineBack>(std::move(pipeline))};
}

}  // namespace lem::test
