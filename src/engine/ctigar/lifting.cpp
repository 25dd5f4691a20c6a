#include "engine/ctigar/lifting.h"

#include <algorithm>
#include <cassert>

#include "base/assert.h"

#include "smt/solvers.h"
#include "term/implicant.h"
#include "term/solve.h"

namespace lem::engine {

Lifting::Lifting(TermSystem& system, TermFrames& frames, const Context& ctx)
    : system_(system),
      terms_(system.terms()),
      frames_(frames),
      asker_{smt::Solvers(ctx).make(terms_, smt::Workload::Stream)},
      labels_(terms_, "lift") {
  for (Term variable : system.next()) mentions_next_[variable] = true;
  follow(system.trans(), nullptr, common_);
}

bool Lifting::mentions_next(Term formula) {
  std::vector<Term> stack{formula};
  while (!stack.empty()) {
    Term top = stack.back();
    std::size_t before = stack.size();
    bool known = mentions_next_.contains(top);
    bool found = false;
    for (Term arg : terms_.args(top)) {
      auto at = mentions_next_.find(arg);
      if (at == mentions_next_.end() && !known) stack.push_back(arg);
      found = found || (at != mentions_next_.end() && at->second);
    }
    if (stack.size() != before) continue;
    stack.pop_back();
    if (!known) mentions_next_[top] = found;
  }
  return mentions_next_.at(formula);
}

/// Takes the formula apart into guards and equations of next values. Disjunctions about next values
/// are decided as the model (behind `values`) does, or left in choices_ without one. What the model
/// does not say are next values that have one equation on each way: their equations can hold.
void Lifting::follow(Term formula, Substitution* values, ModelPath& path) {
  auto holds = [&](Term part) { return !terms_.is_false(values->apply(part)); };
  std::vector<Term> open{formula};
  while (!open.empty()) {
    Term top = open.back();
    open.pop_back();
    bool negative = terms_.op(top) == Op::Not;
    Term inner = terms_.atom_of(top);
    Op op = terms_.op(inner);
    auto signed_part = [&](Term part) { return negative ? terms_.make_not(part) : part; };
    bool junction = op == Op::And || op == Op::Or;
    if (junction && (op == Op::And) != negative) {
      for (Term part : terms_.args(inner)) open.push_back(signed_part(part));
      continue;
    }
    bool choice = junction || (op == Op::Ite && terms_.kind(inner) == SortKind::Bool);
    if (!choice || !mentions_next(top)) {
      record(top, path);
    } else if (values == nullptr) {
      choices_.push_back(top);
    } else if (junction) {
      for (Term part : terms_.args(inner))
        if (holds(signed_part(part))) {
          open.push_back(signed_part(part));
          break;
        }
    } else {
      Term condition = terms_.arg(inner, 0);
      bool yes = terms_.is_true(values->apply(condition));
      open.push_back(yes ? condition : terms_.make_not(condition));
      open.push_back(signed_part(terms_.arg(inner, yes ? 1 : 2)));
    }
  }
}

/// A guard, or the equation of a next value over X and I.
void Lifting::record(Term leaf, ModelPath& path) {
  assert(terms_.kind(leaf) == SortKind::Bool && "a guard or an equation");
  if (terms_.is_true(leaf)) return;
  if (mentions_next(leaf)) {
    auto wanted = [&](Term v) {
      auto at = mentions_next_.find(v);
      return at != mentions_next_.end() && at->second && !path.next.contains(v) &&
             !common_.next.contains(v);
    };
    std::optional<Definition> found = solve_for(terms_, leaf, wanted);
    if (found && !mentions_next(found->value)) {
      path.next[found->variable] = found->value;
      return;
    }
  }
  path.guards.push_back(leaf);
}

Term Lifting::preimage(const TermMap& model, std::span<const Term> target) {
  ModelPath path;
  if (!choices_.empty()) {
    Substitution values(terms_, model);
    for (Term choice : choices_) follow(choice, &values, path);
  }
  TermMap inputs;
  for (Term input : system_.inputs()) inputs[input] = model.at(input);
  Substitution under(terms_, inputs);
  path.guards.insert(path.guards.end(), common_.guards.begin(), common_.guards.end());
  std::vector<Term> used = variables_of(terms_, path.guards);
  std::vector<Term> wanted = variables_of(terms_, target);
  auto among = [](const std::vector<Term>& all, Term v) {
    return std::binary_search(all.begin(), all.end(), v);
  };
  TermMap step, after;
  std::vector<Term> open;  // X' that no equation gives
  for (std::size_t i = 0; i < system_.current().size(); ++i) {
    Term current = system_.current()[i];
    Term next = system_.next()[i];
    if (!among(used, next) && !among(wanted, current)) continue;
    Term given = path.value_of(next);
    if (!given) given = common_.value_of(next);
    if (!given) open.push_back(next);
    after[current] = step[next] = given ? under.apply(given) : next;
  }
  step.insert(inputs.begin(), inputs.end());
  Substitution stepped(terms_, std::move(step)), reached(terms_, std::move(after));
  std::vector<Term> parts;
  for (Term guard : path.guards) parts.push_back(stepped.apply(guard));
  for (Term literal : target) parts.push_back(reached.apply(literal));
  Term formula = terms_.make_and(parts);
  if (!open.empty()) formula = project(formula, open, model);
  LEM_CHECKED(!terms_.is_false(substitute(terms_, formula, model)), "a CTI is not in its preimage");
  return formula;
}

/// A formula over X that holds in the model and implies (exists open. formula).
Term Lifting::project(Term formula, const std::vector<Term>& open, const TermMap& model) {
  assert(!open.empty() && "there is something to eliminate");
  TermMap values;
  smt::Scope scope(*asker_.solver);
  for (Term variable : variables_of(terms_, formula)) {
    values[variable] = model.at(variable);
    asker_.solver->add(terms_.make_eq(variable, model.at(variable)));
  }
  if (asker_.solver->solve() == smt::Answer::Sat)
    if (auto literals = implicant(terms_, formula, values))
      if (auto kept = asker_.solver->projector()->project(terms_.make_and(*literals), open))
        return terms_.make_and(*kept);
  std::erase_if(values, [&](const auto& each) {
    return std::find(open.begin(), open.end(), each.first) == open.end();
  });
  return substitute(terms_, formula, values);
}

Term Lifting::label(Lit lit) {
  Term label = labels_.of(lit.code());
  if (asker_.literals.insert(lit.code()))
    asker_.add(terms_.make_implies(label, frames_.atoms().formula(lit)));
  return label;
}

std::optional<std::vector<Lit>> Lifting::lift(std::span<const Lit> cube, Term preimage) {
  std::vector<Term> assumptions;
  for (Lit lit : cube) assumptions.push_back(label(lit));
  smt::Scope scope(*asker_.solver);
  asker_.solver->add(terms_.make_not(preimage));
  if (asker_.solver->solve(assumptions) != smt::Answer::Unsat) return {};
  return needed_of(*asker_.solver, cube, [&](Lit lit) { return labels_[lit.code()]; });
}

Assignment Lifting::lift(const Assignment& state, Term preimage) {
  std::vector<Term> literals = state.literals(system_);
  smt::Scope scope(*asker_.solver);
  asker_.solver->add(terms_.make_not(preimage));
  if (asker_.solver->solve(literals) != smt::Answer::Unsat) return state;
  const std::vector<Term>& core = asker_.solver->core();
  Assignment part;
  for (Term variable : system_.current()) {
    auto at = state.values.find(variable);
    if (at == state.values.end()) continue;
    Term literal = terms_.make_eq(variable, at->second);
    if (is_in_core(core, literal)) part.values[variable] = at->second;
  }
  return part;
}

}  // namespace lem::engine
