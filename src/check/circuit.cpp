#include "check/circuit.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "sat/cadical.h"

namespace lem::check {

Circuit::Circuit() : nodes_(1), table_(1U << 12, 0) {}

AigLit Circuit::fresh() {
  AigLit lit{num_vars(), false};
  nodes_.push_back({lit, lit});
  return lit;
}

std::size_t Circuit::slot(AigLit left, AigLit right) const {
  std::uint64_t key = (std::uint64_t{left.code()} << 32) | right.code();
  key *= 0x9e3779b97f4a7c15U;  // multiplicative hashing: the high bits are the mixed ones
  std::size_t mask = table_.size() - 1;
  std::size_t at = static_cast<std::size_t>(key >> 24) & mask;
  while (table_[at] != 0) {
    const AndGate& gate = nodes_[table_[at]];
    if (gate.left == left && gate.right == right) return at;
    at = (at + 1) & mask;
  }
  return at;
}

void Circuit::grow() {
  table_.assign(2 * table_.size(), 0);
  for (std::uint32_t var = 1; var < num_vars(); ++var)
    if (is_gate(var)) table_[slot(nodes_[var].left, nodes_[var].right)] = var;
}

AigLit Circuit::both(AigLit left, AigLit right) {
  if (left < right) std::swap(left, right);
  if (right == kAigFalse || left == !right) return kAigFalse;
  if (right == kAigTrue || left == right) return left;
  if (2 * nodes_.size() > table_.size()) grow();
  std::size_t at = slot(left, right);
  if (table_[at] == 0) {
    table_[at] = num_vars();
    nodes_.push_back({left, right});
  }
  return {table_[at], false};
}

AigLit Circuit::differ(AigLit left, AigLit right) {
  return either(both(left, !right), both(!left, right));
}

std::optional<Circuit::Multiplexer> Circuit::multiplexer(std::uint32_t var) const {
  AigLit left = nodes_[var].left;
  AigLit right = nodes_[var].right;
  if (!left.negative() || !right.negative() || !is_gate(left.var()) || !is_gate(right.var()))
    return std::nullopt;
  AndGate a = nodes_[left.var()];
  AndGate b = nodes_[right.var()];
  if (a.right == !b.left || a.right == !b.right) std::swap(a.left, a.right);
  if (a.left == !b.right) std::swap(b.left, b.right);
  if (a.left != !b.left) return std::nullopt;
  return Multiplexer{a.left, !a.right, !b.right};
}

Cone cone_of(const Aig& aig, std::span<const AigLit> roots) {
  Cone cone(aig.num_vars(), false);
  for (AigLit root : roots) cone[root.var()] = true;
  for (std::uint32_t var = aig.num_vars(); var-- > aig.first_and();) {
    if (!cone[var]) continue;
    cone[aig.gate_of(var).left.var()] = true;
    cone[aig.gate_of(var).right.var()] = true;
  }
  return cone;
}

Step::Step(Circuit& circuit, const Aig& aig, std::span<const AigLit> leaves, const Cone& cone)
    : value_(aig.num_vars()) {
  assert(leaves.size() + 1 == aig.first_and() && "one value for each input and latch");
  std::copy(leaves.begin(), leaves.end(), value_.begin() + 1);
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var) {
    if (!cone[var]) continue;
    const AndGate& gate = aig.gate_of(var);
    value_[var] = circuit.both((*this)[gate.left], (*this)[gate.right]);
  }
}

Refutation::Refutation(const Circuit& circuit, std::stop_token stop)
    : circuit_(circuit), solver_(sat::make_cadical()), stop_(std::move(stop)) {
  solver_->set_stop(stop_);
}

/// Tseitin encoding of the cone of `lit`, as far as it is not there yet.
sat::Lit Refutation::encode(AigLit lit) {
  if (var_.size() < circuit_.num_vars()) var_.resize(circuit_.num_vars(), 0);
  auto known = [&](AigLit each) {
    std::uint32_t& var = var_[each.var()];
    if (var == 0) {
      var = solver_->new_var() + 1;
      if (circuit_.is_gate(each.var())) todo_.push_back(each.var());
    }
    return sat::Lit(var - 1, each.negative());
  };
  sat::Lit result = known(lit);
  while (!todo_.empty()) {
    std::uint32_t var = todo_.back();
    todo_.pop_back();
    sat::Lit out(var_[var] - 1, false);
    if (auto mux = circuit_.multiplexer(var)) {
      sat::Lit condition = known(mux->condition);
      sat::Lit then_lit = known(mux->then_lit);
      sat::Lit else_lit = known(mux->else_lit);
      add({!out, !condition, then_lit});
      add({!out, condition, else_lit});
      add({out, !condition, !then_lit});
      add({out, condition, !else_lit});
      continue;
    }
    sat::Lit left = known(circuit_.gate(var).left);
    sat::Lit right = known(circuit_.gate(var).right);
    add({!out, left});
    add({!out, right});
    add({out, !left, !right});
  }
  return result;
}

void Refutation::require_any(std::span<const AigLit> clause) {
  std::vector<sat::Lit> lits;
  for (AigLit lit : clause) {
    if (lit == kAigTrue) return;
    if (lit != kAigFalse) lits.push_back(encode(lit));
  }
  solver_->add_clause(lits);
}

void Refutation::ask_for_violation(std::span<const std::vector<AigLit>> clauses) {
  violations_.clear();
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const std::vector<AigLit>& clause = clauses[i];
    if (std::find(clause.begin(), clause.end(), kAigTrue) != clause.end()) continue;
    sat::Lit selector(solver_->new_var(), false);
    for (AigLit lit : clause)
      if (lit != kAigFalse) add({!selector, !encode(lit)});
    violations_.push_back({selector, i});
  }
  question_ = sat::Lit(solver_->new_var(), false);
  asked_ = true;
  std::vector<sat::Lit> some{!question_};
  for (const Violation& violation : violations_) some.push_back(violation.selector);
  solver_->add_clause(some);
}

sat::SatResult Refutation::solve() {
  if (stop_.stop_requested()) return sat::SatResult::Stopped;
  if (asked_ && violations_.empty()) return sat::SatResult::Unsat;
  if (!asked_) return solver_->solve({});
  return solver_->solve({&question_, 1});
}

sat::SatResult Refutation::solve_under(std::span<const AigLit> assumptions) {
  if (stop_.stop_requested()) return sat::SatResult::Stopped;
  std::vector<sat::Lit> lits;
  for (AigLit lit : assumptions) lits.push_back(encode(lit));
  return solver_->solve(lits);
}

bool Refutation::failed(AigLit assumption) const {
  return solver_->failed({var_[assumption.var()] - 1, assumption.negative()});
}

std::vector<bool> Refutation::assignment() const {
  std::vector<bool> value(circuit_.num_vars(), false);
  for (std::uint32_t var = 1; var < circuit_.num_vars(); ++var) {
    const AndGate& gate = circuit_.gate(var);
    if (circuit_.is_gate(var)) {
      value[var] = value[gate.left.var()] != gate.left.negative() &&
                   value[gate.right.var()] != gate.right.negative();
    } else if (var < var_.size() && var_[var] != 0) {
      value[var] = solver_->value({var_[var] - 1, false});
    }
  }
  return value;
}

std::size_t Refutation::violated() const {
  for (const Violation& violation : violations_)
    if (solver_->value(violation.selector)) return violation.clause;
  unreachable();
}

}  // namespace lem::check
