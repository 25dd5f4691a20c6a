#include "engine/ic3cfa/answers.h"

#include <algorithm>
#include <cassert>

#include "base/assert.h"

namespace lem::engine {

CfaAnswers::CfaAnswers(const CfaFrames& frames, const CfaSteps& steps, std::size_t capacity,
                       Stats& stats)
    : frames_(frames), steps_(steps), capacity_(capacity), stats_(stats) {}

std::optional<CfaAnswers::Known> CfaAnswers::find(const Question& question) {
  if (!enabled()) return {};
  auto [first, last] = by_question_.equal_range(step_cube_hash(question.step, question.cube));
  for (auto at = first; at != last; ++at) {
    if (!holds(*at->second, question)) continue;
    ++stats_.cache_hits;
    entries_.splice(entries_.begin(), entries_, at->second);
    return entries_.front().known;
  }
  ++stats_.cache_misses;
  return {};
}

bool CfaAnswers::holds(const Entry& entry, const Question& question) const {
  if (entry.step != question.step || !(entry.cube == question.cube)) return false;
  LocationId at = steps_[entry.step].from;
  switch (entry.known.answer) {
    case smt::Answer::Unsat:
      return stronger(entry, at, question.from);
    case smt::Answer::Sat:
      return weaker(entry, at, question.from);
    case smt::Answer::Unknown:
      return entry.limit != 0 && question.limit != 0 && question.limit <= entry.limit &&
             entry.level == question.from && entry.lemmas == frames_.history(at).size();
  }
  unreachable();
}

/// F_(now,at) of today implies the frame that was asked.
bool CfaAnswers::stronger(const Entry& entry, LocationId at, Level now) const {
  assert(entry.lemmas <= frames_.history(at).size() && "a history only grows");
  if (now <= entry.level) return true;
  std::span<const CfaFrames::Added> then = frames_.history(at).first(entry.lemmas);
  return std::all_of(then.begin(), then.end(), [&](const CfaFrames::Added& lemma) {
    return lemma.level < entry.level || lemma.level >= now ||
           frames_.excluding(at, now, lemma.cube) != nullptr;
  });
}

/// The frame that was asked implies F_(now,at) of today.
bool CfaAnswers::weaker(const Entry& entry, LocationId at, Level now) const {
  assert(entry.lemmas <= frames_.history(at).size() && "a history only grows");
  std::span<const CfaFrames::Added> history = frames_.history(at);
  std::span<const CfaFrames::Added> then = history.first(entry.lemmas);
  std::span<const CfaFrames::Added> fresh =
      now < entry.level ? history : history.subspan(entry.lemmas);
  return std::all_of(fresh.begin(), fresh.end(), [&](const CfaFrames::Added& lemma) {
    return lemma.level < now ||
           std::any_of(then.begin(), then.end(), [&](const CfaFrames::Added& known) {
             return known.level >= entry.level && known.cube.subsumes(lemma.cube);
           });
  });
}

/// One answer of each kind is kept of a question, the last one.
void CfaAnswers::remember(const Question& question, Known known) {
  if (!enabled()) return;
  assert((known.answer == smt::Answer::Unsat || known.core.empty()) && "a core is of an Unsat");
  std::size_t lemmas = frames_.history(steps_[question.step].from).size();
  std::uint64_t hash = step_cube_hash(question.step, question.cube);
  Entry entry{question.step, question.cube, std::move(known),
              question.from, lemmas,        question.limit};
  auto [first, last] = by_question_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const Entry& other = *at->second;
    if (other.step != entry.step || !(other.cube == entry.cube) ||
        other.known.answer != entry.known.answer)
      continue;
    *at->second = std::move(entry);
    entries_.splice(entries_.begin(), entries_, at->second);
    return;
  }
  if (entries_.size() >= capacity_) forget_oldest();
  entries_.push_front(std::move(entry));
  by_question_.emplace(hash, entries_.begin());
  assert(entries_.size() == by_question_.size() && "every answer is indexed once");
  assert(entries_.size() <= capacity_ && "the oldest answer makes room");
}

void CfaAnswers::forget_oldest() {
  assert(!entries_.empty() && "there is an answer to forget");
  auto oldest = std::prev(entries_.end());
  auto [first, last] = by_question_.equal_range(step_cube_hash(oldest->step, oldest->cube));
  by_question_.erase(std::find_if(first, last, [&](auto& at) { return at.second == oldest; }));
  entries_.erase(oldest);
}

}  // namespace lem::engine
