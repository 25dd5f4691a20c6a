#include "explain/term_lemmas.h"

#include <utility>

namespace lem::explain {

TermInduction::TermInduction(const TransitionSystem& system, Term bad, std::vector<Term> lemmas,
                             const TermInvariant& claim, const std::stop_token& stop)
    : system_(system),
      bad_(bad),
      lemmas_(std::move(lemmas)),
      k_(claim.k),
      steps_(system),
      step_(system.terms(), stop),
      safety_(system.terms(), stop) {
  Term trans = system.trans_formula();
  for (std::uint32_t k = 0; k <= k_; ++k) {
    step_.add_fact(steps_.at(system.constraint(), k));
    if (k == k_) break;
    step_.add_fact(steps_.between(trans, k));
    for (std::size_t i = 0; i < lemmas_.size(); ++i) step_.add_premise(i, steps_.at(lemmas_[i], k));
  }
  if (claim.simple_path == SimplePath::Yes)
    for (std::uint32_t i = 0; i <= k_; ++i)
      for (std::uint32_t j = 0; j < i; ++j) step_.add_fact(steps_.differ(i, j));
  safety_.add_fact(system.constraint());
  for (std::size_t i = 0; i < lemmas_.size(); ++i) safety_.add_premise(i, lemmas_[i]);
}

Support TermInduction::support(std::span<const std::size_t> kept, std::size_t goal) {
  if (goal == lemmas_.size()) return safety_.imply(kept, system_.terms().make_not(bad_));
  return step_.imply(kept, steps_.at(lemmas_[goal], k_));
}

}  // namespace lem::explain
