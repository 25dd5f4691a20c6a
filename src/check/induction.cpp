#include "check/induction.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "check/circuit.h"

namespace lem::check {

namespace {

enum class Start : std::uint8_t { Reset, Anywhere };

/// `count` consecutive steps, each as far as Q, the constraints and later steps need it.
class Run {
 public:
  Run(const Induction& induction, Start start, std::uint32_t count);

  const Circuit& circuit() const { return circuit_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(steps_.size()); }
  /// The clauses of Q at a step, the property first.
  std::vector<SignalClause> q(std::uint32_t step) const;
  void require_constraints(Refutation& refutation, std::uint32_t step) const {
    for (AigLit lit : induction_.aig.constraints()) refutation.require(steps_[step][lit]);
  }
  /// Requires that states differ which are the same in the last answer; false if there are none.
  /// Lazily, as all pairs are quadratic in k and most runs differ without being told.
  bool rule_out_repetitions(Refutation& refutation);

 private:
  std::vector<Cone> cones(std::uint32_t count) const;
  std::vector<AigLit> first_latches(Start start);

  const Induction& induction_;
  Circuit circuit_;
  std::vector<Step> steps_;
  std::vector<std::vector<AigLit>> latches_;  // of each step
  std::vector<std::uint32_t> state_;          // latches whose values tell states apart
};

std::vector<AigLit> roots_of(const Induction& induction) {
  std::vector<AigLit> roots(induction.aig.constraints().begin(), induction.aig.constraints().end());
  roots.push_back(induction.bad);
  for (const SignalClause& clause : induction.clauses)
    roots.insert(roots.end(), clause.begin(), clause.end());
  return roots;
}

void add_next_of(const Aig& aig, const Cone& cone, std::vector<AigLit>& roots) {
  for (std::uint32_t var = aig.first_latch(); var < aig.first_and(); ++var)
    if (cone[var]) roots.push_back(aig.latch_of(var).next);
}

/// The cone over any number of steps.
Cone sequential_cone(const Induction& induction) {
  const Aig& aig = induction.aig;
  Cone cone(aig.num_vars(), false);
  std::vector<AigLit> todo = roots_of(induction);
  while (!todo.empty()) {
    std::uint32_t var = todo.back().var();
    todo.pop_back();
    if (cone[var]) continue;
    cone[var] = true;
    if (aig.is_latch(var)) todo.push_back(aig.latch_of(var).next);
    if (!aig.is_and(var)) continue;
    todo.push_back(aig.gate_of(var).left);
    todo.push_back(aig.gate_of(var).right);
  }
  return cone;
}

std::vector<Cone> Run::cones(std::uint32_t count) const {
  if (induction_.simple_path == SimplePath::Yes)
    return std::vector<Cone>(count, sequential_cone(induction_));
  std::vector<Cone> result(count);
  const std::vector<AigLit> own = roots_of(induction_);
  for (std::uint32_t step = count; step-- > 0;) {
    std::vector<AigLit> roots = own;
    if (step + 1 < count) add_next_of(induction_.aig, result[step + 1], roots);
    result[step] = cone_of(induction_.aig, roots);
  }
  return result;
}

std::vector<AigLit> Run::first_latches(Start start) {
  std::vector<AigLit> values;
  for (const Latch& latch : induction_.aig.latches()) {
    bool free = start == Start::Anywhere || latch.reset == Reset::Free;
    values.push_back(free ? circuit_.fresh() : kAigFalse ^ (latch.reset == Reset::One));
  }
  return values;
}

Run::Run(const Induction& induction, Start start, std::uint32_t count) : induction_(induction) {
  const Aig& aig = induction.aig;
  const std::vector<Cone> cone = cones(count);
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    if (cone.back()[aig.latch(i).var()]) state_.push_back(i);
  latches_.push_back(first_latches(start));
  for (std::uint32_t step = 0; step < count; ++step) {
    std::vector<AigLit> leaves;
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) leaves.push_back(circuit_.fresh());
    leaves.insert(leaves.end(), latches_[step].begin(), latches_[step].end());
    steps_.emplace_back(circuit_, aig, leaves, cone[step]);
    if (step + 1 == count) break;
    std::vector<AigLit>& next = latches_.emplace_back(aig.num_latches());
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      if (cone[step + 1][aig.latch(i).var()]) next[i] = steps_[step][aig.latches()[i].next];
  }
}

std::vector<SignalClause> Run::q(std::uint32_t step) const {
  std::vector<SignalClause> result{{!steps_[step][induction_.bad]}};
  for (const SignalClause& clause : induction_.clauses) {
    SignalClause& copy = result.emplace_back();
    for (AigLit lit : clause) copy.push_back(steps_[step][lit]);
  }
  return result;
}

bool Run::rule_out_repetitions(Refutation& refutation) {
  const std::vector<bool> value = refutation.assignment();
  auto holds = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
  bool found = false;
  for (std::uint32_t a = 0; a < size(); ++a) {
    for (std::uint32_t b = a + 1; b < size(); ++b) {
      bool same = std::all_of(state_.begin(), state_.end(), [&](std::uint32_t i) {
        return holds(latches_[a][i]) == holds(latches_[b][i]);
      });
      if (!same) continue;
      std::vector<AigLit> differences;
      for (std::uint32_t i : state_)
        differences.push_back(circuit_.differ(latches_[a][i], latches_[b][i]));
      refutation.require_any(differences);
      found = true;
    }
  }
  return found;
}

Finding answer(sat::SatResult result, const Refutation& refutation, Obligation obligation) {
  switch (result) {
    case sat::SatResult::Unsat:
      return {};
    case sat::SatResult::Stopped:
      return {Holds::Stopped, obligation, 0};
    case sat::SatResult::Sat:
      return {Holds::No, obligation, refutation.violated()};
  }
  unreachable();
}

Finding check_base(const Induction& induction, const std::stop_token& stop) {
  Run run(induction, Start::Reset, induction.k);
  Refutation refutation(run.circuit(), stop);
  for (std::uint32_t step = 0; step < run.size(); ++step) {
    std::vector<SignalClause> q = run.q(step);
    run.require_constraints(refutation, step);
    refutation.ask_for_violation(q);
    Finding finding = answer(refutation.solve(), refutation, Obligation::Base);
    if (finding.holds != Holds::Yes) return finding;
    if (step + 1 == run.size()) break;
    for (const SignalClause& clause : q) refutation.require_any(clause);
  }
  return {};
}

Finding check_step(const Induction& induction, const std::stop_token& stop) {
  Run run(induction, Start::Anywhere, induction.k + 1);
  Refutation refutation(run.circuit(), stop);
  for (std::uint32_t step = 0; step < run.size(); ++step) {
    run.require_constraints(refutation, step);
    if (step == induction.k) break;
    for (const SignalClause& clause : run.q(step)) refutation.require_any(clause);
  }
  refutation.ask_for_violation(run.q(induction.k));
  while (true) {
    sat::SatResult result = refutation.solve();
    bool spurious = result == sat::SatResult::Sat && induction.simple_path == SimplePath::Yes &&
                    run.rule_out_repetitions(refutation);
    if (spurious) continue;
    return answer(result, refutation, Obligation::Step);
  }
}

}  // namespace

Finding check_induction(const Induction& induction, std::stop_token stop) {
  assert(induction.k > 0 && "induction needs at least one step");
  Finding base = check_base(induction, stop);
  return base.holds == Holds::Yes ? check_step(induction, stop) : base;
}

}  // namespace lem::check
