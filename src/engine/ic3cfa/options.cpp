#include "engine/ic3cfa/options.h"

namespace lem::engine {

Ic3cfaConfig::Ic3cfaConfig(const Options& options) {
  auto number = [&](std::string_view name) { return options.get<std::uint32_t>(name); };
  generalize = options.get<Generalize>("ic3cfa.generalize");
  edges = options.get<Edges>("ic3cfa.edges");
  check = options.get<Check>("ic3cfa.check");
  order = options.get<Order>("ic3cfa.order");
  seed = number("ic3cfa.seed");
  reuse = options.on("ic3cfa.reuse");
  requeue = options.on("ic3cfa.requeue");
  immediate = options.on("ic3cfa.immediate");
  split = number("ic3cfa.split");
  wep_inductivity = options.on("ic3cfa.wep");
  dont_care = options.on("ic3cfa.dont-care");
  assumed = options.on("ic3cfa.assumed");
  pre_cubes = options.on("ic3cfa.pre-cubes");
  contexts = number("ic3cfa.contexts");
  lower_bounds = options.on("ic3cfa.lower-bounds");
  extended = options.on("ic3cfa.extended");
  interpolate = options.get<Interpolate>("ic3cfa.interpolate");
  interpolant_ms = number("ic3cfa.interpolant-ms");
  interpolant_cache = number("ic3cfa.interpolant-cache");
  semantic_blocking = options.on("ic3cfa.semantic-blocking");
  core = options.on("ic3cfa.core");
  weaken = number("ic3cfa.weaken");
  relate = number("ic3cfa.relate");
  push = options.on("ic3cfa.push");
  propagate = options.get<Propagate>("ic3cfa.propagate");
  coverage = options.on("ic3cfa.coverage");
  query_cache = number("ic3cfa.query-cache");
  critical_ms = number("ic3cfa.critical-ms");
  optional_ms = number("ic3cfa.optional-ms");
  nondeterminism = options.get<Nondeterminism>("ic3cfa.nondeterminism");
}

}  // namespace lem::engine
