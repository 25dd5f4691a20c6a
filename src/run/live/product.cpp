#include "run/live/product.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <utility>

#include "model/cone.h"
#include "run/live/lasso.h"
#include "run/live/names.h"
#include "term/traverse.h"

namespace lem::run {

namespace {

// Bits ------------------------------------------------------------------------------------------

/// The model inside the product: literals of one as literals of the other.
class Copy {
 public:
  explicit Copy(const Aig& aig) : aig_(aig), image_{kAigFalse} {}

  void inputs(AigBuilder& out) {
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) image_.push_back(out.add_input());
  }
  void latches(AigBuilder& out) {
    for (const Latch& latch : aig_.latches()) image_.push_back(out.add_latch(latch.reset));
  }
  void gates(AigBuilder& out) {
    for (const AndGate& gate : aig_.ands())
      image_.push_back(out.raw_and((*this)[gate.left], (*this)[gate.right]));
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      out.set_next((*this)[aig_.latch(i)], (*this)[aig_.latches()[i].next]);
    for (AigLit constraint : aig_.constraints()) out.add_constraint((*this)[constraint]);
  }
  AigLit operator[](AigLit lit) const { return image_[lit.var()] ^ lit.negative(); }

 private:
  const Aig& aig_;
  std::vector<AigLit> image_;
};

std::vector<AigLit> add_latches(AigBuilder& out, std::size_t count, Reset reset = Reset::Zero) {
  std::vector<AigLit> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(out.add_latch(reset));
  return made;
}

Problem as_problem(const Problem& original, AigBuilder out, AigLit bad) {
  SourceMap source;
  source.file = original.source.file;
  source.format = original.source.format;
  return {std::move(out).freeze(), {{original.property().name, bad}}, std::move(source)};
}

/// Awaits the recurring signals one after the other and counts the rounds [Claessen12].
Problem count_rounds(const Problem& original, const ProductShape& shape) {
  const std::vector<AigLit>& often = original.property().often();
  std::size_t n = often.size();
  Copy model(original.aig());
  AigBuilder out;
  model.inputs(out);
  model.latches(out);
  std::vector<AigLit> passed = add_latches(out, n == 0 ? 0 : n - 1);
  bool delayed = shape.kind == ProductKind::Delayed;
  std::uint32_t k = delayed ? 1 : shape.k;
  std::vector<AigLit> counted = add_latches(out, k);
  model.gates(out);
  std::vector<AigLit> reached;  // after this step, signals 0..i have been seen in this round
  for (std::size_t i = 0; i < n; ++i) {
    AigLit now = i == 0 ? model[often[i]] : out.and_gate(reached.back(), model[often[i]]);
    reached.push_back(i + 1 < n ? out.or_gate(passed[i], now) : now);
  }
  AigLit round = n == 0 ? kAigTrue : reached.back();
  for (std::size_t i = 0; i + 1 < n; ++i) out.set_next(passed[i], out.and_gate(reached[i], !round));
  if (delayed) {
    out.set_next(counted[0], round);
    return as_problem(original, std::move(out), counted[0]);
  }
  for (std::size_t i = 0; i < k; ++i) {
    AigLit next = i == 0 ? round : out.and_gate(counted[i - 1], round);
    out.set_next(counted[i], out.or_gate(counted[i], next));
  }
  AigLit bad = k == 0 ? round : out.and_gate(counted[k - 1], round);
  return as_problem(original, std::move(out), bad);
}

/// Guesses a state and waits for it to come back with every signal seen between [Biere02].
Problem await_return(const Problem& original, const ProductShape& shape) {
  const Aig& aig = original.aig();
  const std::vector<AigLit>& often = original.property().often();
  bool oracle = shape.kind == ProductKind::Oracle;
  Copy model(aig);
  AigBuilder out;
  model.inputs(out);
  AigLit save = oracle ? out.add_input() : kAigFalse;
  model.latches(out);
  AigLit open = out.add_latch(Reset::Zero);  // saved, or met
  std::vector<AigLit> copies =
      add_latches(out, shape.copied.size(), oracle ? Reset::Zero : Reset::Free);
  std::vector<AigLit> seen = add_latches(out, often.size());
  model.gates(out);

  AigLit same = kAigTrue;
  for (std::size_t i = 0; i < copies.size(); ++i)
    same = out.and_gate(same, !out.xor_gate(copies[i], model[aig.latch(shape.copied[i])]));
  AigLit from_here = oracle ? save : same;
  AigLit takes = out.and_gate(from_here, !open);
  for (std::size_t i = 0; oracle && i < copies.size(); ++i)
    out.set_next(copies[i], out.mux_gate(takes, model[aig.latch(shape.copied[i])], copies[i]));
  AigLit on = out.or_gate(open, from_here);
  out.set_next(open, on);
  AigLit bad = out.and_gate(open, same);
  for (std::size_t i = 0; i < often.size(); ++i) {
    out.set_next(seen[i], out.and_gate(on, out.or_gate(seen[i], model[often[i]])));
    bad = out.and_gate(bad, seen[i]);
  }
  return as_problem(original, std::move(out), bad);
}

// Terms -----------------------------------------------------------------------------------------

class TermProduct {
 public:
  explicit TermProduct(const Problem& original)
      : original_(original),
        system_(original.system()),
        terms_(system_.terms()),
        prefix_(live_prefix(system_)),
        out_(system_.store()) {
    for (const StateVar& state : system_.states()) {
      out_.add_state(state.current, state.next);
      if (state.init) out_.set_init(state.current, state.init);
      if (state.update) out_.set_update(state.current, state.update);
    }
    for (Term input : system_.inputs()) out_.add_input(input);
    out_.add_init(system_.init_relation());
    out_.add_trans(system_.trans_relation());
    out_.add_constraint(system_.constraint());
  }

  Problem count_rounds(const ProductShape& shape) &&;
  Problem await_return(const ProductShape& shape) &&;

 private:
  Term add_state(const std::string& name, Sort sort) {
    Term state = terms_.variable(prefix_ + name, sort);
    out_.add_state(state, terms_.fresh(prefix_ + name + ".next", sort));
    return state;
  }
  Term add_flag(const std::string& name) {
    Term state = add_state(name, terms_.bool_sort());
    out_.set_init(state, terms_.boolean(false));
    return state;
  }
  Problem done(Term bad) {
    Result<TransitionSystem> system = std::move(out_).freeze();
    assert(system && "a valid system with more states is valid");
    return {*std::move(system), {{original_.property().name, bad}}, source()};
  }
  SourceMap source() const {
    SourceMap source;
    source.file = original_.source.file;
    source.format = original_.source.format;
    source.hints = original_.source.hints;
    return source;
  }

  const Problem& original_;
  const TransitionSystem& system_;
  TermStore& terms_;
  std::string prefix_;
  TransitionSystemBuilder out_;
};

Problem TermProduct::count_rounds(const ProductShape& shape) && {
  const std::vector<Term>& often = original_.property().often_terms();
  std::size_t n = often.size();
  std::vector<Term> passed;
  for (std::size_t i = 1; i < n; ++i) passed.push_back(add_flag("p" + std::to_string(i)));
  Term round = terms_.boolean(true);
  std::vector<Term> reached;
  for (std::size_t i = 0; i < n; ++i) {
    round = terms_.make_and(round, often[i]);
    if (i + 1 < n) round = terms_.make_or(passed[i], round);
    reached.push_back(round);
  }
  for (std::size_t i = 0; i + 1 < n; ++i)
    out_.set_update(passed[i], terms_.make_and(reached[i], terms_.make_not(round)));
  if (shape.kind == ProductKind::Delayed) {
    Term delayed = add_flag("d");
    out_.set_update(delayed, round);
    return done(delayed);
  }
  Term before = terms_.boolean(true);
  for (std::uint32_t i = 1; i <= shape.k; ++i) {
    Term counted = add_flag("c" + std::to_string(i));
    out_.set_update(counted, terms_.make_or(counted, terms_.make_and(before, round)));
    before = counted;
  }
  return done(terms_.make_and(before, round));
}

Problem TermProduct::await_return(const ProductShape& shape) && {
  const std::vector<Term>& often = original_.property().often_terms();
  bool oracle = shape.kind == ProductKind::Oracle;
  Term open = add_flag(oracle ? "saved" : "met");
  std::vector<Term> same;
  std::vector<std::pair<Term, Term>> copies;
  for (std::uint32_t index : shape.copied) {
    Term state = system_.states()[index].current;
    Term copy = add_state("x" + std::to_string(index), terms_.sort(state));
    copies.emplace_back(copy, state);
    same.push_back(terms_.make_eq(copy, state));
  }
  Term from_here = terms_.make_and(same);
  if (oracle) {
    from_here = terms_.variable(prefix_ + "save", terms_.bool_sort());
    out_.add_input(from_here);
  }
  Term takes = terms_.make_and(from_here, terms_.make_not(open));
  for (auto [copy, state] : copies)
    out_.set_update(copy, oracle ? terms_.make_ite(takes, state, copy) : copy);
  Term on = terms_.make_or(open, from_here);
  out_.set_update(open, on);
  std::vector<Term> bad = same;
  bad.push_back(open);
  for (std::size_t i = 0; i < often.size(); ++i) {
    Term seen = add_flag("e" + std::to_string(i));
    out_.set_update(seen, terms_.make_and(on, terms_.make_or(seen, often[i])));
    bad.push_back(seen);
  }
  return done(terms_.make_and(bad));
}

Problem make_product(const Problem& original, const ProductShape& shape) {
  bool rounds = shape.kind == ProductKind::Counter || shape.kind == ProductKind::Delayed;
  if (original.is_bits())
    return rounds ? count_rounds(original, shape) : await_return(original, shape);
  return rounds ? TermProduct(original).count_rounds(shape)
                : TermProduct(original).await_return(shape);
}

}  // namespace

std::string live_prefix(const TransitionSystem& system) {
  std::string prefix = "live.";
  auto clashes = [&](Term variable) { return system.terms().name(variable).starts_with(prefix); };
  auto any = [&] {
    return std::any_of(system.inputs().begin(), system.inputs().end(), clashes) ||
           std::any_of(system.states().begin(), system.states().end(),
                       [&](const StateVar& state) { return clashes(state.current); });
  };
  while (any()) prefix += '.';
  return prefix;
}

std::vector<std::uint32_t> recurring_states(const Problem& problem) {
  std::vector<std::uint32_t> all;
  if (problem.is_bits()) {
    const Aig& aig = problem.aig();
    std::vector<bool> cone = constrained_cone(aig, problem.property().often());
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      if (cone[aig.latch(i).var()]) all.push_back(i);
    return all;
  }
  const TransitionSystem& system = problem.system();
  std::span<const StateVar> states = system.states();
  bool relational = !system.is_functional();
  std::vector<Term> roots = problem.property().often_terms();
  roots.push_back(system.constraint());
  std::set<Term> seen;
  while (!relational && !roots.empty()) {
    std::vector<Term> next;
    for (Term variable : variables_of(system.terms(), roots)) {
      if (!seen.insert(variable).second) continue;
      for (const StateVar& state : states)
        if (state.current == variable) next.push_back(state.update);
    }
    roots = std::move(next);
  }
  for (std::uint32_t i = 0; i < states.size(); ++i)
    if (relational || seen.contains(states[i].current)) all.push_back(i);
  return all;
}

Product::Product(const Problem& problem, ProductShape shape)
    : original_(problem), shape_(std::move(shape)), product_(make_product(problem, shape_)) {}

std::optional<Found> Product::back(Found found) const {
  if (auto* safe = std::get_if<Safe>(&found.verdict)) {
    Certificate& about = safe->certificate;
    if (auto* bits = std::get_if<InductiveInvariant>(&about))
      about = LiveProof{shape_, std::move(*bits)};
    else if (auto* inductive = std::get_if<KInductive>(&about))
      about = LiveProof{shape_, std::move(*inductive)};
    else if (auto* terms = std::get_if<TermInvariant>(&about))
      about = TermLiveProof{shape_, *terms};
    else
      return {};
    return found;
  }
  std::optional<Unsafe> lasso =
      lasso_in(original_, project(original_, std::get<Unsafe>(found.verdict).run));
  if (!lasso) return {};
  found.verdict = *std::move(lasso);
  return found;
}

}  // namespace lem::run
