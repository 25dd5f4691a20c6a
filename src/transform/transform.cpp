#include "transform/transform.h"

#include <array>
#include <string>
#include <utility>

#include "transform/cfa/preprocess.h"
#include "transform/passes.h"

namespace lem::transform {

std::span<const TransformInfo> all_transforms() {
  static constexpr std::array kTransforms = {
      TransformInfo{"horn-inline", "predicates that do not call themselves, where calls are few",
                    Stage::Horn, apply_horn_inline},
      TransformInfo{"horn-prune", "predicates without a derivation, or without a query above",
                    Stage::Horn, apply_horn_prune},
      TransformInfo{"horn-slice", "arguments that no constraint depends on", Stage::Horn,
                    apply_horn_slice},
      TransformInfo{"cfa-prune", "locations between the initial and the error location alone",
                    Stage::Programs, apply_cfa_prune},
      TransformInfo{"cfa-propagate", "forward propagation of definitions and constants [Lange18]",
                    Stage::Programs, apply_cfa_propagate},
      TransformInfo{"cfa-ranges", "guards that intervals decide [Lange18]", Stage::Programs,
                    apply_cfa_ranges},
      TransformInfo{"cfa-slice", "needed variables, slicing to the property [Lange18]",
                    Stage::Programs, apply_cfa_slice},
      TransformInfo{"cfa-bisimulation", "locations that do the same as one [Lange18]",
                    Stage::Programs, apply_cfa_bisimulation},
      TransformInfo{"cfa-values", "values that comparisons do not tell apart as one", Stage::Blocks,
                    apply_cfa_values},
      TransformInfo{"cfa-blocks", "large-block encoding [Beyer09]", Stage::Blocks,
                    apply_cfa_blocks},
      TransformInfo{"counter", "the program counter as a state like the others", Stage::Counter,
                    apply_program_counter},
      TransformInfo{"definitions", "x' = t in the relations: updates and initial values",
                    Stage::Terms, apply_definitions},
      TransformInfo{"arrays", "arrays with few elements as one variable for each", Stage::Terms,
                    apply_arrays},
      TransformInfo{"constants", "constant and equal states", Stage::Terms, apply_constants},
      TransformInfo{"inputs", "inputs that property and constraint mention as states", Stage::Terms,
                    apply_inputs},
      TransformInfo{"term-coi", "cone of influence of a transition system", Stage::Terms,
                    apply_term_coi},
      TransformInfo{"integers", "words as integers, for engines that work on transition systems",
                    Stage::Integers, apply_integers},
      TransformInfo{"bitblast", "bit-vectors as gates, for engines that work on bits",
                    Stage::Blasting, apply_bitblast},
      TransformInfo{"coi", "cone of influence, constant folding, structural hashing [Brummayer06]",
                    Stage::Bits, apply_coi},
      TransformInfo{"ternary", "constant latches by ternary simulation [Seger95]", Stage::Bits,
                    apply_ternary},
      TransformInfo{"latches", "equivalent latches by induction [Eijk00]", Stage::Bits,
                    apply_latch_sweep},
      TransformInfo{"sweep", "equivalent signals by induction [Eijk00]", Stage::Bits, apply_sweep},
      TransformInfo{"fold", "constraints as a latch instead", Stage::Bits, apply_fold},
      TransformInfo{"unroll", "violations seen one step before [Bradley11]", Stage::Bits,
                    apply_unroll},
      TransformInfo{"lift", "gates as terms, for engines that work on transition systems",
                    Stage::Lifting, apply_lift},
  };
  return kTransforms;
}

std::span<const OptionRow> transform_options() {
  static constexpr std::array kRows = {
      OptionRow::toggle("transform.horn-inline", true,
                        "resolve predicates of Horn clauses away that do not call themselves"),
      OptionRow::toggle("transform.horn-prune", true,
                        "drop predicates that no derivation of a query can use"),
      OptionRow::toggle("transform.horn-slice", true, "drop arguments of predicates [Weiser81]"),
      OptionRow::toggle("transform.cfa-prune", true,
                        "drop locations that are not between the initial and the error location"),
      OptionRow::toggle("transform.cfa-propagate", true,
                        "propagate definitions and constants of programs"),
      OptionRow::toggle("transform.cfa-ranges", true, "decide guards of programs by intervals"),
      OptionRow::toggle("transform.cfa-slice", true, "slice programs to the property"),
      OptionRow::toggle("transform.cfa-bisimulation", true, "merge locations that do the same"),
      OptionRow::toggle("transform.cfa-values", true,
                        "renumber variables that are only copied and compared with constants"),
      OptionRow::number("transform.cfa-rounds", 8, 1, 1000,
                        "turns that the steps on programs take at most"),
      OptionRow::toggle("transform.cfa-blocks", true, "merge edges into large blocks [Beyer09]"),
      OptionRow::number("transform.block-size", 200, 1, 1'000'000,
                        "assignments and guards of a large block"),
      OptionRow::toggle("transform.definitions", true, "updates and initial values from relations"),
      OptionRow::toggle("transform.arrays", true, "expand arrays with few elements"),
      OptionRow::number("transform.array-limit", 64, 1, 65536, "elements of an expanded array"),
      OptionRow::toggle("transform.constants", true, "propagate constant and equal states"),
      OptionRow::toggle("transform.inputs", false,
                        "turn inputs that property and constraint mention into states"),
      OptionRow::toggle("transform.term-coi", true, "cone of influence of a transition system"),
      OptionRow::choice("transform.integers", Integers::Off,
                        "encode words as integers for engines on transition systems; exact: if no "
                        "operator is left without meaning"),
      OptionRow::toggle("transform.coi", true, "cone of influence and structural hashing"),
      OptionRow::toggle("transform.ternary", true, "constant latches by ternary simulation"),
      OptionRow::toggle("transform.latches", true, "merge equivalent latches [Eijk00]"),
      OptionRow::toggle("transform.sweep", true, "merge equivalent signals [Eijk00]"),
      OptionRow::number(
          "transform.sweep-ms", 500, 0, 3'600'000,
          "processor milliseconds for each of latches and sweep; unfinished work is dropped"),
      OptionRow::toggle("transform.fold", false, "turn constraints into a latch"),
      OptionRow::toggle("transform.unroll", false, "see violations one step before [Bradley11]"),
  };
  return kRows;
}

static bool enabled(const TransformInfo& transform, const Context& ctx) {
  return !ctx.stopped() && ctx.options.on("transform." + std::string(transform.id));
}

void Pipeline::run(const TransformInfo& transform, const Context& ctx) {
  TimerScope timing(ctx.stats.timer("transform." + std::string(transform.id)));
  Transformed result = transform.apply(problem_, ctx);
  problem_ = std::move(result.problem);
  steps_.push_back(std::move(result.back));
}

/// Mandatory stages, not controlled by options: the engine needs them.
void Pipeline::run_stage(Stage stage, const Context& ctx) {
  for (const TransformInfo& transform : all_transforms())
    if (transform.stage == stage) run(transform, ctx);
}

/// Whether the AIG became smaller.
bool Pipeline::run_on_bits(const TransformInfo& transform, const Context& ctx) {
  if (!enabled(transform, ctx)) return false;
  std::uint32_t latches = problem_.aig().num_latches();
  std::uint32_t gates = problem_.aig().num_ands();
  run(transform, ctx);
  const Aig& after = problem_.aig();
  if (after.num_latches() >= latches && after.num_ands() >= gates) return false;
  std::string option = "transform." + std::string(transform.id);
  ctx.stats.counter(option + ".latches-removed") += latches - after.num_latches();
  ctx.stats.counter(option + ".gates-removed") += gates - after.num_ands();
  return true;
}

void Pipeline::run_horn(const Context& ctx) {
  ctx.stats.counter("transform.clauses-before") += problem_.horn().clauses.size();
  for (const TransformInfo& transform : all_transforms())
    if (transform.stage == Stage::Horn && enabled(transform, ctx)) run(transform, ctx);
  ctx.stats.counter("transform.clauses-after") += problem_.horn().clauses.size();
}

/// Repeats the steps until none changes anything.
void Pipeline::run_programs(const Context& ctx) {
  ctx.stats.counter("transform.locations-before") += problem_.cfa().locations().size();
  ctx.stats.counter("transform.variables-before") += problem_.cfa().variables().size();
  for (std::int64_t round = 0; round < ctx.options.get("transform.cfa-rounds"); ++round) {
    CfaExtent before = extent(problem_.cfa());
    for (const TransformInfo& transform : all_transforms())
      if (transform.stage == Stage::Programs && enabled(transform, ctx)) run(transform, ctx);
    if (extent(problem_.cfa()) == before) break;
  }
  for (const TransformInfo& transform : all_transforms())
    if (transform.stage == Stage::Blocks && enabled(transform, ctx)) run(transform, ctx);
  ctx.stats.counter("transform.locations-after") += problem_.cfa().locations().size();
  ctx.stats.counter("transform.variables-after") += problem_.cfa().variables().size();
}

void Pipeline::run_terms(const Context& ctx) {
  std::size_t before = problem_.system().states().size();
  for (const TransformInfo& transform : all_transforms())
    if (transform.stage == Stage::Terms && enabled(transform, ctx)) run(transform, ctx);
  ctx.stats.counter("transform.states-before") += before;
  ctx.stats.counter("transform.states-after") += problem_.system().states().size();
}

void Pipeline::run_integers(const Context& ctx) {
  for (const TransformInfo& transform : all_transforms())
    if (transform.stage == Stage::Integers && enabled(transform, ctx)) run(transform, ctx);
}

void Pipeline::run_bits(const Context& ctx) {
  ctx.stats.counter("transform.latches-before") += problem_.aig().num_latches();
  ctx.stats.counter("transform.gates-before") += problem_.aig().num_ands();
  const TransformInfo* coi = nullptr;
  for (const TransformInfo& transform : all_transforms()) {
    if (transform.stage != Stage::Bits) continue;
    if (coi == nullptr) coi = &transform;
    // Its facts mention inputs; invariants of locations must not.
    if (transform.id == "sweep" && from_program_) continue;
    bool reduced = run_on_bits(transform, ctx);
    bool doubled = transform.id == "unroll" && enabled(transform, ctx);
    if ((reduced && &transform != coi) || doubled) run_on_bits(*coi, ctx);
  }
  ctx.stats.counter("transform.latches-after") += problem_.aig().num_latches();
  ctx.stats.counter("transform.gates-after") += problem_.aig().num_ands();
}

Pipeline::Pipeline(const Problem& original, const Context& ctx, Rungs targets)
    : problem_(original), from_program_(original.is_program()) {
  if (problem_.is_horn()) {
    if (!targets.has(Rung::Horn))
      obstacle_ = "the model has nonlinear Horn clauses";
    else
      run_horn(ctx);
    return;
  }
  if (targets == Rung::Horn) {
    obstacle_ = "the model has no predicates";
    return;
  }
  if (targets == Rung::Program && !problem_.is_program()) {
    obstacle_ = "the model has no control flow";
    return;
  }
  if (problem_.is_program()) {
    run_programs(ctx);
    if (targets.has(Rung::Program)) return;
    run_stage(Stage::Counter, ctx);
  }
  if (problem_.is_terms()) run_terms(ctx);
  if (problem_.is_terms() && !targets.has(Rung::Terms) && !ctx.stopped()) {
    obstacle_ = why_no_bits(problem_);
    if (!obstacle_.empty()) return;
    run_stage(Stage::Blasting, ctx);
  }
  // Not for the portfolio, which takes every model: its members choose for themselves.
  if (problem_.is_terms() && targets != Rungs::all()) run_integers(ctx);
  if (problem_.is_bits()) run_bits(ctx);
  if (problem_.is_bits() && !targets.has(Rung::Bits)) run_stage(Stage::Lifting, ctx);
}

Verdict Pipeline::back(Verdict verdict) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (auto* safe = std::get_if<Safe>(&verdict)) {
      std::optional<Certificate> carried = (*step)->certificate(std::move(safe->certificate));
      if (!carried) return Unknown{Reason::GaveUp};
      safe->certificate = *std::move(carried);
    }
    if (auto* unsafe = std::get_if<Unsafe>(&verdict)) {
      std::optional<Run> carried = (*step)->run(std::move(unsafe->run));
      if (!carried) return Unknown{Reason::GaveUp};
      unsafe->run = *std::move(carried);
    }
  }
  return verdict;
}

}  // namespace lem::transform
