#include "explain/lemmas.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace lem::explain {

namespace {

using Lemmas = std::vector<std::size_t>;

bool contains(const Lemmas& sorted, std::size_t lemma) {
  return std::binary_search(sorted.begin(), sorted.end(), lemma);
}
void insert(Lemmas& sorted, std::size_t lemma) {
  auto at = std::lower_bound(sorted.begin(), sorted.end(), lemma);
  if (at == sorted.end() || *at != lemma) sorted.insert(at, lemma);
}
void erase(Lemmas& sorted, std::size_t lemma) {
  auto at = std::lower_bound(sorted.begin(), sorted.end(), lemma);
  if (at != sorted.end() && *at == lemma) sorted.erase(at);
}

/// An inductive and safe set, with the reason of each of its members. The last reason is that of
/// safety.
struct Proof {
  Lemmas kept;
  std::vector<Lemmas> reason;
};

class Search {
 public:
  Search(Induction& induction, const std::stop_token& stop)
      : induction_(induction), safety_(induction.size()), stop_(stop) {}

  Subset run() {
    Proof proof = supported();
    std::vector<bool> needed(safety_);
    const Lemmas candidates = proof.kept;
    for (std::size_t lemma : candidates) {
      if (!contains(proof.kept, lemma)) continue;
      std::optional<Proof> smaller = without(proof, lemma, needed);
      if (stop_.stop_requested()) {
        minimal_ = false;
        break;
      }
      if (smaller)
        proof = *std::move(smaller);
      else
        needed[lemma] = true;
    }
    return result(std::move(proof));
  }

 private:
  /// What supports safety, what supports that, and so on: a proof of the lemmas that cores name.
  Proof supported() {
    Lemmas all;
    for (std::size_t i = 0; i < safety_; ++i) all.push_back(i);
    Proof proof{{}, std::vector<Lemmas>(safety_ + 1)};
    Lemmas waiting{safety_};
    while (!waiting.empty()) {
      std::size_t goal = waiting.back();
      waiting.pop_back();
      // Lemmas that are there already are the better reason.
      Support found = stop_.stop_requested() ? Support{} : induction_.support(proof.kept, goal);
      if (found.implied != Implied::Yes && !stop_.stop_requested())
        found = induction_.support(all, goal);
      if (found.implied != Implied::Yes) {
        // The whole set is known to suffice, even if this solver does not see it.
        minimal_ = false;
        found.by = all;
      }
      for (std::size_t lemma : found.by) {
        if (contains(proof.kept, lemma)) continue;
        insert(proof.kept, lemma);
        waiting.push_back(lemma);
      }
      proof.reason[goal] = std::move(found.by);
    }
    return proof;
  }

  /// The proof with the greatest inductive subset of its lemmas that does not contain `lemma`;
  /// nullopt if that is not safe. Only reasons that are lost are looked for again.
  std::optional<Proof> without(Proof proof, std::size_t lemma, const std::vector<bool>& needed) {
    Lemmas gone{lemma};
    erase(proof.kept, lemma);
    while (!gone.empty()) {
      std::size_t lost = gone.back();
      gone.pop_back();
      // Safety first: it fails for good.
      for (std::size_t goal : goals(proof, lost)) {
        if (goal != safety_ && !contains(proof.kept, goal)) continue;
        if (stop_.stop_requested()) return std::nullopt;
        Support found = induction_.support(proof.kept, goal);
        if (found.implied == Implied::Yes) {
          proof.reason[goal] = std::move(found.by);
          continue;
        }
        if (found.implied == Implied::Undecided) minimal_ = false;
        if (goal == safety_ || needed[goal]) return std::nullopt;
        erase(proof.kept, goal);
        gone.push_back(goal);
      }
    }
    return proof;
  }

  /// Safety and the lemmas whose reason contains the lost one.
  Lemmas goals(const Proof& proof, std::size_t lost) const {
    Lemmas out;
    if (contains(proof.reason[safety_], lost)) out.push_back(safety_);
    for (std::size_t lemma : proof.kept)
      if (contains(proof.reason[lemma], lost)) out.push_back(lemma);
    return out;
  }

  Subset result(Proof proof) const {
    Subset out;
    for (std::size_t lemma : proof.kept) out.support.push_back(std::move(proof.reason[lemma]));
    out.needed = std::move(proof.kept);
    out.safety = std::move(proof.reason[safety_]);
    out.minimal = minimal_;
    return out;
  }

  Induction& induction_;
  const std::size_t safety_;
  const std::stop_token& stop_;
  bool minimal_ = true;
};

}  // namespace

Subset minimal_inductive_subset(Induction& induction, const std::stop_token& stop) {
  return Search(induction, stop).run();
}

}  // namespace lem::explain
