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

CfaExtent extent(const Cfa& cfa) {
  std::size_t size = 0;
  for (const CfaEdge& edge : cfa.edges()) size += size_of(edge.command);
  return {cfa.locations().size(), cfa.edges().size(), cfa.variables().size(), size};
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
  auto limit = ctx.options.get<std::size_t>("transform.block-size");
  LargeBlocks blocks = large_blocks(problem.cfa(), limit);
  return transformed(problem, {std::move(blocks.cfa), std::move(blocks.back)});
}

}  // namespace lem::transform
