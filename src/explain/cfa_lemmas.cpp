#include "explain/cfa_lemmas.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/read_variables.h"
#include "term/traverse.h"

namespace lem::explain {

static bool is_end(const Cfa& cfa, LocationId at) {
  return at == cfa.initial() || at == cfa.error();
}

std::vector<LocationLemma> lemmas_of(const Cfa& cfa, const LocationInvariants& claim) {
  std::vector<LocationLemma> out;
  for (std::uint32_t i = 0; i < claim.at.size(); ++i) {
    if (!claim.at[i] || is_end(cfa, LocationId{i})) continue;
    for (Term part : conjuncts(cfa.terms(), claim.at[i]))
      if (!cfa.terms().is_true(part)) out.push_back({LocationId{i}, part});
  }
  return out;
}

LocationInvariants claim_of(const Cfa& cfa, const LocationInvariants& claim,
                            std::span<const LocationLemma> lemmas) {
  LocationInvariants out = claim;
  for (std::uint32_t i = 0; i < out.at.size(); ++i)
    if (out.at[i] && !is_end(cfa, LocationId{i})) out.at[i] = cfa.terms().boolean(true);
  for (const LocationLemma& lemma : lemmas)
    out.at[index(lemma.at)] = cfa.terms().make_and(out.at[index(lemma.at)], lemma.holds);
  return out;
}

CfaInduction::CfaInduction(const Cfa& cfa, const LocationInvariants& claim,
                           std::vector<LocationLemma> lemmas, const std::stop_token& stop)
    : cfa_(cfa),
      terms_(cfa.terms()),
      claim_(claim),
      lemmas_(std::move(lemmas)),
      stop_(stop),
      order_(cfa.locations().size()),
      symbolic_(terms_, fresh_) {
  order_open_locations();
  std::vector<Term> claims;
  for (const LocationLemma& lemma : lemmas_) claims.push_back(lemma.holds);
  read_ = read_variables(cfa_, std::move(claims));
  for (std::uint32_t i = 0; i < claim.at.size() && complete_; ++i)
    if (claim.at[i] && LocationId{i} != cfa.error()) execute_from(LocationId{i});
}

/// Numbers locations without a claim against the edges, from 1.
void CfaInduction::order_open_locations() {
  std::uint32_t ordered = 0;
  std::vector<bool> entered(claim_.at.size());
  for (std::uint32_t root = 0; root < entered.size(); ++root) {
    if (claim_.at[root]) continue;
    std::vector<std::uint32_t> stack{root};
    while (!stack.empty()) {
      std::uint32_t here = stack.back();
      if (!entered[here]) {
        entered[here] = true;
        for (EdgeId edge : cfa_.out(LocationId{here})) {
          std::uint32_t to = index(cfa_[edge].to);
          if (claim_.at[to] || order_[to] != 0) continue;
          assert(!entered[to] && "every loop has a claim");
          stack.push_back(to);
        }
        continue;
      }
      stack.pop_back();
      if (order_[here] == 0) order_[here] = ++ordered;
    }
  }
}

void CfaInduction::execute_from(LocationId start) {
  auto known = std::make_unique<Implication>(terms_, stop_);
  for (std::size_t i = 0; i < lemmas_.size(); ++i)
    if (lemmas_[i].at == start) known->add_premise(i, lemmas_[i].holds);
  starts_.push_back(std::move(known));
  leave(start, {{}, terms_.boolean(true)});
  while (!arrived_.empty() && complete_) {
    Arrivals next = std::move(arrived_.begin()->second);
    arrived_.erase(arrived_.begin());
    leave(next.at, meet(next.states));
    complete_ = !stop_.stop_requested();
  }
}

void CfaInduction::leave(LocationId here, const State& state) {
  for (EdgeId id : cfa_.out(here)) {
    const CfaEdge& edge = cfa_[id];
    State end = state;
    symbolic_.execute(edge.command, end);
    std::erase_if(end.values, [this](const auto& one) { return !read_.contains(one.first); });
    if (terms_.is_false(end.path)) continue;
    if (claim_.at[index(edge.to)]) {
      paths_.push_back({starts_.size() - 1, edge.to, std::move(end)});
      continue;
    }
    Arrivals& there = arrived_[order_[index(edge.to)]];
    there.at = edge.to;
    there.states.push_back(std::move(end));
  }
}

SymbolicRun::State CfaInduction::meet(const std::vector<State>& ends) {
  std::vector<Term> written;
  for (const State& end : ends)
    for (const auto& [variable, value] : end.values) written.push_back(variable);
  std::sort(written.begin(), written.end());
  written.erase(std::unique(written.begin(), written.end()), written.end());
  return symbolic_.meet(ends, written).state;
}

Support CfaInduction::along(const Path& path, std::span<const std::size_t> kept, Term goal) {
  Term escapes = terms_.make_and(path.end.path, terms_.make_not(goal));
  return starts_[path.start]->imply(kept, terms_.make_not(escapes));
}

/// A lemma needs the support of all paths that end at its location.
Support CfaInduction::support(std::span<const std::size_t> kept, std::size_t goal) {
  bool safety = goal == lemmas_.size();
  LocationId to = safety ? cfa_.error() : lemmas_[goal].at;
  Support all{Implied::Yes, {}};
  for (const Path& path : paths_) {
    if (path.to != to) continue;
    Term holds = safety ? terms_.boolean(false) : symbolic_.value(lemmas_[goal].holds, path.end);
    Support one = along(path, kept, holds);
    if (one.implied != Implied::Yes) return one;
    all.by.insert(all.by.end(), one.by.begin(), one.by.end());
  }
  std::sort(all.by.begin(), all.by.end());
  all.by.erase(std::unique(all.by.begin(), all.by.end()), all.by.end());
  return all;
}

}  // namespace lem::explain
