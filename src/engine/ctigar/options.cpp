#include "engine/ctigar/options.h"

#include "engine/ctigar/domain.h"

namespace lem {

CtigarConfig::CtigarConfig(const Options& options)
    : refine(static_cast<RefineBy>(options.get("ctigar.refine"))),
      trigger(static_cast<Trigger>(options.get("ctigar.trigger"))),
      permit(static_cast<std::uint32_t>(options.get("ctigar.permit"))),
      keep_concrete(options.on("ctigar.keep-concrete")),
      lift_concrete(options.on("ctigar.lift-concrete")),
      point(static_cast<Point>(options.get("ctigar.point"))),
      keep(static_cast<Keep>(options.get("ctigar.predicates"))),
      weakest(options.on("ctigar.weakest")),
      effort(term_effort(options.get("ctigar.generalize"), options.get("ctigar.failures"))),
      source(static_cast<Source>(options.get("ctigar.interpolant"))),
      source_ms(static_cast<std::uint32_t>(options.get("ctigar.interpolant-ms"))),
      guards(static_cast<std::size_t>(options.get("ctigar.guards"))),
      pairs(static_cast<std::size_t>(options.get("ctigar.pairs"))),
      karr(options.on("ctigar.karr")),
      karr_ms(static_cast<std::uint32_t>(options.get("ctigar.karr-ms"))),
      invariants(static_cast<std::size_t>(options.get("ctigar.invariants"))),
      hints(options.on("ctigar.hints")),
      mine(static_cast<std::size_t>(options.get("ctigar.mine"))),
      frames{"ctigar.", options.on("ctigar.lazy-steps"), TermFrames::Preimage::Values, false,
             static_cast<std::uint32_t>(options.get("ctigar.rebuild"))} {}

SeedSettings CtigarConfig::seeds(const Domain& domain) const {
  SeedSettings settings;
  settings.engine = "ctigar";
  settings.sources = {SeedSource::Init, SeedSource::Bad, SeedSource::BoolStates};
  if (hints) settings.sources.push_back(SeedSource::Hints);
  settings.sources.push_back(SeedSource::Conditions);
  settings.sources.push_back(SeedSource::Pairs);
  settings.conditions = guards;
  settings.pairs = pairs;
  if (karr)
    settings.karr = SeedSettings::Karr{
        .timer = "karr", .equations = true, .invariants = invariants, .milliseconds = karr_ms};
  settings.predicates_of = [&domain](Term formula) { return domain.parts(formula); };
  return settings;
}

}  // namespace lem
