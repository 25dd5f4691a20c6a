#include "engine/ctigar/options.h"

#include "engine/ctigar/domain.h"

namespace lem::engine {

CtigarConfig::CtigarConfig(const Options& options)
    : refine(options.get<RefineBy>("ctigar.refine")),
      trigger(options.get<Trigger>("ctigar.trigger")),
      permit(options.get<std::uint32_t>("ctigar.permit")),
      keep_concrete(options.on("ctigar.keep-concrete")),
      lift_concrete(options.on("ctigar.lift-concrete")),
      point(options.get<Point>("ctigar.point")),
      keep(options.get<Keep>("ctigar.predicates")),
      weakest(options.on("ctigar.weakest")),
      effort{.method = options.get<Generalize>("ctigar.generalize"),
             .failures = options.get<std::uint32_t>("ctigar.failures")},
      source(options.get<Source>("ctigar.interpolant")),
      source_ms(options.get<std::uint32_t>("ctigar.interpolant-ms")),
      guards(options.get<std::size_t>("ctigar.guards")),
      pairs(options.get<std::size_t>("ctigar.pairs")),
      karr(options.on("ctigar.karr")),
      karr_ms(options.get<std::uint32_t>("ctigar.karr-ms")),
      invariants(options.get<std::size_t>("ctigar.invariants")),
      hints(options.on("ctigar.hints")),
      mine(options.get<std::size_t>("ctigar.mine")),
      frames{"ctigar.", options.on("ctigar.lazy-steps"), TermFrames::Preimage::Values, false,
             options.get<std::uint32_t>("ctigar.rebuild")} {}

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

}  // namespace lem::engine
