// Lemmas of other runs on the same model, and for them (parts/bits/lemma_exchange.h). A lemma of
// another run is a cube that is worth a query: it is added where it is inductive relative to this
// run's own frames, as every lemma is, so that a wrong one costs time and nothing else.
#include <algorithm>
#include <utility>

#include "engine/ic3/search.h"
#include "engine/parts/common/push_up.h"

namespace lem::engine {

// Frames at which a claim is tried before it is forgotten: it may need lemmas that come later.
static constexpr std::uint32_t kTries = 3;

void Ic3Search::share_lemmas() {
  TimerScope timer(stats_.share);
  // What held on to the frontier: lemmas that stayed behind are of little use to others.
  publish_lemmas(previous(frames_.top()));
  for (LemmaClaim& claim : exchange_.receive()) {
    ++stats_.received;
    claims_.push_back({std::move(claim)});
  }
  take_claims();
}

/// What holds for good, and in the frames from this one on.
void Ic3Search::publish_lemmas(Level from) {
  std::vector<LemmaClaim> claims;
  for (const Lemma& lemma : frames_.lemmas().infinity()) claims.push_back({lemma.cube});
  for (Level level = from; level <= frames_.top(); ++level)
    for (const Lemma& lemma : frames_.lemmas().at(level))
      if (!lemma.bad) claims.push_back({lemma.cube, index(level)});
  stats_.sent += exchange_.publish(claims);
}

/// Once for each claim and frame.
void Ic3Search::take_claims() {
  std::vector<Pending> waiting;
  for (Pending& pending : std::exchange(claims_, {})) {
    if (stopped()) return;
    bool again = pending.tries > 0 && pending.tried_at == frames_.top();
    if (!again) {
      if (take(pending.claim)) continue;
      pending.tried_at = frames_.top();
      if (++pending.tries == kTries || meets_initial(pending.claim.cube.lits())) {
        ++stats_.refused;
        continue;
      }
    }
    waiting.push_back(std::move(pending));
  }
  claims_ = std::move(waiting);
}

/// ensure: true if nothing is left to do about it: the frames have it, or imply it
bool Ic3Search::take(const LemmaClaim& claim) {
  std::span<const Lit> cube = claim.cube.lits();
  if (meets_initial(cube)) return false;
  if (frames_.lemmas().blocked_at(frames_.top(), claim.cube)) return true;
  if (claim.level == LemmaClaim::kForGood && frames_.inductive_for_good(cube)) {
    if (frames_.add_infinity(claim.cube)) ++stats_.taken;
    return true;
  }
  Level level{std::min(claim.level, index(frames_.top()))};
  Induction answer = inductive(level, cube);
  if (!answer.holds()) return false;
  BlockedCube blocked =
      push_up(*this, {level, {answer.core.begin(), answer.core.end()}}, frames_.top());
  add_lemma(blocked.level, blocked.cube);
  ++stats_.taken;
  return true;
}

}  // namespace lem::engine
