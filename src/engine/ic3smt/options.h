// The switches of concrete IC3 modulo theories.
#pragma once

#include <array>

#include "base/options.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/generalize_option.h"

namespace lem {

inline constexpr std::array kIc3smtOptions = {
    OptionRow::choice("ic3smt.generalize", 2, kTermMethodChoices,
                      "how blocked cubes are shrunk [Bradley11, Hassan13]"),
    OptionRow::number("ic3smt.failures", 0, 0, 1000, kFailuresHelp),
    OptionRow::choice("ic3smt.preimage", 1, "values|project",
                      "predecessors: the model's state, or its projection [Cimatti12]"),
    OptionRow::choice("ic3smt.weaken", 2, "none|split|combine",
                      "literals of cubes: as they are; equalities as two inequalities, either of "
                      "which may be dropped; also disequalities as one side, and two inequalities "
                      "as their sum [Hoder12]"),
    OptionRow::toggle("ic3smt.check-blocked", true,
                      "ask whether a frame excludes a cube before blocking it [Een11]"),
    OptionRow::toggle("ic3smt.lazy-steps", false,
                      "assert the equation of a next value when a cube mentions it"),
    OptionRow::number("ic3smt.rebuild", 3000, 0, 1'000'000,
                      "formulas added to a solver before it starts afresh, 0: never"),
};

enum class Weaken : std::uint8_t { None, Split, Combine };

struct Ic3smtConfig {
  explicit Ic3smtConfig(const Options& options)
      : effort(term_effort(options.get("ic3smt.generalize"), options.get("ic3smt.failures"))),
        weaken(static_cast<Weaken>(options.get("ic3smt.weaken"))),
        check_blocked(options.on("ic3smt.check-blocked")),
        frames{"ic3smt.", options.on("ic3smt.lazy-steps"),
               options.get("ic3smt.preimage") == 1 ? TermFrames::Preimage::Project
                                                   : TermFrames::Preimage::Values,
               weaken == Weaken::Combine,
               static_cast<std::uint32_t>(options.get("ic3smt.rebuild"))} {}

  Effort effort;
  Weaken weaken;
  bool check_blocked;
  TermFrames::Settings frames;
};

}  // namespace lem
