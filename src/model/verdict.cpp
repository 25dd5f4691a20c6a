#include "model/verdict.h"

#include "base/assert.h"

namespace lem {

std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::Stopped:
      return "stopped";
    case Reason::BoundReached:
      return "bound reached";
    case Reason::GaveUp:
      return "gave up";
    case Reason::Crashed:
      return "all workers crashed";
    case Reason::Undecided:
      return "the evidence could not be checked";
    case Reason::NotNative:
      return "the counterexample does not run natively";
    case Reason::OutOfMemory:
      return "memory";
  }
  unreachable();
}

std::string_view name(const Verdict& verdict) {
  return is_safe(verdict) ? "safe" : is_unsafe(verdict) ? "unsafe" : "unknown";
}

const Certificate* certificate_of(const Verdict& verdict) {
  const auto* safe = std::get_if<Safe>(&verdict);
  return safe == nullptr ? nullptr : &safe->certificate;
}

const Run* run_of(const Verdict& verdict) {
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  return unsafe == nullptr ? nullptr : &unsafe->run;
}

std::optional<std::size_t> loop_of(const Verdict& verdict) {
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  return unsafe == nullptr ? std::nullopt : unsafe->loop;
}

std::optional<Reason> reason_of(const Verdict& verdict) {
  const auto* unknown = std::get_if<Unknown>(&verdict);
  return unknown == nullptr ? std::nullopt : std::optional(unknown->reason);
}

}  // namespace lem
