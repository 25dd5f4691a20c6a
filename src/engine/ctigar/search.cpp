// What CTIGAR adds to the loops of IC3 [Birgmeier14 2.2].
#include "engine/ctigar/search.h"

#include <fmt/format.h>

#include "engine/parts/common/progress.h"

namespace lem::engine {

CtigarSearch::CtigarSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      frames_(system_, ctx, config_.frames),
      domain_(system_, frames_),
      lifting_(system_, frames_, ctx),
      refiner_(system_, domain_, config_, ctx),
      miner_(system_, config_.mine),
      loop_(ctx, frames_, "ctigar", config_.effort,
            {.around_model = [this] { return domain_.abstract(state_of(model())); }}) {
  std::vector<Lit> bad;
  for (Term part : conjuncts(terms_, system_.bad())) bad.push_back(frames_.literal(part));
  bad_ = Cube(std::move(bad));
  Seeds seeds = find_seeds(system_, problem, config_.seeds(domain_), ctx);
  add_predicates(seeds.predicates);
  frames_.assume_invariants(seeds.invariants);
}

Verdict CtigarSearch::run() {
  if (terms_.is_false(system_.bad()) && frames_.meets_initial({}))
    return Safe{TermInvariant{terms_.boolean(true)}};
  return loop_.run(*this);
}

/// Bad itself is the root of all obligations.
std::optional<Cube> CtigarSearch::violation() {
  if (frames_.excludes(frames_.top(), bad_.lits())) return {};
  return bad_;
}

void CtigarSearch::about_to_block(ObligationId id) {
  if (!details(id).lifted) ++stats_.unlifted_blocked;
}

std::string CtigarSearch::progress() const {
  return fmt::format("ctigar: frame {}, predicates {}, refinements {}, obligations {}, {}",
                     index(frames_.top()), domain_.size(),
                     stats_.lifting_refinements.value + stats_.consecution_refinements.value,
                     loop_.obligations.size(), lemma_counts(frames_.clauses().lists()));
}

}  // namespace lem::engine
