// Several properties on one set of frames, as in ABC's `pdr -a`: every frame is strengthened for
// one open property after the other. Frames over-approximate what is reachable and do not depend
// on a property, so nothing is lost when one is settled. What F_infinity proves alone is
// reported before the rest converges.
#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "engine/ic3/search.h"
#include "engine/parts/bits/valuation.h"

namespace lem::engine {

void Ic3Search::run(const OnFound& found) {
  search(found);
  finish();
}

void Ic3Search::search(const OnFound& found) {
  open_.resize(problem_.properties.size());
  std::iota(open_.begin(), open_.end(), std::size_t{0});
  report_proved(found);  // those that fail nowhere
  while (!open_.empty() && strengthen_all(found)) {
    frames_.extend();
    if (auto fixpoint = propagate()) {
      if (!open_.empty()) found({open_, Safe{frames_.invariant(*fixpoint)}});
      return;
    }
    report_proved(found);
  }
}

/// The loop of one frame, for each open property.   ensure: false if the run is stopped
bool Ic3Search::strengthen_all(const OnFound& found) {
  for (std::size_t property : std::vector(open_)) {
    auto is_open = [&] { return std::find(open_.begin(), open_.end(), property) != open_.end(); };
    while (is_open()) {
      Outcome outcome = strengthen(property);
      if (stopped()) return false;
      if (outcome == Outcome::Done) break;
      if (outcome == Outcome::Counterexample)
        report_violated(found);
      else
        close(property);  // too hard to be asked beside others
    }
  }
  return true;
}

/// Every open property that fails at the end of the trace.
void Ic3Search::report_violated(const OnFound& found) {
  const Aig& aig = problem_.aig();
  std::vector<bool> state = trace_->initial;
  std::vector<bool> values;
  for (const std::vector<bool>& inputs : trace_->inputs) {
    values = signal_values(aig, state, inputs);
    state = next_state(aig, values);
  }
  std::vector<std::size_t> violated;
  for (std::size_t property : open_) {
    AigLit bad = problem_.properties[property].bad();
    if (values[bad.var()] != bad.negative()) violated.push_back(property);
  }
  assert(!violated.empty() && "obligations are of open properties");
  for (std::size_t property : violated) close(property);
  found({std::move(violated), Unsafe{*std::exchange(trace_, std::nullopt)}});
}

/// Every open property that F_infinity excludes.
void Ic3Search::report_proved(const OnFound& found) {
  std::vector<std::size_t> proved;
  for (std::size_t property : open_)
    if (!stopped() && frames_.good_for_good(property)) proved.push_back(property);
  if (proved.empty()) return;
  for (std::size_t property : proved) close(property);
  found({std::move(proved), Safe{frames_.invariant_for_good()}});
}

/// Its obligations go with it: they are not told apart, and those of others are found again.
void Ic3Search::close(std::size_t property) {
  std::erase(open_, property);
  obligations_.clear(next(frames_.top()));
}

}  // namespace lem::engine
