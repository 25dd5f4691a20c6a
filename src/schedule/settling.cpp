#include "schedule/settling.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lem::schedule {

bool Settling::is_open(std::size_t property) const {
  return std::binary_search(open_.begin(), open_.end(), property);
}

std::vector<std::size_t> Settling::open_among(std::span<const std::size_t> properties) const {
  std::vector<std::size_t> result;
  for (std::size_t property : properties)
    if (is_open(property)) result.push_back(property);
  return result;
}

Status Settling::settle(std::size_t property, check::Certified outcome, std::string_view by) {
  assert(is_open(property) && "one verdict for each property");
  const auto* safe = std::get_if<Safe>(&outcome.verdict());
  if (safe != nullptr && is_inductive(safe->certificate))
    proved_.emplace(property, safe->certificate);
  std::erase(open_, property);
  return hooks_.settle(property, std::move(outcome), by);
}

Accepted Settling::reject(const Error& why) {
  rejected_ = why;
  return Accepted::No;
}

Result<Accepted> Settling::accept(const Found& found, std::string_view by) {
  for (std::size_t property : found.properties)
    if (property >= problem_.properties.size())
      return reject({{problem_.source.file}, "an answer to no question", ErrorKind::Internal});
  if (open_among(found.properties).empty()) return Accepted::Yes;
  if (const auto* unsafe = std::get_if<Unsafe>(&found.verdict))
    return accept_run(found.properties, unsafe->run, by);
  return accept_proof(found.properties, std::get<Safe>(found.verdict).certificate, by);
}

Result<Accepted> Settling::accept_run(std::span<const std::size_t> violated, const Run& run,
                                      std::string_view by) {
  for (std::size_t property : open_among(violated)) {
    Result<check::Certified> outcome =
        check::certify(focus(problem_, property), Unsafe{run}, ctx_.stop, hooks_.native);
    if (!outcome) return reject(outcome.error());
    if (std::holds_alternative<Unknown>(outcome->verdict())) continue;
    if (Status done = settle(property, *std::move(outcome), by); !done) return done.error();
  }
  return Accepted::Yes;
}

/// The proof is one of all that are claimed, so settled ones stay in it.
Result<Accepted> Settling::accept_proof(std::span<const std::size_t> claimed,
                                        const Certificate& certificate, std::string_view by) {
  Result<std::vector<check::Certified>> outcomes =
      check::certify_together(problem_, claimed, certificate, ctx_.stop);
  if (!outcomes) return reject(outcomes.error());
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (!is_open(claimed[i]) || !std::holds_alternative<Safe>((*outcomes)[i].verdict())) continue;
    if (Status done = settle(claimed[i], std::move((*outcomes)[i]), by); !done) return done.error();
  }
  return Accepted::Yes;
}

}  // namespace lem::schedule
