#include "run/lowering.h"

#include <utility>

namespace lem::run {

std::optional<Found> Lowering::back(Found found) const {
  found.verdict = pipeline_.back(std::move(found.verdict));
  if (is_unknown(found.verdict)) return {};
  return found;
}

std::optional<Found> Slice::back(Found found) const {
  if (!is_safe(found.verdict)) return {};
  auto certificate = slice_.certificate(certificate_as<LocationInvariants>(found.verdict));
  if (!certificate) return {};
  return Found{members_, Safe{*std::move(certificate)}};
}

}  // namespace lem::run
