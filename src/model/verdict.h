// Verdicts with their evidence. Evidence refers to the problem it is given with; back-translators
// turn evidence about the engine's problem into evidence about the user's.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "model/evidence/evidence.h"

namespace lem {

enum class Reason : std::uint8_t {
  Stopped,       // asked to stop; the application knows why (timeout, memory, Ctrl-C)
  BoundReached,  // an option limits the depth
  GaveUp,        // the method is incomplete on this model
  Crashed,       // all workers of a portfolio died
  Undecided,     // evidence is there, but the checker's solver could not decide it
  NotNative,     // a run of a C program's automaton that the compiled program does not have
  OutOfMemory,   // no engine knows, and some were ended because the memory was full
};
std::string_view name(Reason reason);

struct Safe {
  Certificate certificate;
  friend bool operator==(const Safe&, const Safe&) = default;
};
struct Unsafe {
  Run run;
  /// Of a justice property: the last step leads to the state at this one, and so on for ever. A
  /// run without a loop violates a safety property at its last step.
  std::optional<std::size_t> loop{};
  friend bool operator==(const Unsafe&, const Unsafe&) = default;
};
struct Unknown {
  Reason reason;
  friend bool operator==(const Unknown&, const Unknown&) = default;
};
using Verdict = std::variant<Safe, Unsafe, Unknown>;

/// "safe", "unsafe" or "unknown".
std::string_view name(const Verdict& verdict);

inline bool is_safe(const Verdict& verdict) {
  return std::holds_alternative<Safe>(verdict);
}
inline bool is_unsafe(const Verdict& verdict) {
  return std::holds_alternative<Unsafe>(verdict);
}
inline bool is_unknown(const Verdict& verdict) {
  return std::holds_alternative<Unknown>(verdict);
}

/// The evidence, or why there is none; nullptr, nullopt for other verdicts.
const Certificate* certificate_of(const Verdict& verdict);
const Run* run_of(const Verdict& verdict);
std::optional<Reason> reason_of(const Verdict& verdict);

/// Where the loop of a lasso starts; nullopt for other evidence.
std::optional<std::size_t> loop_of(const Verdict& verdict);

/// Evidence of one kind: run_as<CfaTrace>(verdict).   require: the verdict has it
template <class Kind>
const Kind& run_as(const Verdict& verdict) {
  const Run* run = run_of(verdict);
  assert(run != nullptr && std::holds_alternative<Kind>(*run) && "no run of this kind");
  return *std::get_if<Kind>(run);
}
template <class Kind>
const Kind& certificate_as(const Verdict& verdict) {
  const Certificate* claim = certificate_of(verdict);
  assert(claim != nullptr && std::holds_alternative<Kind>(*claim) && "no proof of this kind");
  return *std::get_if<Kind>(claim);
}

}  // namespace lem
