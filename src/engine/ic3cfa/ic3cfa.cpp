#include "engine/ic3cfa/ic3cfa.h"

#include "engine/ic3cfa/nondeterminism.h"
#include "engine/ic3cfa/presets.h"

namespace lem {

namespace {

class Ic3cfa final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return verdict_of(search_cfa(problem.cfa(), Ic3cfaConfig(ctx.options), ctx));
  }
};

}  // namespace

const EngineInfo kIc3cfaInfo = {
    "ic3cfa",
    "IC3 on control-flow automata",
    "[Lange18]",
    kIc3cfaOptions,
    kIc3cfaPresets,
    Rung::Program,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ic3cfa>(); }};

}  // namespace lem
