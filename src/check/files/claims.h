// Claims of evidence files, before the check: which property they are about, and their bounds.
// Tests: tests/unit/check/validate_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "check/validate.h"
#include "model/verdict.h"

namespace lem::check {

/// Largest k of a k-inductive claim. No engine of ours gets near it, and a file of a few bytes must
/// not be able to ask for more work than a large one.
inline constexpr std::uint32_t kMostInductionSteps = 10'000;

/// Why a k-inductive claim is refused before anything is unrolled; nothing if it is plausible.
/// `signals` are those of one step, `states` those that distinguish states.
std::optional<std::string> implausible(std::uint64_t k, SimplePath simple_path,
                                       std::uint64_t signals, std::uint64_t states);

/// An invariant as a file states it: inductive, and by itself enough to exclude the property.
///   require: claim.k > 0, the invariant is over states and inputs of the system
Status judge_certificate(const Problem& model, std::size_t property, const std::string& path,
                         const TermInvariant& claim, std::stop_token stop);

/// Which kinds of property a form of evidence can be about.
enum class Judges : std::uint8_t { Safety, Justice, Both };
/// An error if evidence of this form says nothing about the property.
Status check_kind(const Property& property, const std::string& path, Judges judges);

/// Checks the evidence for the property that the file names, else for the requested one, else for
/// each one of the model; then one that is proved is enough.
Result<Accepted> judge_properties(const Problem& model, const std::string& path,
                                  std::optional<std::size_t> named, const EvidenceTask& task,
                                  const std::function<Status(std::size_t)>& judge,
                                  Judges judges = Judges::Safety);

}  // namespace lem::check
