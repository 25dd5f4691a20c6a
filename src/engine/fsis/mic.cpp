#include "engine/fsis/mic.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lem::engine {

Mic::Mic(const TransitionCnf& cnf, sat::Cdcl& solver, Implicate implicate, MicEffort effort)
    : cnf_(cnf), solver_(solver), implicate_(implicate), effort_(effort) {}

/// [Lange18 Alg. 7].
std::optional<Cube> Mic::mic(const Cube& cube) {
  std::optional<Cube> largest = down(cube);
  if (!largest || effort_ == MicEffort::Down) return largest;
  Cube prime = implicate(*largest);
  return effort_ == MicEffort::Minimal ? minimize(std::move(prime)) : prime;
}

/// Initiation fails when I & !d is satisfiable (the printed algorithm has it the other way round).
std::optional<Cube> Mic::down(Cube cube) {
  while (!cnf_.meets_reset(cube.lits())) {
    switch (consecution(cube.lits(), cube.lits())) {
      case Answer::Holds:
        return cube;
      case Answer::Stopped:
        return {};
      case Answer::Fails:
        break;
    }
    Cube smaller = common_with_model(cube);
    assert(smaller.size() < cube.size() && "the model's state is not in the cube");
    cube = std::move(smaller);
  }
  return {};
}

/// P-hat & F & !premise & T & conclusion' unsatisfiable? P at this step is part of P-hat.
Mic::Answer Mic::consecution(std::span<const Lit> premise, std::span<const Lit> conclusion) {
  std::vector<Lit> assumptions = {!cnf_.bad()};
  for (Lit lit : conclusion) assumptions.push_back(cnf_.next(lit));
  std::vector<Lit> clause;
  for (Lit lit : premise) clause.push_back(!lit);
  ++queries_;
  switch (solver_.solve_confined(assumptions, clause)) {
    case sat::SatResult::Unsat:
      return Answer::Holds;
    case sat::SatResult::Sat:
      return Answer::Fails;
    case sat::SatResult::Stopped:
      return Answer::Stopped;
  }
  unreachable();
}

/// A literal whose latch the model leaves open is dropped too: the open latch can take the value
/// that disagrees, so the overapproximation of the state in the lattice lacks it.
Cube Mic::common_with_model(const Cube& cube) const {
  std::vector<Lit> common;
  for (Lit lit : cube.lits())
    if (solver_.model(lit) == sat::Truth::True) common.push_back(lit);
  return Cube(std::move(common));
}

Cube Mic::implicate(const Cube& cube) {
  premise_.assign(cube.lits().begin(), cube.lits().end());
  return Cube(implicate_ == Implicate::Linear ? linear(premise_) : binary(premise_, {}));
}

/// rho => part or support, and initiation.
bool Mic::implied(const std::vector<Lit>& part, const std::vector<Lit>& support) {
  std::vector<Lit> all = part;
  all.insert(all.end(), support.begin(), support.end());
  return !cnf_.meets_reset(all) && consecution(premise_, all) == Answer::Holds;
}

/// [Lange18 Alg. 5], as a loop. The literals kept so far belong to the clause that is tested; the
/// printed query leaves them out, and then keeps literals that are not needed.
std::vector<Lit> Mic::linear(std::vector<Lit> rest) {
  std::vector<Lit> kept;
  while (!rest.empty()) {
    Lit head = rest.back();
    rest.pop_back();
    if (stop_.stop_requested() || !implied(rest, kept)) kept.push_back(head);
  }
  return kept;
}

/// [Lange18 Alg. 6].  require: part or support is implied, support alone is not
std::vector<Lit> Mic::binary(std::vector<Lit> part, const std::vector<Lit>& support) {
  if (part.size() <= 1 || stop_.stop_requested()) return part;
  auto middle = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
  std::vector<Lit> left(part.begin(), middle), right(middle, part.end());
  if (implied(left, support)) return binary(std::move(left), support);
  if (implied(right, support)) return binary(std::move(right), support);
  auto with = [](std::vector<Lit> a, const std::vector<Lit>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  left = binary(std::move(left), with(support, right));
  right = binary(std::move(right), with(support, left));
  return with(std::move(left), right);
}

/// [Bradley07 MIC]: looks below each element of the clause for a smaller inductive one.
Cube Mic::minimize(Cube cube) {
  std::vector<Lit> tried;
  while (!stop_.stop_requested()) {
    auto fresh = std::find_if(cube.lits().begin(), cube.lits().end(), [&](Lit lit) {
      return std::find(tried.begin(), tried.end(), lit) == tried.end();
    });
    if (fresh == cube.lits().end()) break;
    tried.push_back(*fresh);
    std::vector<Lit> without;
    for (Lit lit : cube.lits())
      if (lit != *fresh) without.push_back(lit);
    if (std::optional<Cube> smaller = down(Cube(std::move(without)))) cube = implicate(*smaller);
  }
  return cube;
}

}  // namespace lem::engine
