#include "run/lowering.h"

#include <utility>

namespace lem::run {

std::optional<Found> Lowering::back(Found found) const {
  found.verdict = pipeline_.back(std::move(found.verdict));
  if (std::holds_alternative<Unknown>(found.verdict)) return {};
  return found;
}

std::optional<Found> Slice::back(Found found) const {
  const auto* safe = std::get_if<Safe>(&found.verdict);
  if (safe == nullptr) return {};
  auto certificate = slice_.certificate(std::get<LocationInvariants>(safe->certificate));
  if (!certificate) return {};
  return Found{members_, Safe{*std::move(certificate)}};
}

}  // namespace lem::run
