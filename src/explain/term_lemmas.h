// The induction of a proof about a transition system. Tests: tests/unit/explain/lemmas_test.cpp.
#pragma once

#include <stop_token>
#include <vector>

#include "check/steps.h"
#include "explain/lemmas.h"
#include "explain/oracle.h"
#include "model/transition_system.h"
#include "model/verdict.h"

namespace lem::explain {

class TermInduction final : public Induction {
 public:
  /// k-induction of the conjunction of the lemmas, with k and `simple_path` of the claim.
  ///   require: the lemmas are over states and inputs of the system, which outlives this
  TermInduction(const TransitionSystem& system, Term bad, std::vector<Term> lemmas,
                const TermInvariant& claim, const std::stop_token& stop);

  std::size_t size() const override { return lemmas_.size(); }
  Support support(std::span<const std::size_t> kept, std::size_t goal) override;

 private:
  const TransitionSystem& system_;
  Term bad_;
  std::vector<Term> lemmas_;
  std::uint32_t k_;
  check::Steps steps_;
  Implication step_;
  Implication safety_;
};

}  // namespace lem::explain
