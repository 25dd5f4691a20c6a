#include "engine/ctigar/options.h"

#include "engine/ctigar/domain.h"

namespace lem::engine {

SeedSettings CtigarConfig::seeds(const Domain& domain) const {
  SeedSettings settings;
  settings.engine = "ctigar";
  settings.sources = {SeedSource::Init, SeedSource::Bad, SeedSource::BoolStates};
  settings.sources.push_back(SeedSource::Hints);
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
