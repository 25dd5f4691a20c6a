#include "engine/parts/bits/transition_cnf.h"

#include <cassert>

namespace lem::engine {

/// How often each variable is used in the cone of the roots; roots count twice, so that they always
/// get a definition of their own. 0: outside the cone.
static std::vector<std::uint32_t> count_fanout(const Aig& aig, const std::vector<AigLit>& roots) {
  std::vector<std::uint32_t> fanout(aig.num_vars(), 0);
  for (AigLit root : roots) fanout[root.var()] += 2;
  for (std::uint32_t var = aig.num_vars(); var-- > aig.first_and();) {
    if (fanout[var] == 0) continue;
    ++fanout[aig.gate_of(var).left.var()];
    ++fanout[aig.gate_of(var).right.var()];
  }
  return fanout;
}

TransitionCnf::TransitionCnf(const Problem& problem)
    : aig_(problem.aig()),
      excluded_(2 * std::size_t{problem.aig().num_vars()}, 0),
      defined_(problem.aig().num_vars(), 0),
      depends_(problem.aig().num_vars()) {
  std::vector<AigLit> roots;
  for (const Property& property : problem.properties) {
    roots.push_back(property.bad());
    bad_.push_back(to_lit(property.bad()));
  }
  for (AigLit constraint : aig_.constraints()) {
    roots.push_back(constraint);
    constraints_.push_back(to_lit(constraint));
  }
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
    const Latch& latch = aig_.latches()[i];
    roots.push_back(latch.next);
    if (latch.reset == Reset::Free) continue;
    Lit fixed = to_lit(aig_.latch(i)) ^ (latch.reset == Reset::Zero);
    reset_.push_back(fixed);
    excluded_[(!fixed).code()] = 1;
  }
  for (std::uint32_t var = 0; var < aig_.first_and(); ++var) defined_[var] = 1;
  encode(count_fanout(aig_, roots));
  dependencies_ = std::make_shared<const sat::Dependencies>(std::move(depends_));
}

void TransitionCnf::clause(std::initializer_list<AigLit> lits) {
  std::vector<Lit>& fresh = clauses_.emplace_back();
  for (AigLit lit : lits) fresh.push_back(to_lit(lit));
}

void TransitionCnf::define(std::uint32_t var, std::vector<AigLit> support) {
  for (AigLit lit : support) {
    depends_[var].push_back(lit.var());
    if (aig_.is_and(lit.var())) defined_[lit.var()] = 1;
  }
}

void TransitionCnf::encode(const std::vector<std::uint32_t>& fanout) {
  for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var) {
    if (fanout[var] >= 2) defined_[var] = 1;
  }
  // From the outputs down: a gate used once gets a definition only if its user asks for one.
  for (std::uint32_t var = aig_.num_vars(); var-- > aig_.first_and();) {
    if (defined_[var] == 0 || fanout[var] == 0) continue;
    if (!encode_mux(var, fanout)) encode_and(var, fanout);
  }
}

/// var = !(s & a) & !(!s & b), that is s ? !a : !b, with both inner gates used only here.
bool TransitionCnf::encode_mux(std::uint32_t var, const std::vector<std::uint32_t>& fanout) {
  auto [left, right] = aig_.gate_of(var);
  auto absorbable = [&](AigLit lit) {
    return lit.negative() && aig_.is_and(lit.var()) && fanout[lit.var()] == 1;
  };
  if (!absorbable(left) || !absorbable(right)) return false;
  auto [l0, l1] = aig_.gate_of(left.var());
  auto [r0, r1] = aig_.gate_of(right.var());
  if (l1 == !r0 || l1 == !r1) std::swap(l0, l1);
  if (l0 == !r1) std::swap(r0, r1);
  if (l0 != !r0) return false;
  AigLit out{var, false};
  AigLit select = l0;
  AigLit then_lit = !l1;
  AigLit else_lit = !r1;
  clause({!select, !out, then_lit});
  clause({!select, out, !then_lit});
  clause({select, !out, else_lit});
  clause({select, out, !else_lit});
  if (then_lit != !else_lit) {  // implied, but they propagate before the condition is known
    clause({!then_lit, !else_lit, out});
    clause({then_lit, else_lit, !out});
  }
  define(var, {select, then_lit, else_lit});
  return true;
}

/// var = conjunction of the leaves of the tree of plain gates used only inside it.
void TransitionCnf::encode_and(std::uint32_t var, const std::vector<std::uint32_t>& fanout) {
  std::vector<AigLit> leaves;
  std::vector<AigLit> open{aig_.gate_of(var).right, aig_.gate_of(var).left};
  while (!open.empty()) {
    AigLit lit = open.back();
    open.pop_back();
    bool inner = !lit.negative() && aig_.is_and(lit.var()) && fanout[lit.var()] == 1 &&
                 defined_[lit.var()] == 0;
    if (inner) {
      open.push_back(aig_.gate_of(lit.var()).right);
      open.push_back(aig_.gate_of(lit.var()).left);
    } else {
      leaves.push_back(lit);
    }
  }
  AigLit out{var, false};
  std::vector<Lit> all{to_lit(out)};
  for (AigLit leaf : leaves) {
    clause({!out, leaf});
    all.push_back(to_lit(!leaf));
  }
  clauses_.push_back(std::move(all));
  define(var, std::move(leaves));
}

std::unique_ptr<sat::Cdcl> TransitionCnf::make_free_solver(Track track) const {
  auto solver = std::make_unique<sat::Cdcl>();
  for (std::uint32_t var = 0; var < aig_.num_vars(); ++var) solver->new_var();
  if (track == Track::Latches) {
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) solver->track(aig_.latch(i).var());
  }
  Lit truth = to_lit(kAigTrue);
  solver->add_clause({&truth, 1});
  for (const std::vector<Lit>& lits : clauses_) solver->add_clause(lits);
  solver->set_dependencies(dependencies_);
  return solver;
}

std::unique_ptr<sat::Cdcl> TransitionCnf::make_solver(Track track) const {
  std::unique_ptr<sat::Cdcl> solver = make_free_solver(track);
  for (Lit constraint : constraints_) {
    solver->add_clause({&constraint, 1});
    solver->always(constraint.var());
  }
  return solver;
}

}  // namespace lem::engine
