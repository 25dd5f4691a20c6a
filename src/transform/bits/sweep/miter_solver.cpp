#include "transform/bits/sweep/miter_solver.h"

#include <array>
#include <memory>
#include <utility>

namespace lem::transform {

MiterSolver::MiterSolver(const Aig& graph, std::span<const AigLit> roots, std::uint64_t conflicts,
                         std::stop_token stop)
    : sat_var_(graph.num_vars(), kNotLoaded) {
  solver_.set_stop(std::move(stop));
  solver_.limit_conflicts(conflicts);
  std::vector<std::uint32_t> gates = number_variables(graph, roots);
  std::vector<std::vector<sat::Var>> dependencies(solver_.num_vars());
  for (std::uint32_t var : gates) {
    auto [left, right] = graph.gate_of(var);
    dependencies[sat_var_[var]] = {sat_var_[left.var()], sat_var_[right.var()]};
  }
  solver_.set_dependencies(std::make_shared<const sat::Dependencies>(std::move(dependencies)));

  auto add = [&](std::initializer_list<sat::Lit> clause) {
    solver_.add_clause(std::span(clause.begin(), clause.size()));
  };
  add({to_sat(kAigTrue)});
  for (std::uint32_t var : gates) {
    sat::Lit gate = to_sat(AigLit(var, false));
    sat::Lit left = to_sat(graph.gate_of(var).left);
    sat::Lit right = to_sat(graph.gate_of(var).right);
    add({!gate, left});
    add({!gate, right});
    add({gate, !left, !right});
  }
}

/// Gives variables to the constant and the cones; returns the gates in ascending order.
std::vector<std::uint32_t> MiterSolver::number_variables(const Aig& graph,
                                                         std::span<const AigLit> roots) {
  constexpr sat::Var kMarked = 0;
  std::vector<std::uint32_t> pending(1, 0);
  for (AigLit root : roots) pending.push_back(root.var());
  while (!pending.empty()) {
    std::uint32_t var = pending.back();
    pending.pop_back();
    if (sat_var_[var] != kNotLoaded) continue;
    sat_var_[var] = kMarked;
    if (!graph.is_and(var)) continue;
    pending.push_back(graph.gate_of(var).left.var());
    pending.push_back(graph.gate_of(var).right.var());
  }
  std::vector<std::uint32_t> gates;
  for (std::uint32_t var = 0; var < graph.num_vars(); ++var) {
    if (sat_var_[var] == kNotLoaded) continue;
    sat_var_[var] = solver_.new_var();
    if (graph.is_and(var)) gates.push_back(var);
  }
  return gates;
}

void MiterSolver::assume(const Miter& equality) {
  assert(is_loaded(equality.left) && is_loaded(equality.right) && "assumption is not loaded");
  sat::Lit left = to_sat(equality.left);
  sat::Lit right = to_sat(equality.right);
  solver_.add_clause(std::array{left, !right});
  solver_.add_clause(std::array{!left, right});
  solver_.always(left.var());
  solver_.always(right.var());
}

sat::SatResult MiterSolver::ask(AigLit left, AigLit right) {
  assert(is_loaded(left) && is_loaded(right) && "query is not loaded");
  return solver_.solve_confined(std::array{to_sat(left), to_sat(right)}, {});
}

}  // namespace lem::transform
