#include "transform/cfa/prune.h"

namespace lem::transform {

namespace {

/// What is reached from `start`, where `next` gives the neighbours of a location.
template <class Next>
std::vector<bool> closure(const Cfa& cfa, LocationId start, Next next) {
  std::vector<bool> seen(cfa.locations().size());
  std::vector<LocationId> todo{start};
  seen[index(start)] = true;
  while (!todo.empty()) {
    LocationId at = todo.back();
    todo.pop_back();
    for (LocationId other : next(at)) {
      if (seen[index(other)]) continue;
      seen[index(other)] = true;
      todo.push_back(other);
    }
  }
  return seen;
}

class PruneBack final : public CfaBackTranslator {
 public:
  PruneBack(CfaOrigins origins, std::vector<Term> elsewhere)
      : origins_(std::move(origins)), elsewhere_(std::move(elsewhere)) {}

  LocationInvariants invariants(const LocationInvariants& claim) const override {
    return origins_.spread(claim, elsewhere_);
  }
  std::optional<CfaTrace> trace(const CfaTrace& run) const override { return origins_.along(run); }

 private:
  CfaOrigins origins_;
  std::vector<Term> elsewhere_;  // by old location: the invariant where the reduced one says none
};

}  // namespace

Reduction prune(const Cfa& cfa) {
  std::vector<bool> reached = closure(cfa, cfa.initial(), [&](LocationId at) {
    std::vector<LocationId> next;
    for (EdgeId edge : cfa.out(at)) next.push_back(cfa[edge].to);
    return next;
  });
  std::vector<bool> leads = closure(cfa, cfa.error(), [&](LocationId at) {
    std::vector<LocationId> before;
    for (EdgeId edge : cfa.in(at)) before.push_back(cfa[edge].from);
    return before;
  });
  // These invariants are consistent along every edge: successors of reached locations are reached,
  // and successors of dead ends are dead ends.
  std::vector<bool> kept;
  std::vector<Term> elsewhere;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    kept.push_back(reached[i] && leads[i]);
    elsewhere.push_back(cfa.terms().boolean(reached[i]));
  }
  Derived derived = derive(cfa, cfa.variables(), kept, commands_of(cfa));
  return {std::move(derived.cfa),
          std::make_unique<PruneBack>(std::move(derived.origins), std::move(elsewhere))};
}

}  // namespace lem::transform
