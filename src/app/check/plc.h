// What PLC programs get besides a verdict: whether the premise of a requirement can hold at all,
// and the run with the fewest cycles. Both ask an engine once more, for a limited time; what is not
// found within it is not reported. Tests: tests/cli/st_test.py.
#pragma once

#include <optional>
#include <string>

#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"
#include "run/prove.h"

namespace lem::app {

/// How the user wants properties to be proved.
struct Prover {
  const run::Selectable& selected;
  run::Settings settings;
};

/// Why every proof about this program says little: no cycle keeps the assumptions to its end, or no
/// cycle ends at all. Empty otherwise.
///   require: one property; it was proved in so many seconds
std::string no_cycle_ends(const Problem& original, double seconds, const Context& ctx,
                          const Prover& prover);

/// Why a proof says little: the condition of `if ..., then` never holds. Empty otherwise.
///   require: one property; it was proved in so many seconds
std::string unreached_premise(const Problem& original, double seconds, const Context& ctx,
                              const Prover& prover);

/// A run with fewer cycles than the one that was found in so many seconds.
///   require: one property; the verdict is Unsafe
std::optional<check::Certified> shorter_run(const Problem& original, const check::Certified& found,
                                            double seconds, const Context& ctx,
                                            const Prover& prover);

}  // namespace lem::app
