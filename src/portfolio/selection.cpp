#include "portfolio/selection.h"

#include <vector>

#include "portfolio/portfolio.h"
#include "smt/solvers.h"
#include "transform/transform.h"

namespace lem::portfolio {

static std::vector<Selectable> list_selectable() {
  std::vector<Selectable> all;
  for (const engine::EngineInfo& engine : engine::all_engines())
    all.push_back({engine.id, engine.help, engine.paper, engine.options, engine.presets,
                   engine.accepts, engine.settings, &engine});
  all.push_back({"portfolio",
                 "several engines in worker processes, the first certified answer wins",
                 {},
                 portfolio_options(),
                 {},
                 Rungs::all(),
                 {},
                 nullptr});
  all.push_back({"auto",
                 "the portfolio that suits the model (default)",
                 {},
                 portfolio_options(),
                 {},
                 Rungs::all(),
                 {},
                 nullptr});
  return all;
}

std::span<const Selectable> all_selectable() {
  static const std::vector<Selectable> all = list_selectable();
  return all;
}

const Selectable* find_selectable(std::string_view id) {
  for (const Selectable& each : all_selectable())
    if (each.id == id) return &each;
  return nullptr;
}

Options declared_options() {
  Options options;
  options.declare(transform::transform_options());
  for (const engine::EngineInfo& engine : engine::all_engines()) options.declare(engine.options);
  options.declare(portfolio_options());
  options.declare(smt::kSolverOptions);
  return options;
}

}  // namespace lem::portfolio
