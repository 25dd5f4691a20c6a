#include "model/evidence/evidence.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lem {

Rung rung_of(const Run& run) {
  return std::visit([](const auto& one) { return one.kRung; }, run);
}

Rung rung_of(const Certificate& certificate) {
  return std::visit([](const auto& one) { return one.kRung; }, certificate);
}

std::size_t length_of(const Run& run) {
  return std::visit([](const auto& one) { return one.length(); }, run);
}

std::size_t depth_of(const Run& run) {
  return std::visit([](const auto& one) { return one.depth(); }, run);
}

std::size_t Derivation::depth() const {
  std::vector<std::size_t> height;
  for (const Step& step : steps) {
    std::size_t below = 0;
    for (std::size_t premise : step.premises) below = std::max(below, height[premise] + 1);
    height.push_back(below);
  }
  return height.empty() ? 0 : height.back();
}

std::optional<std::uint32_t> induction_depth(const Certificate& certificate) {
  return std::visit([](const auto& one) { return one.induction_depth(); }, certificate);
}

bool is_live(const Certificate& certificate) {
  return std::holds_alternative<LiveProof>(certificate) ||
         std::holds_alternative<TermLiveProof>(certificate);
}

/// Of a certificate, constant or not.
template <class SomeCertificate>
static auto& clauses_in(SomeCertificate& certificate) {
  if (auto* claim = std::get_if<InductiveInvariant>(&certificate)) return claim->clauses;
  auto* claim = std::get_if<KInductive>(&certificate);
  assert(claim != nullptr && "a certificate about terms has no clauses over signals");
  return claim->clauses;
}

std::vector<SignalClause>& clauses_of(Certificate& certificate) {
  return clauses_in(certificate);
}

const std::vector<SignalClause>& clauses_of(const Certificate& certificate) {
  return clauses_in(certificate);
}

KInductive as_k_inductive(Certificate certificate) {
  if (auto* claim = std::get_if<KInductive>(&certificate)) return std::move(*claim);
  return {1, SimplePath::No, std::move(clauses_of(certificate))};
}

}  // namespace lem
