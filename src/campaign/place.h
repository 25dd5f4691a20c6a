// Where runs go: `local`, `local:JOBS`, `slurm`, `slurm:PARTITION`, and for one file `slurm:N`.
// Tests: tests/unit/campaign/plan_test.cpp.
#pragma once

#include <string>

#include "base/result.h"

namespace lem::campaign {

struct Place {
  enum class Kind : std::uint8_t { Local, Slurm };
  Kind kind = Kind::Local;
  int jobs = 0;           // of Local; 0: as many as there are cores
  std::string partition;  // of Slurm; empty: the default one
};

/// Of `lemmata campaign --on`.
Result<Place> parse_place(const std::string& text);
/// Of `lemmata check --on slurm:N`: N.
Result<int> parse_tasks(const std::string& text);

}  // namespace lem::campaign
