// What PLC programs get besides a verdict: whether the premise of a requirement can hold at all,
// and the run with the fewest cycles. Both ask an engine once more, for a limited time; what is not
// found within it is not reported. Tests: tests/cli/st_test.py.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"

namespace lem::app {

/// One property, by an engine, with a certified answer; `engine` empty: the one the user wants.
using AskAgain = std::function<Result<check::Certified>(const Problem&, std::string_view engine,
                                                        const Context&)>;

/// Why every proof about this program says little: no cycle keeps the assumptions to its end, or no
/// cycle ends at all. Empty otherwise.
///   require: one property; it was proved in so many seconds
std::string no_cycle_ends(const Problem& original, double seconds, const Context& ctx,
                          const AskAgain& ask);

/// Why a proof says little: the condition of `if ..., then` never holds. Empty otherwise.
///   require: one property; it was proved in so many seconds
std::string unreached_premise(const Problem& original, double seconds, const Context& ctx,
                              const AskAgain& ask);

/// A run with fewer cycles than the one that was found in so many seconds.
///   require: one property; the verdict is Unsafe
std::optional<check::Certified> shorter_run(const Problem& original, const check::Certified& found,
                                            double seconds, const Context& ctx,
                                            const AskAgain& ask);

}  // namespace lem::app
