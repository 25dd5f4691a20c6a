#include "portfolio/prove.h"

#include <fmt/format.h>

#include <cassert>
#include <string>

#include "portfolio/portfolio.h"
#include "portfolio/referee.h"
#include "transform/passes.h"
#include "transform/transform.h"

namespace lem::portfolio {

static Error does_not_fit(const Problem& problem, const Selectable& selected,
                          const std::string& why) {
  std::string works = selected.accepts == Rung::Program ? "programs" : "bits";
  return {{problem.source.file},
          "engine '" + std::string(selected.id) + "' works on " + works + ": " + why,
          ErrorKind::Usage};
}

static std::string sizes(const Problem& original, const Problem& transformed) {
  auto size = [](const Problem& problem) {
    if (problem.is_program())
      return fmt::format("{} locations, {} edges, {} variables", problem.cfa().locations().size(),
                         problem.cfa().edges().size(), problem.cfa().variables().size());
    if (problem.is_terms())
      return fmt::format("{} inputs, {} states", problem.system().inputs().size(),
                         problem.system().states().size());
    const Aig& aig = problem.aig();
    return fmt::format("{} inputs, {} latches, {} gates", aig.num_inputs(), aig.num_latches(),
                       aig.num_ands());
  };
  return size(original) + "; after transforms " + size(transformed);
}

Status check_fits(const Problem& problem, std::span<const std::size_t> properties,
                  const Selectable& selected, const Context& ctx) {
  bool lowered = selected.accepts == Rung::Bits && problem.is_terms();
  if (!lowered || properties.size() < 2 || transform::why_no_bits(problem).empty()) return Ok{};
  Stats apart;
  Context quiet{ctx.options, apart, ctx.log, ctx.progress, ctx.stop};
  for (std::size_t property : properties) {
    transform::Pipeline pipeline(focus(problem, property), quiet, Rung::Bits);
    if (!pipeline.obstacle().empty()) return does_not_fit(problem, selected, pipeline.obstacle());
  }
  return Ok{};
}

static constexpr std::string_view kNoBlocks =
    "transform.cfa-blocks=off,transform.cfa-bisimulation=off";

Result<Decision> prove(const Problem& original, const Selectable& selected,
                       const ProveOptions& options, const Context& ctx) {
  // The members of a portfolio differ in whether they take programs in blocks.
  Options common = ctx.options;
  bool several = selected.engine == nullptr && original.is_program();
  [[maybe_unused]] Status set = common.set_all(several ? kNoBlocks : "");
  assert(set.ok() && "transforms have these options");
  Context first{common, ctx.stats, ctx.log, ctx.progress, ctx.stop};
  transform::Pipeline pipeline(original, first, selected.accepts);
  // A run that is stopped here has not brought the model to where the engine takes it.
  if (ctx.stopped()) return Decision{check::trust_unchecked(Unknown{Reason::Stopped}), {}};
  if (!pipeline.obstacle().empty()) return does_not_fit(original, selected, pipeline.obstacle());
  ctx.log.info(
      [&] { return original.property().name + ": " + sizes(original, pipeline.problem()); });
  Referee referee(original, pipeline, ctx, options.native);
  Judge* judge = options.certify == Certify::Yes ? &referee : nullptr;
  Answer answer = selected.engine != nullptr
                      ? Answer{selected.engine->make()->check(pipeline.problem(), ctx),
                               std::string(selected.id)}
                      : run_portfolio(pipeline.problem(), judge, ctx, options.growth);
  if (options.certify == Certify::No) {
    Verdict verdict = pipeline.back(std::move(answer.verdict));
    return Decision{check::trust_unchecked(std::move(verdict)), std::move(answer.engine)};
  }
  Result<check::Certified> outcome = referee.rule(answer.verdict);
  if (!outcome) return outcome.error();
  return Decision{*std::move(outcome), std::move(answer.engine)};
}

}  // namespace lem::portfolio
