// Every switch of the ic3 engine: one row, one reader.
#pragma once

#include <array>
#include <cstdint>

#include "base/context.h"
#include "engine/engine.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/obligations.h"

namespace lem {

inline constexpr std::array kIc3Options = {
    OptionRow::choice("ic3.generalize", 6, "none|core|drop|binary|down|ctg|dynamic",
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
    OptionRow::choice("ic3.lift", 3, "none|core|ternary|both|model",
                      "how a predecessor state grows to a cube [Chockler11, Een11, Su25]"),
    OptionRow::number("ic3.lift-rounds", 2, 1, 16, "literal orders tried by core lifting"),
    OptionRow::choice("ic3.order", 2, "index|activity|parent",
                      "which literal is dropped first; parent keeps those of the parent lemma "
                      "[Xia23]"),
    OptionRow::choice("ic3.ties", 0, "shallow|deep", "which obligation of a level comes first"),
    OptionRow::toggle("ic3.reenqueue", true,
                      "blocked obligations return a level higher [Bradley11]"),
    OptionRow::number("ic3.drop-obligation", 0, 0, 1000000,
                      "forget an obligation that returned so often, 0 never [rIC3]"),
    OptionRow::choice("ic3.push", 0, "phase|triggered",
                      "push all lemmas after each phase, or only re-armed ones, also in between "
                      "[Suda13]"),
    OptionRow::toggle(
        "ic3.quip", false,
        "failed pushes become may-obligations; reachable states, bad lemmas [Ivrii15]"),
    OptionRow::toggle("ic3.infinity", true, "look for inductive subsets of the top frame [Een11]"),
    OptionRow::number("ic3.seed", 0, 0, 1000000, "shuffles the initial literal order, 0 not"),
};

struct Ic3Config {
  explicit Ic3Config(const Options& options)
      : effort{static_cast<Generalize>(options.get("ic3.generalize")),
               static_cast<std::uint32_t>(options.get("ic3.ctg-depth")),
               static_cast<std::uint32_t>(options.get("ic3.ctg-count")),
               static_cast<std::uint32_t>(options.get("ic3.ctg-chain")),
               static_cast<std::uint32_t>(options.get("ic3.mic-failures"))},
        lift(static_cast<Lift>(options.get("ic3.lift"))),
        lift_rounds(static_cast<std::uint32_t>(options.get("ic3.lift-rounds"))),
        order(static_cast<Order>(options.get("ic3.order"))),
        ties(static_cast<ObligationQueue::Ties>(options.get("ic3.ties"))),
        dynamic_ctg(static_cast<double>(options.get("ic3.dynamic-ctg"))),
        dynamic_chain(static_cast<double>(options.get("ic3.dynamic-chain"))),
        reenqueue(options.on("ic3.reenqueue")),
        drop_obligation(static_cast<std::uint32_t>(options.get("ic3.drop-obligation"))),
        triggered(options.get("ic3.push") == 1),
        quip(options.on("ic3.quip")),
        infinity(options.on("ic3.infinity")),
        seed(static_cast<std::uint32_t>(options.get("ic3.seed"))) {}

  enum class Order : std::uint8_t { Index, Activity, Parent };
  Effort effort;
  Lift lift;
  std::uint32_t lift_rounds;
  Order order;
  ObligationQueue::Ties ties;
  double dynamic_ctg;
  double dynamic_chain;
  bool reenqueue;
  std::uint32_t drop_obligation;
  bool triggered;
  bool quip;
  bool infinity;
  std::uint32_t seed;
};

}  // namespace lem
