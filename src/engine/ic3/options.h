// Every switch of the ic3 engine: one row, one reader.
#pragma once

#include <array>
#include <cstdint>

#include "base/context.h"
#include "engine/engine.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/common/generalizer.h"

namespace lem::engine {

struct Ic3Config {
  explicit Ic3Config(const Options& all) : options(all) {}
  const Options& options;

  enum class Order : std::uint8_t { Index, Activity, Parent };
  friend constexpr std::string_view words(Order) { return "index|activity|parent"; }
  enum class Ties : std::uint8_t { Shallow, Deep };
  friend constexpr std::string_view words(Ties) { return "shallow|deep"; }
  enum class Push : std::uint8_t { Phase, Triggered };
  friend constexpr std::string_view words(Push) { return "phase|triggered"; }

  Effort effort{
      options.get<Generalize>("ic3.generalize"), options.get<std::uint32_t>("ic3.ctg-depth"),
      options.get<std::uint32_t>("ic3.ctg-count"), options.get<std::uint32_t>("ic3.ctg-chain"),
      options.get<std::uint32_t>("ic3.mic-failures")};
  Lift lift = options.get<Lift>("ic3.lift");
  std::uint32_t lift_rounds = options.get<std::uint32_t>("ic3.lift-rounds");
  Order order = options.get<Order>("ic3.order");
  Ties ties = options.get<Ties>("ic3.ties");
  double dynamic_ctg = options.get<double>("ic3.dynamic-ctg");
  double dynamic_chain = options.get<double>("ic3.dynamic-chain");
  bool reenqueue = options.on("ic3.reenqueue");
  std::uint32_t drop_obligation = options.get<std::uint32_t>("ic3.drop-obligation");
  Push push = options.get<Push>("ic3.push");
  bool quip = options.on("ic3.quip");
  bool infinity = options.on("ic3.infinity");
  std::uint32_t seed = options.get<std::uint32_t>("ic3.seed");
};

inline constexpr std::array kIc3Options = {
    OptionRow::choice("ic3.generalize", Generalize::Dynamic,
                      "how a blocked cube shrinks [Bradley11, Hassan13, Su25a]"),
    OptionRow::number("ic3.ctg-depth", 1, 0, 8, "recursion depth of ctgDown [Hassan13]"),
    OptionRow::number("ic3.ctg-count", 3, 0, 64, "counterexamples blocked per literal [Hassan13]"),
    OptionRow::number("ic3.ctg-chain", 1, 1, 64,
                      "cubes blocked to get rid of one of them; 1 only itself [Su25a EXCTG]"),
    OptionRow::number("ic3.dynamic-ctg", 10, 0, 1000000,
                      "returns of an obligation after which dynamic blocks CTGs [Su25a]"),
    OptionRow::number("ic3.dynamic-chain", 40, 0, 1000000,
                      "returns of an obligation after which dynamic follows chains [Su25a]"),
    OptionRow::number("ic3.mic-failures", 0, 0, 1000,
                      "stop dropping after so many kept literals in a row, 0 never [Hassan13]"),
    OptionRow::choice("ic3.lift", Lift::Both,
                      "how a predecessor state grows to a cube [Chockler11, Een11, Su25]"),
    OptionRow::number("ic3.lift-rounds", 2, 1, 16, "literal orders tried by core lifting"),
    OptionRow::choice("ic3.order", Ic3Config::Order::Parent,
                      "which literal is dropped first; parent keeps those of the parent lemma "
                      "[Xia23]"),
    OptionRow::choice("ic3.ties", Ic3Config::Ties::Shallow,
                      "which obligation of a level comes first"),
    OptionRow::toggle("ic3.reenqueue", true,
                      "blocked obligations return a level higher [Bradley11]"),
    OptionRow::number("ic3.drop-obligation", 0, 0, 1000000,
                      "forget an obligation that returned so often, 0 never [rIC3]"),
    OptionRow::choice("ic3.push", Ic3Config::Push::Phase,
                      "push all lemmas after each phase, or only re-armed ones, also in between "
                      "[Suda13]"),
    OptionRow::toggle(
        "ic3.quip", false,
        "failed pushes become may-obligations; reachable states, bad lemmas [Ivrii15]"),
    OptionRow::toggle("ic3.infinity", true, "look for inductive subsets of the top frame [Een11]"),
    OptionRow{"ic3.lemmas", 0, 0, 0,
              "folder where runs on the same model leave lemmas for each other, each proved again "
              "by who reads it",
              "PATH"},
    OptionRow::number("ic3.seed", 0, 0, 1000000, "shuffles the initial literal order, 0 not"),
};

}  // namespace lem::engine
