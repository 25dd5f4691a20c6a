// A lasso replayed on the model: no solver, no encoding. Tests: tests/unit/check/live_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/aig.h"
#include "model/transition_system.h"
#include "model/verdict.h"

namespace lem::check {

/// nullopt if the run starts in an initial state and keeps the constraints at every step, its last
/// step leads to the whole state at step `loop`, and each of `often` holds at some step of the
/// loop; else what is wrong with it.
std::optional<std::string> replay_lasso(const Aig& aig, const std::vector<AigLit>& often,
                                        const Trace& trace, std::size_t loop);
std::optional<std::string> replay_lasso(const TransitionSystem& system,
                                        const std::vector<Term>& often, const TermTrace& trace,
                                        std::size_t loop);

/// The same for files, which do not say where the loop starts: any step will do.
std::optional<std::string> replay_any_lasso(const Aig& aig, const std::vector<AigLit>& often,
                                            const Trace& trace);
std::optional<std::string> replay_any_lasso(const TransitionSystem& system,
                                            const std::vector<Term>& often, const TermTrace& trace);

}  // namespace lem::check
