#include "transform/cfa/preprocess.h"

#include <utility>

#include "transform/cfa/bisimulation.h"
#include "transform/cfa/large_blocks.h"
#include "transform/cfa/propagate.h"
#include "transform/cfa/prune.h"
#include "transform/cfa/ranges.h"
#include "transform/cfa/slice.h"
#include "transform/cfa/values.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

class Composed final : public CfaBackTranslator {
 public:
  void add(std::unique_ptr<CfaBackTranslator> step) { steps_.push_back(std::move(step)); }

  LocationInvariants invariants(const LocationInvariants& claim) const override {
    LocationInvariants result = claim;
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
      result = (*step)->invariants(result);
    return result;
  }
  std::optional<CfaTrace> trace(const CfaTrace& run) const override {
    std::optional<CfaTrace> result = run;
    for (auto step = steps_.rbegin(); result && step != steps_.rend(); ++step)
      result = (*step)->trace(*result);
    return result;
  }

 private:
  std::vector<std::unique_ptr<CfaBackTranslator>> steps_;
};

class Turns {
 public:
  Turns(const Cfa& cfa, const PreprocessOptions& options)
      : options_(options), cfa_(cfa), back_(std::make_unique<Composed>()) {}

  Reduction run() {
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      CfaExtent before = extent(cfa_);
      if (options_.prune) take(prune(cfa_), "prune");
      if (options_.propagate) take(propagate(cfa_), "propagate");
      if (options_.ranges) take(ranges(cfa_), "ranges");
      if (options_.slice) take(slice(cfa_), "slice");
      if (options_.bisimulation) take(bisimulation(cfa_), "bisimulation");
      if (extent(cfa_) == before) break;
    }
    if (options_.values) take(values(cfa_), "values");
    if (options_.block_size > 0) {
      LargeBlocks blocks = large_blocks(cfa_, options_.block_size);
      take({std::move(blocks.cfa), std::move(blocks.back)}, "blocks");
    }
    return {std::move(cfa_), std::move(back_)};
  }

 private:
  void take(Reduction step, std::string_view name) {
    cfa_ = std::move(step.cfa);
    back_->add(std::move(step.back));
    if (options_.observe) options_.observe(name, cfa_);
  }

  const PreprocessOptions& options_;
  Cfa cfa_;
  std::unique_ptr<Composed> back_;
};

}  // namespace

CfaExtent extent(const Cfa& cfa) {
  std::size_t size = 0;
  for (const CfaEdge& edge : cfa.edges()) size += size_of(edge.command);
  return {cfa.locations().size(), cfa.edges().size(), cfa.variables().size(), size};
}

Reduction preprocess(const Cfa& cfa, const PreprocessOptions& options) {
  return Turns(cfa, options).run();
}

static Transformed transformed(const Problem& problem, Reduction reduction) {
  Problem result{std::move(reduction.cfa), problem.properties, problem.source};
  return {std::move(result), std::move(reduction.back)};
}

Transformed apply_cfa_prune(const Problem& problem, const Context& /*ctx*/) {
  return transformed(problem, prune(problem.cfa()));
}

Transformed apply_cfa_propagate(const Problem& problem, const Context& /*ctx*/) {
  return transformed(problem, propagate(problem.cfa()));
}

Transformed apply_cfa_ranges(const Problem& problem, const Context& /*ctx*/) {
  return transformed(problem, ranges(problem.cfa()));
}

Transformed apply_cfa_slice(const Problem& problem, const Context& /*ctx*/) {
  return transformed(problem, slice(problem.cfa()));
}

Transformed apply_cfa_bisimulation(const Problem& problem, const Context& /*ctx*/) {
  return transformed(problem, bisimulation(problem.cfa()));
}

Transformed apply_cfa_values(const Problem& problem, const Context& /*ctx*/) {
  return transformed(problem, values(problem.cfa()));
}

Transformed apply_cfa_blocks(const Problem& problem, const Context& ctx) {
  auto limit = static_cast<std::size_t>(ctx.options.get("transform.block-size"));
  LargeBlocks blocks = large_blocks(problem.cfa(), limit);
  return transformed(problem, {std::move(blocks.cfa), std::move(blocks.back)});
}

}  // namespace lem::transform
