// Constraint folding: with H = "all constraints held before now" as a latch (reset 1, next H & C),
// bad becomes bad & H & C and the constraints are removed. Back-translation replaces H by true:
// evidence is checked only at steps where all constraints hold, now and before.
#include "model/latch_name.h"
#include "transform/bits/rebuild.h"
#include "transform/passes.h"

namespace lem::transform {

/// Back-translation maps H and every conjunction of constraints to true, the new bad to the old
/// one.
Transformed apply_fold(const Problem& problem, const Context& /*ctx*/) {
  const Aig& old = problem.aig();
  AigBuilder builder;
  Origins origins;
  std::vector<AigLit> image(1, kAigFalse);
  auto keep = [&](AigLit lit) {
    origins.signal.push_back(AigLit(static_cast<std::uint32_t>(image.size()), false));
    image.push_back(lit);
  };
  origins.signal.push_back(kAigFalse);
  origins.idle_inputs.assign(old.num_inputs(), false);
  for (std::uint32_t i = 0; i < old.num_inputs(); ++i) keep(builder.add_input());
  for (const Latch& latch : old.latches()) keep(builder.add_latch(latch.reset));
  AigLit held = kAigTrue;
  if (!old.constraints().empty()) {
    held = builder.add_latch(Reset::One);
    origins.signal.push_back(kAigTrue);
  }
  auto of = [&](AigLit lit) { return image[lit.var()] ^ lit.negative(); };
  for (const AndGate& gate : old.ands()) keep(builder.raw_and(of(gate.left), of(gate.right)));
  for (std::uint32_t i = 0; i < old.num_latches(); ++i)
    builder.set_next(image[old.first_latch() + i], of(old.latches()[i].next));

  AigLit still_held = held;
  for (AigLit constraint : old.constraints()) {
    still_held = builder.raw_and(still_held, of(constraint));
    origins.signal.push_back(kAigTrue);
  }
  Property property = problem.property();
  AigLit bad = of(property.bad());
  if (!old.constraints().empty()) {
    builder.set_next(held, still_held);
    bad = builder.raw_and(bad, still_held);
    origins.signal.push_back(property.bad());
  }
  property.target = bad;
  SourceMap source{problem.source.file, problem.source.format, {}, latch_names(problem), {}, {}};
  if (!old.constraints().empty()) source.latch_names.emplace_back("held");
  return {{std::move(builder).freeze(), {property}, std::move(source)},
          make_renaming(old, std::move(origins))};
}

}  // namespace lem::transform
