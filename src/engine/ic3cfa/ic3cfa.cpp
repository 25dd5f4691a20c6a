#include "engine/ic3cfa/ic3cfa.h"

#include <array>

#include "engine/ic3cfa/search.h"

namespace lem {

namespace {

constexpr std::array kOptions = {
    OptionRow::toggle("ic3cfa.propagate", true, "push lemmas to the next level of their location"),
};

class Ic3cfa final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    Ic3cfaConfig config;
    config.propagate = ctx.options.on("ic3cfa.propagate");
    CfaAnswer answer = Ic3cfaSearch(problem.cfa(), config, ctx).run();
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
    "004",
    kOptions,
    {},
    Accepts::Programs,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ic3cfa>(); }};

}  // namespace lem
