// Some properties by one configuration of an engine: as one question where the engine takes
// several, else as their disjunction, again for those that are left after a run. Runs in workers
// and in this process alike. Tests: tests/unit/run/joint_test.cpp,
// tests/unit/run/program_slice_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/result.h"
#include "model/found.h"
#include "model/problem.h"
#include "run/joint.h"
#include "run/members.h"
#include "run/question.h"
#include "transform/cfa/dependence.h"

namespace lem::run {

/// One property, brought to where all members of `auto` start, before they are forked: what is the
/// same for them is done once, and they share its memory.
struct Prepared {
  Question question;
  std::optional<Question> bits;  // a transition system, for members that run on its bits
};
///   ensure: nothing if the run is stopped
std::optional<Prepared> prepare(const Problem& problem, std::size_t property, const Context& ctx);

/// What is asked about a problem.
struct Asked {
  const Problem& problem;            // borrowed
  std::vector<std::size_t> members;  // the properties, ascending; at least one
  std::vector<Proved> proved{};      // what may help; nothing for programs
  /// Of a program: whether a proof of the slice is looked for first.
  enum class Slicing : std::uint8_t { No, First } slicing = Slicing::No;
  const transform::Dependence* dependence = nullptr;  // of the program, if it is known
  const Prepared* prepared = nullptr;                 // of the only member, if it is made
};

/// The usage error about an engine that cannot take a model.
Error does_not_fit(const Problem& problem, const engine::EngineInfo& engine,
                   const std::string& why);

/// What is found is about `asked.problem`, and not certified. ctx has the member's options.
///   ensure: why the search ended; an error if the engine does not take the model
Result<Reason> search(const Asked& asked, const Member& member, const OnFound& found,
                      const Context& ctx);

}  // namespace lem::run
