#include "run/methods/unrolling.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lem::run {

namespace {

constexpr std::uint32_t kSteps = 40;                    // of the unrolling, if the time suffices
constexpr std::uint32_t kInductionSteps = 6;            // largest k that is worth it before IC3
constexpr std::chrono::milliseconds kQuestionTime{20};  // of the first unrolling
constexpr std::uint32_t kMostGrowth = 4;                // how often that grows

}  // namespace

std::vector<std::size_t> Unrolling::open_among(std::span<const std::size_t> properties) const {
  std::vector<std::size_t> open;
  for (std::size_t property : properties)
    if (!closed_.contains(property)) open.push_back(property);
  return open;
}

void Unrolling::run(const std::vector<std::size_t>& members) {
  auto limit = kQuestionTime * (1U << 3 * std::min(number_, kMostGrowth));
  paths_ = make_paths(problem_, members, limit, ctx_.stop);
  for (std::uint32_t k = 0; k < kSteps && !ctx_.stopped(); ++k) {
    if (ctx_.progress.due()) ctx_.progress.publish("joint unrolling: step " + std::to_string(k));
    paths_->extend();
    if (k > 0 && k <= kInductionSteps + 2 * number_) induct(k, open_among(members));
    search(open_among(members));
    if (open_among(members).empty()) return;
  }
}

/// Who fails at the last step: all in one question, one by one where that takes too long. Those
/// that take too long alone are set aside.
void Unrolling::search(std::vector<std::size_t> all) {
  std::vector<std::vector<std::size_t>> questions{std::move(all)};
  while (!questions.empty() && !ctx_.stopped()) {
    std::vector<std::size_t> among = std::move(questions.back());
    questions.pop_back();
    if (among.empty()) continue;
    switch (paths_->some_fails(among)) {
      case smt::Answer::Unsat:
        paths_->none_fails(among);
        break;
      case smt::Answer::Sat: {
        std::vector<std::size_t> failed;
        for (std::size_t property : among)
          if (paths_->fails(property)) failed.push_back(property);
        if (!failed.empty()) found_({failed, Unsafe{paths_->run()}});
        // None: the model does not say which.
        closed_.insert(failed.empty() ? among.begin() : failed.begin(),
                       failed.empty() ? among.end() : failed.end());
        questions.push_back(open_among(among));
        break;
      }
      case smt::Answer::Unknown:
        if (among.size() == 1)
          closed_.insert(among.front());
        else
          for (std::size_t property : among) questions.push_back({property});
    }
  }
}

void Unrolling::remove_failing(std::vector<std::size_t>& candidates,
                               std::span<const std::size_t> among) {
  std::erase_if(candidates, [&](std::size_t property) {
    return std::find(among.begin(), among.end(), property) != among.end() &&
           paths_->fails_after_good(property);
  });
}

/// The largest set of candidates that k good steps of all of them keep good, beside what is proved.
///   require: none of them fails within the first k steps
void Unrolling::induct(std::uint32_t k, std::vector<std::size_t> candidates) {
  for (bool one_by_one = false; !candidates.empty();) {
    smt::Answer answer = paths_->some_fails_after_good(candidates, candidates);
    if (answer == smt::Answer::Unsat) break;
    std::size_t before = candidates.size();
    if (answer == smt::Answer::Sat) {
      remove_failing(candidates, std::vector(candidates));
      if (candidates.size() == before) return;  // the model does not say which
      continue;
    }
    if (one_by_one) return;
    one_by_one = true;
    for (std::size_t property : std::vector(candidates)) {
      std::size_t alone[] = {property};
      smt::Answer single = paths_->some_fails_after_good(candidates, alone);
      if (single == smt::Answer::Sat) remove_failing(candidates, alone);
      if (single == smt::Answer::Unknown) std::erase(candidates, property);
    }
  }
  if (candidates.empty()) return;
  paths_->never_fail(candidates);
  closed_.insert(candidates.begin(), candidates.end());
  proved_.insert(proved_.end(), candidates.begin(), candidates.end());
  std::sort(proved_.begin(), proved_.end());
  found_({proved_, Safe{k_inductive(k)}});
}

Certificate Unrolling::k_inductive(std::uint32_t k) const {
  if (problem_.is_terms()) return TermInvariant{problem_.system().terms().boolean(true), k};
  if (k == 1) return InductiveInvariant{};
  return KInductive{k, SimplePath::No, {}};
}

}  // namespace lem::run
