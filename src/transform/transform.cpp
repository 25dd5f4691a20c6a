#include "transform/transform.h"

#include <array>
#include <string>
#include <utility>

#include "transform/passes.h"

namespace lem {

std::span<const TransformInfo> all_transforms() {
  static constexpr std::array kTransforms = {
      TransformInfo{"coi", "cone of influence, constant folding, structural hashing [Brummayer06]",
                    apply_coi},
      TransformInfo{"ternary", "constant latches by ternary simulation [Seger95]", apply_ternary},
      TransformInfo{"latches", "equivalent latches by induction [Eijk00]", apply_latch_sweep},
      TransformInfo{"sweep", "equivalent signals by induction [Eijk00]", apply_sweep},
      TransformInfo{"fold", "constraints as a latch instead", apply_fold},
      TransformInfo{"unroll", "violations seen one step before [Bradley11]", apply_unroll},
  };
  return kTransforms;
}

std::span<const OptionRow> transform_options() {
  static constexpr std::array kRows = {
      OptionRow::toggle("transform.coi", true, "cone of influence and structural hashing"),
      OptionRow::toggle("transform.ternary", true, "constant latches by ternary simulation"),
      OptionRow::toggle("transform.latches", true, "merge equivalent latches [Eijk00]"),
      OptionRow::toggle("transform.sweep", true, "merge equivalent signals [Eijk00]"),
      OptionRow::number(
          "transform.sweep-ms", 500, 0, 3'600'000,
          "processor milliseconds for each of latches and sweep; unfinished work is dropped"),
      OptionRow::number("transform.sweep-conflicts", 100, 1, 1'000'000,
                        "conflicts per query of latches and sweep"),
      OptionRow::toggle("transform.fold", false, "turn constraints into a latch"),
      OptionRow::toggle("transform.unroll", false, "see violations one step before [Bradley11]"),
  };
  return kRows;
}

static bool smaller(const Aig& now, const Aig& before) {
  return now.num_latches() < before.num_latches() || now.num_ands() < before.num_ands();
}

Pipeline::Pipeline(const Problem& original, const Context& ctx) : problem_(original) {
  auto run = [&](const TransformInfo& transform) {
    std::string option = "transform." + std::string(transform.id);
    if (ctx.stopped() || !ctx.options.on(option)) return false;
    TimerScope timing(ctx.stats.timer(option));
    Transformed result = transform.apply(problem_, ctx);
    const Aig& before = problem_.aig;
    const Aig& after = result.problem.aig;
    bool reduced = smaller(after, before);
    if (reduced) {
      ctx.stats.counter(option + ".latches-removed") += before.num_latches() - after.num_latches();
      ctx.stats.counter(option + ".gates-removed") += before.num_ands() - after.num_ands();
    }
    problem_ = std::move(result.problem);
    steps_.push_back(std::move(result.back));
    return reduced;
  };
  std::span<const TransformInfo> all = all_transforms();
  const TransformInfo& coi = all.front();
  for (const TransformInfo& transform : all) {
    bool reduced = run(transform);
    bool doubled = transform.id == "unroll" && ctx.options.on("transform.unroll");
    if ((reduced && transform.id != coi.id) || doubled) run(coi);
  }
  ctx.stats.counter("transform.latches-before") += original.aig.num_latches();
  ctx.stats.counter("transform.latches-after") += problem_.aig.num_latches();
  ctx.stats.counter("transform.gates-before") += original.aig.num_ands();
  ctx.stats.counter("transform.gates-after") += problem_.aig.num_ands();
}

Verdict Pipeline::back(Verdict verdict) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (auto* safe = std::get_if<Safe>(&verdict)) {
      std::optional<Certificate> carried = (*step)->certificate(std::move(safe->certificate));
      if (!carried) return Unknown{Reason::GaveUp};
      safe->certificate = *std::move(carried);
    }
    if (auto* unsafe = std::get_if<Unsafe>(&verdict))
      unsafe->trace = (*step)->trace(std::move(unsafe->trace));
  }
  return verdict;
}

}  // namespace lem
