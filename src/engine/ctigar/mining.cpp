#include "engine/ctigar/mining.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

static constexpr std::uint32_t kMaxFactor = 64;  // of an equality

StateMiner::StateMiner(const TermSystem& system, std::size_t threshold)
    : terms_(system.terms()), threshold_(threshold) {
  for (Term variable : system.current()) {
    SortKind kind = terms_.kind(variable);
    if (kind == SortKind::Bool) bools_.push_back(variable);
    if (kind == SortKind::Int || kind == SortKind::Real || kind == SortKind::BitVec)
      numbers_.push_back(variable);
  }
}

std::vector<Term> StateMiner::record(const TermMap& state) {
  if (threshold_ == 0 || numbers_.empty()) return {};
  std::vector<Term> location;
  AffinePoint point;
  for (Term variable : bools_) location.push_back(state.at(variable));
  for (Term variable : numbers_) point.push_back(affine_coordinate(terms_, state.at(variable)));
  std::vector<AffinePoint>& states = by_location_[location];
  if (std::find(states.begin(), states.end(), point) == states.end())
    states.push_back(std::move(point));
  assert(states.size() <= threshold_ && "states leave when there are enough");
  if (states.size() < threshold_) return {};
  Candidate found = best(states);
  if (found.covered == 0) {
    states.erase(states.begin());
    return {};
  }
  std::erase_if(states, [&](const AffinePoint& each) { return found.equation.holds_at(each); });
  auto sides = affine_sides(terms_, numbers_, found.equation);
  if (!sides) return {};
  return {terms_.make_eq(sides->first, sides->second)};
}

bool StateMiner::Candidate::better_than(const Candidate& other) const {
  return covered != other.covered ? covered > other.covered : variables < other.variables;
}

/// The equality over at most two variables that covers the most states, of those one with the
/// fewest variables.
StateMiner::Candidate StateMiner::best(const std::vector<AffinePoint>& states) const {
  Candidate best;
  for (std::size_t x = 0; x < numbers_.size(); ++x) {
    consider(states, {x}, best);
    for (std::size_t y = x + 1; y < numbers_.size(); ++y)
      if (terms_.sort(numbers_[x]) == terms_.sort(numbers_[y])) consider(states, {x, y}, best);
  }
  return best;
}

/// Equalities over the variables `among`: through one state, or through two.
void StateMiner::consider(const std::vector<AffinePoint>& states, std::vector<std::size_t> among,
                          Candidate& best) const {
  assert((among.size() == 1 || among.size() == 2) && "one variable or two");
  auto part = [&](const AffinePoint& state) {
    AffinePoint coordinates;
    for (std::size_t i : among) coordinates.push_back(state[i]);
    return coordinates;
  };
  for (std::size_t i = 0; i < states.size(); ++i)
    for (std::size_t j = among.size() == 1 ? i : i + 1; j < states.size(); ++j) {
      if (among.size() == 1 && j != i) break;
      std::vector<AffineEquation> hull = affine_hull({part(states[i]), part(states[j])}, 0);
      if (hull.size() != 1) continue;
      AffineSize size = size_of(hull[0]);
      if (size.factor > kMaxFactor || size.variables != among.size()) continue;
      Candidate candidate{
          {std::vector<mpq_class>(numbers_.size()), hull[0].constant}, 0, among.size()};
      for (std::size_t k = 0; k < among.size(); ++k)
        candidate.equation.coefficients[among[k]] = hull[0].coefficients[k];
      for (const AffinePoint& state : states)
        candidate.covered += candidate.equation.holds_at(state) ? 1 : 0;
      // As many states as it has parameters lie on it by construction.
      if (candidate.covered <= among.size()) continue;
      if (candidate.better_than(best)) best = std::move(candidate);
    }
}

}  // namespace lem::engine
