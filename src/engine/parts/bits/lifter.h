// Lifting: from one state and its inputs to a cube of states that all do the same step. Two ways,
// alone or one after the other: justification, a ternary simulation that walks back from the
// targets and keeps only what forces them [Een11]; and the unsat core of "these inputs and this
// state miss a target" [Chockler11].
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/parts/bits/transition_cnf.h"

namespace lem::engine {

enum class Lift : std::uint8_t { None, Core, Ternary, Both, Model };
constexpr std::string_view words(Lift) {
  return "none|core|ternary|both|model";
}

struct Lifted {
  std::vector<Lit> state;
  std::vector<Lit> inputs;
};

class Lifter {
 public:
  Lifter(const TransitionCnf& cnf, Lift mode, std::uint32_t rounds);

  /// `targets` and all constraints are true in the solver's last model, with a cone that covers
  /// them.
  ///   ensure: every state in `state` satisfies targets and constraints under `inputs`
  Lifted lift(sat::Cdcl& solver, std::span<const Lit> targets, std::span<const double> activity);

  void set_stop(std::stop_token stop) { solver_->set_stop(std::move(stop)); }
  std::uint64_t queries() const { return solver_->counts().queries; }

 private:
  bool value(const sat::Cdcl& solver, AigLit lit);
  void read_all(sat::Cdcl& solver);
  void justify(const sat::Cdcl& solver);
  void need(Lit lit);
  void shrink_by_core(std::span<const double> activity);

  const TransitionCnf& cnf_;
  Lift mode_;
  std::uint32_t rounds_;
  std::unique_ptr<sat::Cdcl> solver_;
  std::vector<std::uint32_t> stamp_;     // needed by the justification under way
  std::vector<std::uint32_t> computed_;  // value of an absorbed gate known: 2 * stamp + value
  std::uint32_t now_ = 0;
  std::vector<std::uint32_t> open_;
  std::vector<Lit> targets_;
  std::vector<Lit> miss_;  // the temporary clause: some target is false
  std::vector<Lit> assumptions_;
  Lifted result_;
};

}  // namespace lem::engine
