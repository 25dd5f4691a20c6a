#include "run/selection.h"

#include <array>
#include <vector>

#include "smt/solvers.h"
#include "transform/transform.h"

namespace lem::run {

std::span<const OptionRow> auto_options() {
  static constexpr std::array kRows = {
      OptionRow::number("portfolio.workers", 0, 0, 256,
                        "workers that run at the same time, 0 for one per core"),
      OptionRow::number("portfolio.memory", 1800, 0, 1'000'000,
                        "MB that all workers may hold together, 0 for no limit"),
      OptionRow::toggle("portfolio.slice", true,
                        "prove a program by the part that its property depends on, if that will "
                        "do [Weiser81]"),
      OptionRow::toggle("portfolio.share", false,
                        "workers and tasks of one run share lemmas (ic3.lemmas)"),
  };
  return kRows;
}

static std::vector<Selectable> list_selectable() {
  std::vector<Selectable> all;
  for (const engine::EngineInfo& engine : engine::all_engines())
    all.push_back({engine.id, engine.help, engine.paper, engine.options, engine.presets,
                   engine.accepts, engine.settings, &engine});
  for (const LiveInfo& live : all_live())
    all.push_back({live.id,
                   live.help,
                   live.paper,
                   live.options,
                   live.presets,
                   Rungs{Rung::Bits, Rung::Terms},
                   {},
                   nullptr,
                   &live});
  all.push_back({"auto",
                 "several engines in worker processes, chosen for the model; the first certified "
                 "answer wins (default)",
                 {},
                 auto_options(),
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
  for (const LiveInfo& live : all_live()) options.declare(live.options);
  options.declare(auto_options());
  options.declare(smt::kSolverOptions);
  return options;
}

}  // namespace lem::run
