// The functional view of a relational system: conjuncts that say what a variable is become its
// update or its initial value. Runs stay what they are, so evidence needs no translation.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "transform/passes.h"
#include "transform/terms/steps.h"

namespace lem {

namespace {

struct Definition {
  Term variable;
  Term value;
};

/// Reads a conjunct as a definition of one of some variables.
class Solver {
 public:
  Solver(TermStore& terms, const std::map<Term, std::size_t>& wanted)
      : terms_(terms), wanted_(wanted) {}

  std::optional<Definition> solve(Term conjunct) const {
    bool holds = terms_.op(conjunct) != Op::Not;
    Term atom = terms_.atom_of(conjunct);
    if (auto found = as_variable(atom, terms_.boolean(holds))) return found;
    if (terms_.op(atom) != Op::Eq) return std::nullopt;
    Term a = terms_.arg(atom, 0);
    Term b = terms_.arg(atom, 1);
    if (terms_.kind(a) == SortKind::Bool) {
      if (auto found = as_variable(a, holds ? b : terms_.make_not(b))) return found;
      return as_variable(b, holds ? a : terms_.make_not(a));
    }
    if (!holds) return std::nullopt;
    for (auto [side, other] : {std::pair(a, b), std::pair(b, a)})
      if (is_wanted(side) && !mentions(other, side)) return Definition{side, other};
    if (terms_.is_numeric(terms_.sort(a))) return solve_sum(a, b);
    return std::nullopt;
  }

 private:
  bool is_wanted(Term term) const { return wanted_.contains(term); }
  bool mentions(Term term, Term variable) const {
    std::vector<Term> all = variables_of(terms_, term);
    return std::binary_search(all.begin(), all.end(), variable);
  }
  /// `formula` has the truth value `value`: a Bool variable, or a bit-vector of one bit that is 1.
  std::optional<Definition> as_variable(Term formula, Term value) const {
    bool negated = terms_.op(formula) == Op::Not;
    Term atom = terms_.atom_of(formula);
    if (negated) value = terms_.make_not(value);
    if (is_wanted(atom) && !mentions(value, atom)) return Definition{atom, value};
    if (terms_.op(atom) != Op::Eq) return std::nullopt;
    return single_bit(terms_.arg(atom, 0), value, terms_.arg(atom, 1));
  }
  /// `bit` = `constant` has the truth value `value`.
  std::optional<Definition> single_bit(Term bit, Term value, Term constant) const {
    bool fits = is_wanted(bit) && terms_.kind(bit) == SortKind::BitVec && terms_.width(bit) == 1 &&
                terms_.is_value(constant) && !mentions(value, bit);
    if (!fits) return std::nullopt;
    Term other = terms_.make(Op::BvNot, {constant});
    return Definition{bit, terms_.make_ite(value, constant, other)};
  }
  std::optional<Definition> solve_sum(Term a, Term b) const;

  TermStore& terms_;
  const std::map<Term, std::size_t>& wanted_;
};

/// Over Int only a factor 1 or -1 can be divided by.
std::optional<Definition> Solver::solve_sum(Term a, Term b) const {
  Sort sort = terms_.sort(a);
  std::vector<Term> parts{a};
  if (terms_.op(a) == Op::Add) parts.assign(terms_.args(a).begin(), terms_.args(a).end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    mpq_class factor = 1;
    Term variable = parts[i];
    if (terms_.op(variable) == Op::Mul && terms_.args(variable).size() == 2 &&
        terms_.is_value(terms_.arg(variable, 0))) {
      factor = terms_.number_value(terms_.arg(variable, 0));
      variable = terms_.arg(variable, 1);
    }
    bool divides = terms_.kind(sort) == SortKind::Real || factor == 1 || factor == -1;
    if (!is_wanted(variable) || !divides) continue;
    Term rest = b;
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (j != i) rest = terms_.make_sub(rest, parts[j]);
    if (mentions(rest, variable)) continue;
    return Definition{variable, terms_.make_mul(terms_.number(mpq_class(1 / factor), sort), rest)};
  }
  return std::nullopt;
}

class Functional {
 public:
  explicit Functional(const TransitionSystem& system)
      : system_(system),
        terms_(system.terms()),
        states_(system.states().begin(), system.states().end()) {}

  /// Whether anything became functional.
  bool run() {
    trans_ = conjuncts(terms_, system_.trans_relation());
    init_ = conjuncts(terms_, system_.init_relation());
    TermMap updates;
    for (const StateVar& state : states_)
      if (state.update) updates[state.next] = state.update;
    substitute_in(trans_, updates);
    bool found = false;
    while (define_updates()) found = true;
    while (define_values()) found = true;
    if (define_initially()) found = true;
    return found;
  }
  TransitionSystemBuilder result() const {
    TransitionSystemBuilder builder = same_variables(system_);
    for (const StateVar& state : states_) {
      if (state.init) builder.set_init(state.current, state.init);
      if (state.update) builder.set_update(state.current, state.update);
    }
    builder.add_init(terms_.make_and(init_));
    builder.add_trans(terms_.make_and(trans_));
    builder.add_constraint(system_.constraint());
    return builder;
  }

 private:
  bool define_updates();
  bool define_values();
  bool define_initially();
  bool depends_initially(Term value, Term on) const;
  /// Replaces variables in the conjuncts; what becomes true goes.
  void substitute_in(std::vector<Term>& formulas, const TermMap& map) {
    Substitution substitution(terms_, map);
    std::vector<Term> changed;
    for (Term formula : formulas)
      for (Term part : conjuncts(terms_, substitution.apply(formula)))
        if (!terms_.is_true(part)) changed.push_back(part);
    formulas = std::move(changed);
  }

  const TransitionSystem& system_;
  TermStore& terms_;
  std::vector<StateVar> states_;
  std::vector<Term> trans_;
  std::vector<Term> init_;
};

/// One round: definitions over X and I alone. Their next values are then replaced everywhere, so
/// that definitions through other next values are found in the next round.
bool Functional::define_updates() {
  std::map<Term, std::size_t> wanted;
  std::map<Term, std::size_t> of_next;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    of_next[states_[i].next] = i;
    if (!states_[i].update) wanted[states_[i].next] = i;
  }
  std::vector<Term> kept;
  TermMap updates;
  for (Term conjunct : trans_) {
    auto found = wanted.empty() ? std::nullopt : Solver(terms_, wanted).solve(conjunct);
    bool closed = found.has_value();
    if (found)
      for (Term variable : variables_of(terms_, found->value))
        closed = closed && !of_next.contains(variable);
    if (!closed) {
      kept.push_back(conjunct);
      continue;
    }
    states_[wanted.at(found->variable)].update = found->value;
    updates[found->variable] = found->value;
    wanted.erase(found->variable);
  }
  trans_ = std::move(kept);
  if (updates.empty()) return false;
  substitute_in(trans_, updates);
  return true;
}

/// One round: conjuncts x = value, and initial values that are values once others are known.
bool Functional::define_values() {
  std::map<Term, std::size_t> wanted;
  TermMap values;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (!states_[i].init) wanted[states_[i].current] = i;
    if (states_[i].init && terms_.is_value(states_[i].init))
      values[states_[i].current] = states_[i].init;
  }
  bool found = false;
  substitute_in(init_, values);
  Substitution known(terms_, values);
  for (StateVar& state : states_) {
    if (!state.init || terms_.is_value(state.init)) continue;
    Term init = known.apply(state.init);
    found = found || terms_.is_value(init);
    state.init = init;
  }
  std::vector<Term> kept;
  for (Term conjunct : init_) {
    auto definition = wanted.empty() ? std::nullopt : Solver(terms_, wanted).solve(conjunct);
    if (!definition || !terms_.is_value(definition->value)) {
      kept.push_back(conjunct);
      continue;
    }
    states_[wanted.at(definition->variable)].init = definition->value;
    wanted.erase(definition->variable);
    found = true;
  }
  init_ = std::move(kept);
  return found;
}

/// Whether computing `value` at the first step needs the initial value of `on`.
bool Functional::depends_initially(Term value, Term on) const {
  std::map<Term, Term> init_of;
  for (const StateVar& state : states_)
    if (state.init) init_of[state.current] = state.init;
  std::vector<Term> todo{value};
  std::map<Term, bool> seen;
  while (!todo.empty()) {
    Term term = todo.back();
    todo.pop_back();
    for (Term variable : variables_of(terms_, term)) {
      if (variable == on) return true;
      auto init = init_of.find(variable);
      if (!seen.emplace(variable, true).second || init == init_of.end()) continue;
      todo.push_back(init->second);
    }
  }
  return false;
}

/// Conjuncts x = t over other states, as long as initial values can be computed one after another.
bool Functional::define_initially() {
  std::map<Term, std::size_t> wanted;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (!states_[i].init) wanted[states_[i].current] = i;
  bool found = false;
  std::vector<Term> kept;
  for (Term conjunct : init_) {
    auto definition = wanted.empty() ? std::nullopt : Solver(terms_, wanted).solve(conjunct);
    if (!definition || depends_initially(definition->value, definition->variable)) {
      kept.push_back(conjunct);
      continue;
    }
    states_[wanted.at(definition->variable)].init = definition->value;
    wanted.erase(definition->variable);
    found = true;
  }
  init_ = std::move(kept);
  return found;
}

}  // namespace

Transformed apply_definitions(const Problem& problem, const Context& /*ctx*/) {
  Functional functional(problem.system());
  if (!functional.run()) return unchanged(problem);
  return {with_system(problem, functional.result(), problem.property().bad_term()),
          keep_evidence()};
}

}  // namespace lem
