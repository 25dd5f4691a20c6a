#include "engine/ipdr/suffixes.h"

#include <array>
#include <cassert>
#include <utility>

#include "model/cone.h"
#include "sat/cadical.h"

namespace lem::engine {

Suffixes::Suffixes(const Problem& problem, std::stop_token stop)
    : problem_(problem),
      solver_(sat::make_cadical()),
      gates_(*solver_),
      cone_(constrained_cone(problem.aig(), {problem.property().bad()})) {
  solver_->set_stop(std::move(stop));
}

void Suffixes::extend() {
  const Aig& aig = problem_.aig();
  std::vector<sat::Lit> now(aig.num_vars(), gates_.falsity());
  auto at = [&](AigLit lit) { return now[lit.var()] ^ lit.negative(); };
  Frame frame;
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
    frame.inputs.push_back(now[aig.input(i).var()] = gates_.leaf());
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    frame.state.push_back(now[aig.latch(i).var()] = gates_.leaf());
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    if (cone_[var]) now[var] = gates_.conj(at(aig.gate_of(var).left), at(aig.gate_of(var).right));
  for (const Latch& latch : aig.latches()) frame.next.push_back(at(latch.next));
  frame.bad = gates_.encoded(at(problem_.property().bad()));
  frame.link = gates_.encoded(gates_.leaf());
  for (AigLit constraint : aig.constraints())
    solver_->add_clause(std::array{gates_.encoded(at(constraint))});
  if (!frames_.empty()) connect(frames_.back(), frame);
  frames_.push_back(std::move(frame));
}

void Suffixes::connect(const Frame& before, const Frame& after) {
  for (std::uint32_t i = 0; i < problem_.aig().num_latches(); ++i) {
    if (!cone_[problem_.aig().latch(i).var()]) continue;
    sat::Lit from = gates_.encoded(before.next[i]);
    sat::Lit to = gates_.encoded(after.state[i]);
    solver_->add_clause(std::array{!before.link, !from, to});
    solver_->add_clause(std::array{!before.link, from, !to});
  }
}

void Suffixes::exclude(Level at, const Cube& cube) {
  const Frame& frame = frames_[index(at)];
  std::vector<sat::Lit> clause;
  for (Lit lit : cube.lits()) {
    std::uint32_t latch = lit.var() - problem_.aig().first_latch();
    clause.push_back(gates_.encoded(frame.state[latch] ^ !lit.negative()));
  }
  solver_->add_clause(clause);
}

sat::SatResult Suffixes::reach_bad(Level from) {
  assert(index(from) < frames_.size() && "the suffix starts after the last step");
  std::vector<sat::Lit> assumptions = {frames_.back().bad};
  for (std::size_t i = index(from); i + 1 < frames_.size(); ++i)
    assumptions.push_back(frames_[i].link);
  return solver_->solve(assumptions);
}

std::vector<Lit> Suffixes::state(Level at) const {
  std::vector<Lit> lits;
  for (std::uint32_t i = 0; i < problem_.aig().num_latches(); ++i) {
    std::uint32_t var = problem_.aig().latch(i).var();
    if (cone_[var]) lits.emplace_back(var, !gates_.value(frames_[index(at)].state[i]));
  }
  return lits;
}

std::vector<Lit> Suffixes::inputs(Level at) const {
  std::vector<Lit> lits;
  for (std::uint32_t i = 0; i < problem_.aig().num_inputs(); ++i) {
    std::uint32_t var = problem_.aig().input(i).var();
    if (cone_[var]) lits.emplace_back(var, !gates_.value(frames_[index(at)].inputs[i]));
  }
  return lits;
}

}  // namespace lem::engine
