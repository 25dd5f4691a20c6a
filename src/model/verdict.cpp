#include "model/verdict.h"

#include <cassert>

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

std::vector<SignalClause>& clauses_of(Certificate& certificate) {
  if (auto* invariant = std::get_if<InductiveInvariant>(&certificate)) return invariant->clauses;
  auto* inductive = std::get_if<KInductive>(&certificate);
  assert(inductive != nullptr && "a certificate about terms has no clauses over signals");
  return inductive->clauses;
}

}  // namespace lem
