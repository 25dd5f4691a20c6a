#include "transform/lift.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "model/verdict.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

class Lifter {
 public:
  explicit Lifter(const Problem& problem)
      : problem_(problem),
        aig_(problem.aig()),
        terms_(std::make_shared<TermStore>()),
        builder_(terms_),
        signal_(aig_.num_vars()) {}

  LiftedProblem run() {
    declare();
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var) {
      Term left = term(aig_.gate_of(var).left);
      signal_[var] = terms_->make_and(left, term(aig_.gate_of(var).right));
    }
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      builder_.set_update(term(aig_.latch(i)), term(aig_.latches()[i].next));
    for (AigLit constraint : aig_.constraints()) builder_.add_constraint(term(constraint));
    auto system = std::move(builder_).freeze();
    assert(system.ok() && "an AIG is a well-formed system");
    Problem result;
    result.model = std::move(*system);
    for (const Property& property : problem_.properties)
      result.properties.push_back({property.name, term(property.bad()), property.symbol});
    result.source.file = problem_.source.file;
    result.source.format = problem_.source.format;
    return {std::move(result), std::move(signal_)};
  }

 private:
  void declare() {
    signal_[0] = terms_->boolean(false);
    Sort truth = terms_->bool_sort();
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
      signal_[aig_.input(i).var()] =
          builder_.add_input(name(problem_.source.input_names, i, 'i'), truth);
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      Term latch = builder_.add_state(name(problem_.source.latch_names, i, 'l'), truth);
      signal_[aig_.latch(i).var()] = latch;
      Reset reset = aig_.latches()[i].reset;
      if (reset != Reset::Free) builder_.set_init(latch, terms_->boolean(reset == Reset::One));
    }
  }
  std::string name(const std::vector<std::string>& names, std::uint32_t index, char kind) {
    std::string place = kind + std::to_string(index);
    std::string chosen = index < names.size() && !names[index].empty() ? names[index] : place;
    while (!taken_.insert(chosen).second) chosen += '_' + place;
    return chosen;
  }
  Term term(AigLit lit) const {
    Term signal = signal_[lit.var()];
    return lit.negative() ? terms_->make_not(signal) : signal;
  }

  const Problem& problem_;
  const Aig& aig_;
  std::shared_ptr<TermStore> terms_;
  TransitionSystemBuilder builder_;
  std::vector<Term> signal_;  // by variable
  std::set<std::string> taken_;
};

// More clauses than this, or formulas nested deeper, and the proof is given up.
constexpr std::size_t kMaxClauses = 20'000;
constexpr std::uint32_t kMaxDepth = 1'000;

using Clauses = std::vector<SignalClause>;

/// Formulas over signals as clauses over signals.
class ClausalForm {
 public:
  ClausalForm(const TermStore& terms, const std::unordered_map<Term, AigLit>& signals)
      : terms_(terms), signals_(signals) {}

  std::optional<Clauses> clauses(Term formula, bool positive = true, std::uint32_t depth = 0) const;

 private:
  using Part = std::pair<Term, bool>;  // a formula or its negation
  std::optional<Clauses> all(std::span<const Part> parts, std::uint32_t depth) const;
  std::optional<Clauses> any(std::span<const Part> parts, std::uint32_t depth) const;
  std::optional<Clauses> both(std::initializer_list<Part> first, std::initializer_list<Part> second,
                              std::uint32_t depth) const;

  const TermStore& terms_;
  const std::unordered_map<Term, AigLit>& signals_;
};

std::optional<Clauses> ClausalForm::all(std::span<const Part> parts, std::uint32_t depth) const {
  Clauses result;
  for (const auto& [part, positive] : parts) {
    std::optional<Clauses> more = clauses(part, positive, depth);
    if (!more || result.size() + more->size() > kMaxClauses) return std::nullopt;
    result.insert(result.end(), more->begin(), more->end());
  }
  return result;
}

std::optional<Clauses> ClausalForm::any(std::span<const Part> parts, std::uint32_t depth) const {
  Clauses result{{}};
  for (const auto& [part, positive] : parts) {
    std::optional<Clauses> more = clauses(part, positive, depth);
    if (!more || result.size() * more->size() > kMaxClauses) return std::nullopt;
    Clauses product;
    for (const SignalClause& left : result) {
      for (const SignalClause& right : *more) {
        product.push_back(left);
        product.back().insert(product.back().end(), right.begin(), right.end());
      }
    }
    result = std::move(product);
  }
  return result;
}

/// (some of the first) and (some of the second)
std::optional<Clauses> ClausalForm::both(std::initializer_list<Part> first,
                                         std::initializer_list<Part> second,
                                         std::uint32_t depth) const {
  std::optional<Clauses> result = any({first.begin(), first.size()}, depth);
  std::optional<Clauses> more = any({second.begin(), second.size()}, depth);
  if (!result || !more || result->size() + more->size() > kMaxClauses) return std::nullopt;
  result->insert(result->end(), more->begin(), more->end());
  return result;
}

std::optional<Clauses> ClausalForm::clauses(Term formula, bool positive,
                                            std::uint32_t depth) const {
  if (depth > kMaxDepth) return std::nullopt;
  if (auto signal = signals_.find(formula); signal != signals_.end())
    return Clauses{{signal->second ^ !positive}};
  Op op = terms_.op(formula);
  if (op == Op::Not) return clauses(terms_.arg(formula, 0), !positive, depth + 1);
  if (op == Op::And || op == Op::Or) {
    std::vector<Part> parts;
    for (Term arg : terms_.args(formula)) parts.emplace_back(arg, positive);
    return (op == Op::And) == positive ? all(parts, depth + 1) : any(parts, depth + 1);
  }
  if (op == Op::Ite) {
    Term condition = terms_.arg(formula, 0);
    return both({{condition, false}, {terms_.arg(formula, 1), positive}},
                {{condition, true}, {terms_.arg(formula, 2), positive}}, depth + 1);
  }
  if (op != Op::Eq) return std::nullopt;
  Term left = terms_.arg(formula, 0);
  Term right = terms_.arg(formula, 1);
  return both({{left, false}, {right, positive}}, {{left, true}, {right, !positive}}, depth + 1);
}

class LiftBackTranslator final : public BackTranslator {
 public:
  explicit LiftBackTranslator(const LiftedProblem& lifted) : system_(lifted.problem.system()) {
    const TermStore& terms = system_.terms();
    for (std::uint32_t var = 0; var < lifted.signal.size(); ++var) {
      Term signal = lifted.signal[var];
      bool negated = terms.op(signal) == Op::Not;
      signals_.try_emplace(terms.atom_of(signal), AigLit(var, negated));
    }
    signals_.try_emplace(terms.boolean(true), kAigTrue);
  }

  std::optional<Run> run(Run run) const override {
    const TermTrace& trace = std::get<TermTrace>(run);
    auto bits = [&](const std::vector<Term>& values) {
      std::vector<bool> result;
      for (Term value : values) result.push_back(system_.terms().is_true(value));
      return result;
    };
    Trace result{bits(trace.steps.front().states), {}};
    for (const TermTrace::Step& step : trace.steps) result.inputs.push_back(bits(step.inputs));
    return result;
  }
  /// Paths without repetition over all latches include those over the latches that count in an AIG.
  std::optional<Certificate> certificate(Certificate certificate) const override {
    const auto& claim = std::get<TermInvariant>(certificate);
    auto clauses = ClausalForm(system_.terms(), signals_).clauses(claim.invariant);
    if (!clauses) return std::nullopt;
    if (claim.k == 1 && claim.simple_path == SimplePath::No) return InductiveInvariant{*clauses};
    return KInductive{claim.k, claim.simple_path, *std::move(clauses)};
  }

 private:
  TransitionSystem system_;
  std::unordered_map<Term, AigLit> signals_;
};

}  // namespace

LiftedProblem lift_to_terms(const Problem& bits) {
  return Lifter(bits).run();
}

Transformed apply_lift(const Problem& problem, const Context& /*ctx*/) {
  LiftedProblem lifted = lift_to_terms(problem);
  auto back = std::make_unique<LiftBackTranslator>(lifted);
  return {std::move(lifted.problem), std::move(back)};
}

}  // namespace lem::transform
