// The switches of IC3+IA.
#pragma once

#include <array>

#include "base/options.h"
#include "engine/parts/terms/generalize_option.h"
#include "engine/parts/terms/interpolant_sources.h"
#include "engine/parts/terms/seeds/seeds.h"

namespace lem::engine {

struct Ic3iaConfig {
  explicit Ic3iaConfig(const Options& all) : options(all) {}
  const Options& options;

  /// Initial predicates: those of Init and the property [Cimatti14 Fig. 2, line 1], and on request
  /// more. Borrows the store.
  SeedSettings seeds(TermStore& terms) const {
    SeedSettings settings;
    settings.engine = "ic3ia";
    settings.sources = {SeedSource::Bad, SeedSource::Init};
    if (hints) settings.sources.push_back(SeedSource::Hints);
    if (seed_bounds) settings.sources.push_back(SeedSource::Bounds);
    if (seed_equalities) settings.sources.push_back(SeedSource::Equalities);
    if (seed_affine) settings.sources.push_back(SeedSource::Samples);
    settings.random = seed;
    if (invariants > 0)
      settings.karr = SeedSettings::Karr{.timer = "invariants",
                                         .invariants = invariants,
                                         .milliseconds = invariants_ms,
                                         .conditions = 60};
    settings.predicates_of = [&terms](Term formula) { return atoms_of(terms, formula); };
    return settings;
  }

  enum class Encoding : std::uint8_t { Labels, Eq };
  friend constexpr std::string_view words(Encoding) { return "labels|eq"; }
  Effort effort{.method = options.get<Generalize>("ic3ia.generalize"),
                .failures = options.get<std::uint32_t>("ic3ia.failures")};
  bool minimize = options.on("ic3ia.minimize");
  Encoding encoding = options.get<Encoding>("ic3ia.encoding");
  bool lazy_steps = options.on("ic3ia.lazy-steps");
  bool commands_first = options.on("ic3ia.commands-first");
  bool path_core = options.on("ic3ia.path-core");
  Source source = options.get<Source>("ic3ia.interpolant");
  std::uint32_t source_ms = 1000;  // for one source of interpolants
  std::uint32_t seed = options.get<std::uint32_t>("ic3ia.seed");
  bool seed_bounds = options.on("ic3ia.seed-bounds");
  bool seed_equalities = options.on("ic3ia.seed-equalities");
  bool seed_affine = options.on("ic3ia.seed-affine");
  bool hints = options.on("ic3ia.hints");
  std::size_t invariants = options.get<std::size_t>("ic3ia.invariants");
  std::uint32_t invariants_ms = 4000;  // a quarter more for a second try without bounds
};

inline constexpr std::array kIc3iaOptions = {
    OptionRow::choice("ic3ia.generalize", Generalize::Down,
                      "how cubes of predicates are shrunk [Bradley11, Hassan13]", kTermMethods),
    OptionRow::number("ic3ia.failures", 0, 0, 1000, kFailuresHelp),
    OptionRow::toggle("ic3ia.minimize", true,
                      "keep only the new predicates of an unsat core [Cimatti14 5.1]"),
    OptionRow::choice(
        "ic3ia.encoding", Ic3iaConfig::Encoding::Labels,
        "abstract steps by labels of predicates, or by two copies of the states under "
        "EQ as printed [Cimatti14 formula 3]"),
    OptionRow::toggle("ic3ia.lazy-steps", true,
                      "assert the equation of a next value when a predicate mentions it"),
    OptionRow::choice("ic3ia.interpolant", Source::All,
                      "where new predicates come from; all: in the order that suits the theory"),
    OptionRow::toggle("ic3ia.path-core", true,
                      "interpolate the unsat core of a spurious path instead of all of it"),
    OptionRow::toggle("ic3ia.commands-first", false,
                      "interpolate the commands of a spurious path without its cubes, if possible"),
    OptionRow::number("ic3ia.invariants", 0, 0, 100'000,
                      "start from invariants of Karr's analysis with bounds of so many sums, as "
                      "ctigar does, 0: none"),
    OptionRow::toggle("ic3ia.seed-bounds", false,
                      "initial predicates x <= c and x >= c from constants of the model"),
    OptionRow::toggle("ic3ia.seed-equalities", false,
                      "initial predicates x = y for states of one sort that start equal"),
    OptionRow::toggle("ic3ia.seed-affine", false,
                      "initial predicates from affine relations of sampled runs [Karr76]"),
    OptionRow::toggle("ic3ia.hints", true, "initial predicates that the input file suggests"),
    OptionRow::number("ic3ia.seed", 0, 0, 1'000'000,
                      "other than 0 shuffles the order in which literals go"),
};

}  // namespace lem::engine
