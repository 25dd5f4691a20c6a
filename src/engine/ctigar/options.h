// The switches of CTIGAR.
#pragma once

#include <array>

#include "base/options.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/generalize_option.h"
#include "engine/parts/terms/interpolant_sources.h"
#include "engine/parts/terms/seeds/seeds.h"

namespace lem::engine {

class Domain;

enum class RefineBy : std::uint8_t { Lifting, Consecution };
constexpr std::string_view words(RefineBy) {
  return "lifting|consecution";
}
enum class Trigger : std::uint8_t { Laf, Caf };
constexpr std::string_view words(Trigger) {
  return "laf|caf";
}
enum class Point : std::uint8_t { Bad, Init };
constexpr std::string_view words(Point) {
  return "bad|init";
}
enum class Keep : std::uint8_t { Atoms, Whole, Both };
constexpr std::string_view words(Keep) {
  return "atoms|whole|both";
}

inline constexpr std::array kCtigarOptions = {
    OptionRow::choice("ctigar.refine", RefineBy::Consecution,
                      "which one-step query is interpolated [Birgmeier14 3.3]"),
    OptionRow::choice("ctigar.trigger", Trigger::Caf,
                      "which abstraction failures are counted towards a refinement"),
    OptionRow::number("ctigar.permit", 3, 0, 1000,
                      "failures permitted in a trace before they are refined, 0: eager"),
    OptionRow::toggle("ctigar.keep-concrete", false,
                      "keep the concrete CTI when abstract lifting succeeds: consecution may fail "
                      "in the abstract for lifted states too [Birgmeier14 4.3, CC*]"),
    OptionRow::choice("ctigar.point", Point::Init,
                      "which spurious step of a counterexample is refined: nearest to Bad or Init"),
    OptionRow::choice("ctigar.predicates", Keep::Atoms,
                      "what is kept of an interpolant: its atoms, or its conjuncts as they are"),
    OptionRow::toggle("ctigar.weakest", true,
                      "before interpolants, try the literals of the CTI's preimage"),
    OptionRow::choice("ctigar.generalize", Generalize::Down,
                      "how cubes of predicates are shrunk [Bradley11, Hassan13]", kTermMethods),
    OptionRow::number("ctigar.failures", 0, 0, 1000, kFailuresHelp),
    OptionRow::choice("ctigar.interpolant", Source::All,
                      "where new predicates come from; all: in the order that suits the theory"),
    OptionRow::number("ctigar.guards", 60, 0, 100'000,
                      "initial predicates from the conditions of Trans, at most so many"),
    OptionRow::number("ctigar.pairs", 60, 0, 100'000,
                      "initial predicates x < y, at most so many [Birgmeier14 4.1]"),
    OptionRow::toggle("ctigar.karr", true,
                      "initial predicates from Karr's analysis [Karr76, MullerOlm04]"),
    OptionRow::number("ctigar.invariants", 100, 0, 100'000,
                      "bounds and differences tried as invariants with the predicates in Karr's "
                      "analysis, at most so many; 0: equations only, and only as predicates"),
    OptionRow::number(
        "ctigar.mine", 0, 0, 1000,
        "refinement state mining: linear equalities through CTIs of one location once "
        "there are so many, 0: off [Birgmeier14 4.1]"),
};

struct CtigarConfig {
  explicit CtigarConfig(const Options& all) : options(all) {}
  const Options& options;
  /// The initial domain [Birgmeier14 4.1], and what is known before the search. Borrows the domain.
  SeedSettings seeds(const Domain& domain) const;

  RefineBy refine = options.get<RefineBy>("ctigar.refine");
  Trigger trigger = options.get<Trigger>("ctigar.trigger");
  std::uint32_t permit = options.get<std::uint32_t>("ctigar.permit");
  bool keep_concrete = options.on("ctigar.keep-concrete");
  Point point = options.get<Point>("ctigar.point");
  Keep keep = options.get<Keep>("ctigar.predicates");
  bool weakest = options.on("ctigar.weakest");
  Effort effort{.method = options.get<Generalize>("ctigar.generalize"),
                .failures = options.get<std::uint32_t>("ctigar.failures")};
  Source source = options.get<Source>("ctigar.interpolant");
  std::uint32_t source_ms = 1000;  // for one source of interpolants
  std::size_t guards = options.get<std::size_t>("ctigar.guards");
  std::size_t pairs = options.get<std::size_t>("ctigar.pairs");
  bool karr = options.on("ctigar.karr");
  std::uint32_t karr_ms = 4000;  // a quarter more for a second try without bounds
  std::size_t invariants = options.get<std::size_t>("ctigar.invariants");
  std::size_t mine = options.get<std::size_t>("ctigar.mine");
  TermFrames::Settings frames{"ctigar.", true, TermFrames::Preimage::Values, false, 3000};
};

}  // namespace lem::engine
