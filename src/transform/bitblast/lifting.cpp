// Back-translation from bits: traces by simulation, proofs by expressing signals as terms.
#include <utility>

#include "model/cone.h"
#include "term/traverse.h"
#include "transform/bitblast/bitblast.h"

namespace lem::transform {

namespace {

/// Signals as formulas. `started` stays a variable; `valid` is true where a run is.
class Naming {
 public:
  Naming(TermStore& terms, const Aig& aig, const BitMap& map)
      : terms_(terms), aig_(aig), map_(map), memo_(aig.num_vars()) {
    memo_[0] = terms_.boolean(false);
    if (map_.started != 0)
      memo_[map_.started] = started_ = terms_.fresh("started", terms_.bool_sort());
    if (map_.valid != 0) memo_[map_.valid] = terms_.boolean(true);
  }

  Term started() const { return started_; }

  Term clause(const SignalClause& clause) {
    std::vector<Term> literals;
    for (AigLit lit : clause) literals.push_back(literal(lit));
    return terms_.make_or(literals);
  }

 private:
  Term literal(AigLit lit) {
    Term signal = formula(lit.var());
    return lit.negative() ? terms_.make_not(signal) : signal;
  }
  Term formula(std::uint32_t root);
  Term named(std::uint32_t var) const;
  Term known(AigLit lit) const {
    return lit.negative() ? terms_.make_not(memo_[lit.var()]) : memo_[lit.var()];
  }

  TermStore& terms_;
  const Aig& aig_;
  const BitMap& map_;
  Term started_{};
  std::vector<Term> memo_;  // by variable
};

Term Naming::named(std::uint32_t var) const {
  const BitMap::Origin& origin = map_.origin[var];
  if (!origin.term) return {};
  Term signal = origin.term;
  if (terms_.kind(signal) == SortKind::BitVec)
    signal = terms_.make_eq(terms_.make_extract(signal, origin.bit, origin.bit), terms_.bv(1, 1));
  return origin.negated ? terms_.make_not(signal) : signal;
}

Term Naming::formula(std::uint32_t root) {
  std::vector<std::uint32_t> stack{root};
  while (!stack.empty()) {
    std::uint32_t var = stack.back();
    if (!memo_[var]) memo_[var] = named(var);
    if (memo_[var]) {
      stack.pop_back();
      continue;
    }
    const AndGate& gate = aig_.gate_of(var);
    std::size_t depth = stack.size();
    for (AigLit fanin : {gate.left, gate.right})
      if (!memo_[fanin.var()]) stack.push_back(fanin.var());
    if (stack.size() > depth) continue;
    Term left = known(gate.left);
    memo_[var] = terms_.make_and(left, known(gate.right));
    stack.pop_back();
  }
  return memo_[root];
}

/// With Inv the invariant of the AIG, over X, I, `started` and the next values N of states without
/// update, and valid = true:
/// - The states of runs satisfy J = Inv[started] or Init & Inv[not started]. J is inductive: what
///   satisfies the second disjunct meets the constraint of the first step, so its successors
///   satisfy the first.
/// - k-induction: among k steps with J take the last that satisfies the second disjunct only. If it
///   is not the first step, what follows it is a run of at most k steps, which the base case
///   covers; if it is, or there is none, the steps are steps of the AIG.
/// - N is no part of a step of the system: proofs that mention it do not carry over.
/// - Over simple paths, words differ where bits do if every bit counts in the AIG.
class Lifting final : public BackTranslator {
 public:
  Lifting(TransitionSystem system, Aig aig, std::span<const Property> properties, BitMap map)
      : system_(std::move(system)), aig_(std::move(aig)), map_(std::move(map)) {
    for (const Property& property : properties) bads_.push_back(property.bad());
  }

  std::optional<Run> run(Run run) const override;
  std::optional<Certificate> certificate(Certificate certificate) const override;

 private:
  Term value_of(Term variable, const std::vector<bool>& bits, std::uint32_t first) const;
  bool every_bit_counts(std::span<const SignalClause> clauses) const;
  std::optional<Term> invariant(std::span<const SignalClause> clauses) const;

  TransitionSystem system_;
  Aig aig_;
  std::vector<AigLit> bads_;
  BitMap map_;
};

Term Lifting::value_of(Term variable, const std::vector<bool>& bits, std::uint32_t first) const {
  TermStore& terms = system_.terms();
  if (terms.kind(variable) == SortKind::Bool) return terms.boolean(bits[first]);
  mpz_class value = 0;
  for (std::uint32_t i = 0; i < terms.width(variable); ++i)
    if (bits[first + i]) mpz_setbit(value.get_mpz_t(), i);
  return terms.bv(value, terms.width(variable));
}

std::optional<Run> Lifting::run(Run run) const {
  const Trace& trace = std::get<Trace>(run);
  TermTrace result;
  std::vector<bool> state = trace.initial;
  std::vector<bool> value(aig_.num_vars(), false);
  auto holds = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
  for (const std::vector<bool>& inputs : trace.inputs) {
    TermTrace::Step& step = result.steps.emplace_back();
    for (std::size_t i = 0; i < system_.states().size(); ++i)
      step.states.push_back(value_of(system_.states()[i].current, state, map_.first_latch[i]));
    for (std::size_t i = 0; i < system_.inputs().size(); ++i)
      step.inputs.push_back(value_of(system_.inputs()[i], inputs, map_.first_input[i]));
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) value[aig_.input(i).var()] = inputs[i];
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) value[aig_.latch(i).var()] = state[i];
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var)
      value[var] = holds(aig_.gate_of(var).left) && holds(aig_.gate_of(var).right);
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) state[i] = holds(aig_.latches()[i].next);
  }
  return result;
}

/// Of several properties the proof may be about some alone, whose cones are smaller.
bool Lifting::every_bit_counts(std::span<const SignalClause> clauses) const {
  if (bads_.size() != 1) return false;
  std::vector<AigLit> todo(aig_.constraints().begin(), aig_.constraints().end());
  todo.push_back(bads_.front());
  for (const SignalClause& clause : clauses) todo.insert(todo.end(), clause.begin(), clause.end());
  std::vector<bool> cone = sequential_cone(aig_, std::move(todo));
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
    if (!cone[aig_.latch(i).var()]) return false;
  return true;
}

std::optional<Term> Lifting::invariant(std::span<const SignalClause> clauses) const {
  TermStore& terms = system_.terms();
  Naming naming(terms, aig_, map_);
  std::vector<Term> parts;
  for (const SignalClause& clause : clauses) parts.push_back(naming.clause(clause));
  TermMap updates;
  TermMap free;
  for (const StateVar& state : system_.states())
    (state.update ? updates : free)[state.next] = state.update ? state.update : state.next;
  Term result = substitute(terms, terms.make_and(parts), updates);
  for (Term variable : variables_of(terms, result))
    if (free.contains(variable)) return std::nullopt;
  if (!naming.started()) return result;
  Term later = substitute(terms, result, {{naming.started(), terms.boolean(true)}});
  Term first = substitute(terms, result, {{naming.started(), terms.boolean(false)}});
  return terms.make_or(later, terms.make_and(system_.init_formula(), first));
}

std::optional<Certificate> Lifting::certificate(Certificate certificate) const {
  KInductive claim = as_k_inductive(std::move(certificate));
  if (claim.simple_path == SimplePath::Yes && !every_bit_counts(claim.clauses)) return std::nullopt;
  std::optional<Term> term = invariant(claim.clauses);
  if (!term) return std::nullopt;
  return TermInvariant{*term, claim.k, claim.simple_path};
}

}  // namespace

std::unique_ptr<BackTranslator> make_lifting(const Problem& original, const Blasted& lowered) {
  return std::make_unique<Lifting>(original.system(), lowered.problem.aig(),
                                   lowered.problem.properties, lowered.map);
}

}  // namespace lem::transform
