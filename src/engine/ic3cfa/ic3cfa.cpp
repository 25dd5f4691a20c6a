#include "engine/ic3cfa/ic3cfa.h"

#include "engine/ic3cfa/nondeterminism.h"
#include "engine/ic3cfa/presets.h"

namespace lem {

namespace {

class Ic3cfa final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    CfaAnswer answer = search_cfa(problem.cfa(), Ic3cfaConfig(ctx.options), ctx);
    if (auto* invariants = std::get_if<LocationInvariants>(&answer))
      return Safe{std::move(*invariants)};
    if (auto* trace = std::get_if<CfaTrace>(&answer)) return Unsafe{std::move(*trace)};
    return std::get<Unknown>(answer);
  }
};

}  // namespace

const EngineInfo kIc3cfaInfo = {
    "ic3cfa",
    "IC3 on control-flow automata",
    "[Lange18]; 004",
    kIc3cfaOptions,
    kIc3cfaPresets,
    Accepts::Programs,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ic3cfa>(); }};

}  // namespace lem
