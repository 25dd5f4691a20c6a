#include "run/open.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/try.h"
#include "run/joint.h"

namespace lem::run {

bool Open::has(std::size_t property) const {
  return std::binary_search(open_.begin(), open_.end(), property);
}

std::vector<std::size_t> Open::among(std::span<const std::size_t> properties) const {
  std::vector<std::size_t> result;
  for (std::size_t property : properties)
    if (has(property)) result.push_back(property);
  return result;
}

Status Open::settle(std::size_t property, check::Certified outcome, std::string_view by) {
  assert(has(property) && "one verdict for each property");
  const Certificate* proof = certificate_of(outcome.verdict());
  if (proof != nullptr && is_inductive(*proof)) proved_.emplace(property, *proof);
  if (proof != nullptr && !is_live(*proof)) held_.push_back(property);
  std::erase(open_, property);
  return on_settled_(property, std::move(outcome), by);
}

Status Open::give_up(std::size_t property, Reason reason) {
  auto known = undecided_.find(property);
  // That a counterexample was not confirmed says more than that the time is over.
  bool says_more =
      known != undecided_.end() &&
      (!ctx_.stopped() || known->second.verdict() == Verdict(Unknown{Reason::NotNative}));
  return settle(property, says_more ? known->second : check::unknown(reason), {});
}

Status Open::give_up_all(Reason reason) {
  while (!open_.empty()) LEM_TRY(give_up(open_.front(), reason));
  return Ok{};
}

Accepted Open::reject(const Error& why) {
  ++ctx_.stats.counter("app.rejected");
  ctx_.log.info([&] { return "evidence rejected: " + why.message; });
  rejected_ = why;
  return Accepted::No;
}

Result<check::Certified> Open::certify(std::size_t property, Verdict verdict) {
  if (settings_.certify == Certify::No) return check::trust_unchecked(std::move(verdict));
  TimerScope time(ctx_.stats.timer("app.certify"));
  return check::certify(focus(problem_, property), std::move(verdict), ctx_.stop, settings_.native);
}

Result<Accepted> Open::accept(const Found& found, std::string_view by) {
  assert(!is_unknown(found.verdict) && "a finding is a definite verdict");
  for (std::size_t property : found.properties)
    if (property >= problem_.properties.size())
      return reject({{problem_.source.file}, "an answer to no question", ErrorKind::Internal});
  if (among(found.properties).empty()) return Accepted::Yes;
  if (is_safe(found.verdict) && found.properties.size() > 1)
    return accept_proof_of_several(found, by);
  for (std::size_t property : among(found.properties)) {
    Result<check::Certified> outcome = certify(property, found.verdict);
    if (!outcome) return reject(outcome.error());
    if (is_unknown(outcome->verdict())) {  // also when the run is stopped
      if (!outcome->note().empty())
        ctx_.log.info([&] { return "evidence not accepted: " + outcome->note(); });
      if (!ctx_.stopped() || !undecided_.contains(property))
        undecided_.insert_or_assign(property, *std::move(outcome));
      continue;
    }
    ctx_.log.info([&] { return problem_.properties[property].name + ": evidence accepted"; });
    LEM_TRY(settle(property, *std::move(outcome), by));
  }
  return Accepted::Yes;
}

/// The proof is one of all that are claimed, so settled ones stay in it.
Result<Accepted> Open::accept_proof_of_several(const Found& found, std::string_view by) {
  TimerScope time(ctx_.stats.timer("app.certify"));
  Result<std::vector<check::Certified>> outcomes = check::certify_together(
      problem_, found.properties, *certificate_of(found.verdict), ctx_.stop);
  if (!outcomes) return reject(outcomes.error());
  for (std::size_t i = 0; i < found.properties.size(); ++i) {
    bool proved = is_safe((*outcomes)[i].verdict());
    if (!has(found.properties[i]) || !proved) continue;
    LEM_TRY(settle(found.properties[i], std::move((*outcomes)[i]), by));
  }
  return Accepted::Yes;
}

Result<Accepted> Open::try_proof(std::size_t property, Certificate candidate, std::string_view by) {
  Result<check::Certified> outcome =
      check::certify(focus(problem_, property), Safe{std::move(candidate)}, ctx_.stop);
  if (!outcome || !is_safe(outcome->verdict())) return Accepted::No;
  LEM_TRY(settle(property, *std::move(outcome), by));
  return Accepted::Yes;
}

Status Open::check_consistent(const Found& one, const Found& other) {
  if (one.verdict.index() == other.verdict.index()) return Ok{};
  auto holds = [&](std::size_t property, const Verdict& verdict) {
    Result<check::Certified> outcome = certify(property, verdict);
    return outcome && outcome->verdict().index() == verdict.index();
  };
  for (std::size_t property : among(one.properties)) {
    bool both = std::binary_search(other.properties.begin(), other.properties.end(), property);
    if (!both || !holds(property, one.verdict) || !holds(property, other.verdict)) continue;
    ++ctx_.stats.counter("portfolio.contradiction");
    return Error{{}, "two certified answers contradict each other", ErrorKind::Internal};
  }
  return Ok{};
}

}  // namespace lem::run
