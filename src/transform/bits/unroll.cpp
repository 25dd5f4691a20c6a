// Property unrolling: the violation is seen one step before it happens. With second-step inputs I',
// bad becomes bad(X',I') & C(X',I'), so a frame is asked whether it can step into a violation
// ([Bradley11]'s query F & T & !P') instead of whether it contains one. Properties that hold after
// any step whatever then need no lemma at all.
#include <cassert>

#include "model/latch_name.h"
#include "sat/cadical.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

/// - Invariant: R is inductive, R & C & T & C' excludes bad', and no reset state is bad (the
/// transform
///   checked it): so R & !bad is inductive for the old problem, and that is what the clauses mean
///   there.
/// - k-induction: k + 1 good old steps give k good new ones (take I'_j = I_j+1), so the new step
/// case
///   excludes bad after them; the base case is one step longer likewise.
/// - Trace: the last step's second half is a step of its own.
class SplitLastStep final : public BitsBackTranslator {
 public:
  explicit SplitLastStep(const Aig& old) : inputs_(old.num_inputs()), vars_(old.num_vars()) {}

  Trace trace(Trace trace) const override {
    const std::vector<bool> last = trace.inputs.back();
    for (std::vector<bool>& step : trace.inputs) step.resize(inputs_);
    trace.inputs.emplace_back(last.begin() + inputs_, last.end());
    return trace;
  }
  std::optional<Certificate> certificate(Certificate certificate) const override {
    if (auto* proof = std::get_if<KInductive>(&certificate)) ++proof->k;
    for (SignalClause& clause : clauses_of(certificate)) {
      for (AigLit& lit : clause) {
        std::optional<AigLit> before = old_signal(lit);
        if (!before) return std::nullopt;
        lit = *before;
      }
    }
    return certificate;
  }

 private:
  /// Variables are numbered: constant, inputs, second-step inputs, then everything else of the
  /// first step. Signals of the second step have no counterpart.
  std::optional<AigLit> old_signal(AigLit lit) const {
    std::uint32_t var = lit.var();
    if (var > inputs_ && var <= 2 * inputs_) return std::nullopt;
    if (var > inputs_) var -= inputs_;
    if (var >= vars_) return std::nullopt;
    return AigLit(var, lit.negative());
  }

  std::uint32_t inputs_;
  std::uint32_t vars_;
};

class KeepAsIs final : public BitsBackTranslator {
 public:
  Trace trace(Trace trace) const override { return trace; }
  std::optional<Certificate> certificate(Certificate certificate) const override {
    return certificate;
  }
};

/// Some reset state is bad, or that could not be excluded before the stop.
bool may_be_bad_at_reset(const Problem& problem, const Context& ctx) {
  const Aig& aig = problem.aig();
  std::unique_ptr<sat::SatSolver> solver = sat::make_cadical();
  solver->set_stop(ctx.stop);
  for (std::uint32_t var = 0; var < aig.num_vars(); ++var) solver->new_var();
  auto lit = [](AigLit l) { return sat::Lit::from_code(l.code()); };
  auto clause = [&](std::initializer_list<sat::Lit> lits) {
    solver->add_clause({lits.begin(), lits.size()});
  };
  clause({lit(kAigTrue)});
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
    Reset reset = aig.latches()[i].reset;
    if (reset != Reset::Free) clause({lit(aig.latch(i)) ^ (reset == Reset::Zero)});
  }
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var) {
    sat::Lit out(var, false);
    auto [left, right] = aig.gate_of(var);
    clause({!out, lit(left)});
    clause({!out, lit(right)});
    clause({out, lit(!left), lit(!right)});
  }
  for (AigLit constraint : aig.constraints()) clause({lit(constraint)});
  clause({lit(problem.property().bad())});
  return solver->solve({}) != sat::SatResult::Unsat;
}

}  // namespace

Transformed apply_unroll(const Problem& problem, const Context& ctx) {
  if (may_be_bad_at_reset(problem, ctx)) return {problem, std::make_unique<KeepAsIs>()};
  const Aig& old = problem.aig();
  AigBuilder builder;
  std::vector<AigLit> now{kAigFalse};
  std::vector<AigLit> later{kAigFalse};
  for (std::uint32_t i = 0; i < old.num_inputs(); ++i) now.push_back(builder.add_input());
  for (std::uint32_t i = 0; i < old.num_inputs(); ++i) later.push_back(builder.add_input());
  for (const Latch& latch : old.latches()) now.push_back(builder.add_latch(latch.reset));
  auto of_now = [&](AigLit lit) { return now[lit.var()] ^ lit.negative(); };
  for (const AndGate& gate : old.ands())
    now.push_back(builder.raw_and(of_now(gate.left), of_now(gate.right)));
  for (std::uint32_t i = 0; i < old.num_latches(); ++i) {
    AigLit next = of_now(old.latches()[i].next);
    builder.set_next(now[old.first_latch() + i], next);
    later.push_back(next);
  }
  auto of_later = [&](AigLit lit) { return later[lit.var()] ^ lit.negative(); };
  // All gates; what bad does not need goes with the cone-of-influence pass that follows.
  for (const AndGate& gate : old.ands())
    later.push_back(builder.and_gate(of_later(gate.left), of_later(gate.right)));
  Property property = problem.property();
  property.target = of_later(property.bad());
  for (AigLit constraint : old.constraints()) {
    builder.add_constraint(of_now(constraint));
    property.target = builder.and_gate(property.bad(), of_later(constraint));
  }
  assert(now.size() == old.num_vars() && later.size() == old.num_vars() && "two full copies");
  SourceMap source{problem.source.file, problem.source.format, {}, latch_names(problem), {}, {}};
  return {{std::move(builder).freeze(), {property}, std::move(source)},
          std::make_unique<SplitLastStep>(old)};
}

}  // namespace lem::transform
