// The switches of fsis.
#pragma once

#include <array>

#include "base/options.h"
#include "engine/fsis/mic.h"
#include "engine/parts/bits/lifter.h"

namespace lem::engine {

inline constexpr std::array kFsisOptions = {
    OptionRow::choice("fsis.implicate", Implicate::Linear,
                      "how IMPLICATE looks for a prime implicate [Bradley07]"),
    OptionRow::choice("fsis.mic", MicEffort::Implicate,
                      "stop at the largest inductive subclause, at a prime implicate of it, or at "
                      "a minimal one [Bradley07]"),
    OptionRow::toggle("fsis.lift", true, "CTIs become cubes of states [Chockler11, Een11]"),
};

struct FsisConfig {
  explicit FsisConfig(const Options& options)
      : implicate(options.get<Implicate>("fsis.implicate")),
        effort(options.get<MicEffort>("fsis.mic")),
        lift(options.on("fsis.lift") ? Lift::Both : Lift::None) {}

  Implicate implicate;
  MicEffort effort;
  Lift lift;
};

}  // namespace lem::engine
