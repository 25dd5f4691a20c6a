// Assertions, properties and contracts of the instances.
//
// Contracts as in Kind 2's analysis of one top node with all calls inlined: the assumptions of the
// main node constrain the runs; those of a called node are properties of its caller; guarantees and
// modes are properties everywhere, in called nodes as long as their assumptions have held.
#include <algorithm>
#include <iterator>

#include "frontend/lustre/elaborator.h"

namespace lem::lustre {

namespace {

std::string label(const Claim& claim, std::string_view kind) {
  if (!claim.name.empty()) return claim.name;
  return std::string(kind) + "[l" + std::to_string(claim.at.line) + "c" +
         std::to_string(claim.at.column) + "]";
}

}  // namespace

Status Elaborator::claims(InstanceId at) {
  const Unit& node = unit(at);
  if (node.kind == UnitKind::Contract) return Ok{};  // its node sees to it
  const Instance& instance = (*this)[at];
  for (const Claim& claim : node.asserts) {
    auto formula = eval_one(at, claim.formula);
    if (!formula) return formula.error();
    out_.constraints.push_back(t_.make_implies(instance.clock.active, *formula));
  }
  for (const Claim& claim : node.properties) {
    auto formula = eval_one(at, claim.formula);
    if (!formula) return formula.error();
    const Expr& e = p_[claim.formula];
    std::string name =
        claim.name.empty() && e.kind == ExprKind::Name ? e.name : label(claim, "property");
    if (claim.goal == Goal::Reach) {
      Term reached = t_.make_and(t_.make_and(instance.clock.active, *formula), counts(claim));
      add_bad({instance.prefix + name, reached, {}, claim.goal, claim.at});
      continue;
    }
    auto premise = premise_of(at, claim.formula);
    if (!premise) return premise.error();
    add_bad(instance.prefix + name, instance.clock.active, {name, *formula, *premise, claim.at});
  }
  if (Status status = contract(at); !status) return status;
  return ranges(at);
}

/// Values of a subrange type must stay in range; inputs of the main node do by constraint.
Status Elaborator::ranges(InstanceId at) {
  const Instance& instance = (*this)[at];
  for (std::uint32_t i = 0; i < unit(at).vars.size(); ++i) {
    const Variable& variable = unit(at).vars[i];
    bool given = is_main(at) && variable.role == Role::Input;
    bool free = instance.unit == kGlobals && variable.definition == kNoExpr;
    if (given || free) continue;
    auto leaves = value(at, VarId{i});
    if (!leaves) return leaves.error();
    std::vector<Leaf> parts = p_.types.leaves(variable.type);
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (p_.types[parts[j].type].kind != TypeKind::Subrange) continue;
      Term inside = range((*leaves)[j], parts[j].type);
      add_bad({instance.prefix + variable.name + parts[j].path + ".subrange",
               t_.make_and(instance.clock.active, t_.make_not(inside))});
    }
  }
  return Ok{};
}

/// `p` in p => q, also behind `true ->`, behind a name, and as `not p or q`; no term if the claim
/// is of another form.
Result<Term> Elaborator::premise_of(InstanceId at, ExprId claim, int depth) {
  constexpr int kMaxNames = 20;
  const Expr& e = p_[claim];
  if (depth > kMaxNames) return Term();
  if (e.kind == ExprKind::Name && e.ref.kind == Reference::Kind::Local) {
    const Variable& variable = unit(at).vars[e.ref.index];
    bool defined = variable.definition != kNoExpr && p_[variable.definition].types.size() == 1;
    return defined ? premise_of(at, variable.definition, depth + 1) : Result<Term>(Term());
  }
  if (e.kind != ExprKind::Binary) return Term();
  auto is_not = [&](ExprId id) {
    return p_[id].kind == ExprKind::Unary && p_[id].op == Operator::Not;
  };
  if (e.op == Operator::Or && is_not(e.args[0]) != is_not(e.args[1]))
    return eval_one(at, p_[e.args[is_not(e.args[0]) ? 0 : 1]].args.front());
  bool start = e.op == Operator::Arrow && p_[e.args[0]].kind == ExprKind::Bool;
  if (e.op != Operator::Implies && !(start && p_[e.args[0]].name == "true")) return Term();
  auto rest = premise_of(at, e.args[1], depth + 1);
  if (!rest) return rest;
  if (start) return *rest ? t_.make_and(t_.make_not((*this)[at].clock.first), *rest) : Term();
  auto premise = eval_one(at, e.args[0]);
  if (!premise) return premise;
  return *rest ? t_.make_and(*premise, *rest) : *premise;
}

/// What must never hold: the claim is false at an instant at which it counts.
void Elaborator::add_bad(const std::string& name, Term where, const ClaimTerm& claim) {
  Term premise = claim.premise ? t_.make_and(where, claim.premise) : where;
  add_bad({name, t_.make_and(where, t_.make_not(claim.formula)),
           t_.is_true(premise) ? Term() : premise, Goal::Avoid, claim.at});
}

void Elaborator::add_bad(Bad bad) {
  const std::string name = bad.name;
  for (int i = 2;; ++i) {
    auto [slot, is_new] = bad_names_.emplace(bad.name, std::pair(bad.term, bad.goal));
    if (is_new) break;
    if (slot->second == std::pair(bad.term, bad.goal))
      return;  // a contract imported twice claims the same twice
    bad.name = name + "_" + std::to_string(i);
  }
  out_.bads.push_back(std::move(bad));
}

/// The instants at which a goal with bounds counts, as in Kind 2: those of the run, from 0.
Term Elaborator::counts(const Claim& claim) {
  if (claim.from == 0 && !claim.within) return t_.boolean(true);
  auto number = [&](std::uint32_t value) { return t_.integer(value); };
  Term now = instants(std::max(claim.from, claim.within.value_or(0)) + 1);
  Term late_enough = t_.make_le(number(claim.from), now);
  if (!claim.within) return late_enough;
  return t_.make_and(late_enough, t_.make_le(now, number(*claim.within)));
}

/// The number of the instant, up to a limit at which it stays.
Term Elaborator::instants(std::uint32_t limit) {
  Term state = t_.variable(unique("instant"), t_.int_sort());
  Term more = t_.make_add(state, t_.integer(1));
  Term stays = t_.make_le(t_.integer(limit), state);
  out_.flags.push_back({state, t_.integer(0), t_.make_ite(stays, state, more)});
  return state;
}

// Contracts ---------------------------------------------------------------------------------------

/// The contract inside a node, about the node's own inputs and outputs.
Elaborator::InstanceId Elaborator::contract_instance(InstanceId at) {
  const Instance& node = (*this)[at];
  UnitId contract = unit(at).contract;
  std::vector<Binding> bindings;
  for (std::uint32_t i = 0; i < p_[contract].vars.size(); ++i)
    if (p_[contract].vars[i].role == Role::Input) bindings.push_back({.var = VarId{i}});
  return add_instance({.unit = contract,
                       .caller = at,
                       .prefix = node.prefix + "contract.",
                       .clock = node.clock,
                       .bindings = std::move(bindings)});
}

Elaborator::InstanceId Elaborator::import_instance(InstanceId at, std::size_t import) {
  std::vector<InstanceId>& made = (*this)[at].imports;
  while (made.size() <= import) {
    const Import& next = unit(at).imports[made.size()];
    const Instance& importer = (*this)[at];
    InstanceId id = add_instance({.unit = next.unit,
                                  .caller = at,
                                  .prefix = importer.prefix + next.name + ".",
                                  .clock = importer.clock,
                                  .bindings = bind(next.args)});
    made.push_back(id);
  }
  return made[import];
}

Result<Term> Elaborator::conjunction(InstanceId at, std::span<const Claim> claims) {
  Term all = t_.boolean(true);
  for (const Claim& claim : claims) {
    auto formula = eval_one(at, claim.formula);
    if (!formula) return formula;
    all = t_.make_and(all, *formula);
  }
  return all;
}

Result<Elaborator::ContractTerms> Elaborator::contract_terms(InstanceId at,
                                                             const std::string& path) {
  ContractTerms out;
  const Unit& contract = unit(at);
  auto add = [&](std::span<const Claim> claims, std::string_view kind, const std::string& prefix,
                 std::vector<ClaimTerm>& to) -> Status {
    for (const Claim& claim : claims) {
      auto formula = eval_one(at, claim.formula);
      if (!formula) return formula.error();
      auto premise = premise_of(at, claim.formula);
      if (!premise) return premise.error();
      to.push_back({prefix + label(claim, kind), *formula, *premise, claim.at});
    }
    return Ok{};
  };
  if (Status s = add(contract.assumes, "assume", path, out.assumes); !s) return s.error();
  if (Status s = add(contract.guarantees, "guarantee", path, out.guarantees); !s) return s.error();
  for (const Mode& mode : contract.modes) {
    auto active = conjunction(at, mode.requires_);
    if (!active) return active.error();
    ModeTerms terms{path + mode.name, *active, {}};
    if (Status s = add(mode.ensures, "ensure", terms.name + ".", terms.ensures); !s)
      return s.error();
    out.modes.push_back(std::move(terms));
  }
  for (std::size_t i = 0; i < contract.imports.size(); ++i) {
    if (instances_.size() >= kMaxInstances)
      return error_at(contract.imports[i].at, "too many imports of contracts");
    auto inner = contract_terms(import_instance(at, i), path + contract.imports[i].name + ".");
    if (!inner) return inner;
    auto append = [](auto& to, auto& from) {
      std::move(from.begin(), from.end(), std::back_inserter(to));
    };
    append(out.assumes, inner->assumes);
    append(out.guarantees, inner->guarantees);
    append(out.modes, inner->modes);
  }
  return out;
}

Status Elaborator::contract(InstanceId at) {
  if (unit(at).contract == kNoUnit) return Ok{};
  auto terms = contract_terms(contract_instance(at), (*this)[at].prefix);
  if (!terms) return terms.error();
  const Clock clock = (*this)[at].clock;
  Term premise = clock.active;
  for (const ClaimTerm& claim : terms->assumes) {
    if (is_main(at))
      out_.constraints.push_back(claim.formula);
    else
      add_bad(claim.name, clock.active, claim);
  }
  if (!is_main(at)) premise = t_.make_and(premise, assumed_so_far(at, terms->assumes));
  for (const ClaimTerm& claim : terms->guarantees) add_bad(claim.name, premise, claim);
  if (terms->modes.empty()) return Ok{};
  Term none = premise;
  for (const ModeTerms& mode : terms->modes) {
    for (const ClaimTerm& claim : mode.ensures)
      add_bad(claim.name, t_.make_and(premise, mode.active), claim);
    none = t_.make_and(none, t_.make_not(mode.active));
  }
  add_bad({(*this)[at].prefix + "one_mode_active", none, {}, Goal::Avoid, unit(at).at});
  return Ok{};
}

/// The assumptions hold now and have held since the instance started.
Term Elaborator::assumed_so_far(InstanceId at, std::span<const ClaimTerm> assumes) {
  if (assumes.empty()) return t_.boolean(true);
  const Clock clock = (*this)[at].clock;
  Term now = t_.boolean(true);
  for (const ClaimTerm& claim : assumes) now = t_.make_and(now, claim.formula);
  Term flag = add_flag((*this)[at].prefix + "%assumed");
  Term so_far = t_.make_and(now, t_.make_or(clock.first, flag));
  out_.flags.back().update = t_.make_ite(clock.active, so_far, flag);
  return so_far;
}

/// Variables of the main node and of its contract, for traces.
Status Elaborator::observe() {
  const Unit& node = p_[p_.main];
  for (std::uint32_t i = 0; i < node.vars.size(); ++i) {
    const Variable& variable = node.vars[i];
    if (variable.role == Role::Input) continue;
    auto leaves = value(InstanceId{1}, VarId{i});
    if (!leaves) return leaves.error();
    std::vector<Leaf> parts = p_.types.leaves(variable.type);
    for (std::size_t j = 0; j < parts.size(); ++j)
      out_.observed.emplace_back(variable.name + parts[j].path, (*leaves)[j]);
  }
  return Ok{};
}

}  // namespace lem::lustre
