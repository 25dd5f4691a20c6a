// The switches of concrete IC3 modulo theories.
#pragma once

#include <array>

#include "base/options.h"
#include "engine/parts/terms/frames.h"
#include "engine/parts/terms/generalize_option.h"

namespace lem::engine {

enum class Weaken : std::uint8_t { None, Split, Combine };
constexpr std::string_view words(Weaken) {
  return "none|split|combine";
}

inline constexpr std::array kIc3smtOptions = {
    OptionRow::choice("ic3smt.generalize", Generalize::Drop,
                      "how blocked cubes are shrunk [Bradley11, Hassan13]", kTermMethods),
    OptionRow::number("ic3smt.failures", 0, 0, 1000, kFailuresHelp),
    OptionRow::choice("ic3smt.preimage", TermFrames::Preimage::Project,
                      "predecessors: the model's state, or its projection [Cimatti12]"),
    OptionRow::choice("ic3smt.weaken", Weaken::Combine,
                      "literals of cubes: as they are; equalities as two inequalities, either of "
                      "which may be dropped; also disequalities as one side, and two inequalities "
                      "as their sum [Hoder12]"),
};

struct Ic3smtConfig {
  explicit Ic3smtConfig(const Options& options)
      : effort{.method = options.get<Generalize>("ic3smt.generalize"),
               .failures = options.get<std::uint32_t>("ic3smt.failures")},
        weaken(options.get<Weaken>("ic3smt.weaken")),
        frames{"ic3smt.", false, options.get<TermFrames::Preimage>("ic3smt.preimage"),
               weaken == Weaken::Combine, 3000} {}

  Effort effort;
  Weaken weaken;
  TermFrames::Settings frames;
};

}  // namespace lem::engine
