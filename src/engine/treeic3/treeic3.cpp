#include "engine/treeic3/treeic3.h"

#include "engine/treeic3/presets.h"
#include "engine/treeic3/search.h"

namespace lem {

namespace {

class TreeIc3Engine final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return verdict_of(TreeIc3(problem.cfa(), TreeIc3Config(ctx.options), ctx).run());
  }
};

}  // namespace

const EngineInfo kTreeIc3Info = {
    "treeic3", "IC3 along the paths of an abstract reachability tree",
    "[Cimatti12] [Cimatti14] [Lange18]", kTreeIc3Options, kTreeIc3Presets, Rung::Program,
    []() -> std::unique_ptr<Engine> { return std::make_unique<TreeIc3Engine>(); },
    // A tree with a node for each way through a loop's body grows too fast, and one block is a
    // query of a few milliseconds.
    "transform.block-size=5000"};

}  // namespace lem
