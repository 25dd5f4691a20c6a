#include "frontend/lustre/assumptions.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lem::lustre {

namespace {

using Inputs = std::set<VarId>;

// Calls within calls; beyond that an output counts as dependent on every input.
constexpr int kMaxCalls = 500;

/// Which inputs of its unit an expression depends on at the same instant.
class SameInstant {
 public:
  explicit SameInstant(const Program& program) : p_(program) {}

  Inputs of(UnitId unit, ExprId expr, std::uint32_t part) {
    Walk walk{unit, {}, {}, {}};
    walk.todo.emplace_back(expr, part);
    while (!walk.todo.empty()) {
      auto [next, next_part] = walk.todo.back();
      walk.todo.pop_back();
      visit(walk, next, next_part);
    }
    return walk.found;
  }

 private:
  /// Definitions of variables wait in a list: equations may form long chains.
  struct Walk {
    UnitId unit;
    Inputs found;
    std::set<VarId> seen;
    std::vector<std::pair<ExprId, std::uint32_t>> todo;
  };

  void visit_all(Walk& walk, ExprId id) {
    for (std::uint32_t part = 0; part < p_[id].types.size(); ++part) visit(walk, id, part);
  }

  void variable(Walk& walk, VarId var) {
    if (!walk.seen.insert(var).second) return;
    const Variable& variable = p_[walk.unit].vars[index(var)];
    if (variable.definition != kNoExpr)
      walk.todo.emplace_back(variable.definition, variable.part);
    else
      walk.found.insert(var);
  }

  void visit(Walk& walk, ExprId id, std::uint32_t part) {
    const Expr& e = p_[id];
    switch (e.kind) {
      case ExprKind::Name:
        if (e.ref.kind == Reference::Kind::Local) variable(walk, VarId{e.ref.index});
        return;
      case ExprKind::Call:
        return call(walk, e, part);
      case ExprKind::ModeRef:
        return mode(walk, e);
      case ExprKind::Tuple:
        for (ExprId arg : e.args) {
          auto count = static_cast<std::uint32_t>(p_[arg].types.size());
          if (part < count) return visit(walk, arg, part);
          part -= count;
        }
        return;
      case ExprKind::Unary:
        if (e.op == Operator::Pre) return;
        break;
      case ExprKind::Bool:
      case ExprKind::Number:
      case ExprKind::Binary:
      case ExprKind::Ite:
      case ExprKind::Field:
      case ExprKind::Record:
      case ExprKind::Cast:
      case ExprKind::When:
      case ExprKind::Merge:
        break;
    }
    for (ExprId arg : e.args) visit_all(walk, arg);
  }

  void call(Walk& walk, const Expr& e, std::uint32_t part) {
    const Inputs needed = output(e.callee, part);
    const std::vector<Variable>& vars = p_[e.callee].vars;
    std::uint32_t var = 0;
    for (ExprId arg : e.args) {
      for (std::uint32_t i = 0; i < p_[arg].types.size(); ++i, ++var) {
        while (vars[var].role != Role::Input) ++var;
        if (needed.contains(VarId{var})) visit(walk, arg, i);
      }
    }
    if (e.clock != kNoExpr) visit_all(walk, e.clock);
    for (ExprId value : e.defaults) visit_all(walk, value);
  }

  /// Inputs of the node that its output depends on.
  Inputs output(UnitId unit, std::uint32_t part) {
    auto [slot, is_new] = outputs_.try_emplace({unit, part});
    if (!is_new) return slot->second;
    Inputs found;
    const std::vector<Variable>& vars = p_[unit].vars;
    std::uint32_t count = part;
    for (std::uint32_t i = 0; i < vars.size(); ++i) {
      if (depth_ >= kMaxCalls && vars[i].role == Role::Input) found.insert(VarId{i});
      if (depth_ >= kMaxCalls || vars[i].role != Role::Output || count-- != 0) continue;
      ++depth_;
      found = of(unit, vars[i].definition, vars[i].part);
      --depth_;
    }
    return outputs_[{unit, part}] = found;
  }

  /// What the mode requires; of an imported contract, what is given for its variables.
  void mode(Walk& walk, const Expr& e) {
    Inputs found = required(walk.unit, e.labels, 0);
    for (VarId var : found) variable(walk, var);
  }

  Inputs required(UnitId unit, const std::vector<std::string>& path, std::size_t at) {
    Inputs found;
    if (at + 1 < path.size()) {
      for (const Import& import : p_[unit].imports) {
        if (import.name != path[at]) continue;
        return given(unit, import, required(import.unit, path, at + 1));
      }
      return found;
    }
    if (!active_.insert({unit, path[at]}).second) return found;  // a mode that requires itself
    for (const Mode& mode : p_[unit].modes) {
      if (mode.name != path[at]) continue;
      for (const Claim& claim : mode.requires_) found.merge(of(unit, claim.formula, 0));
    }
    active_.erase({unit, path[at]});
    return found;
  }

  /// What the arguments of the import give for these variables of the contract.
  Inputs given(UnitId unit, const Import& import, const Inputs& wanted) {
    Inputs found;
    std::uint32_t var = 0;
    for (ExprId arg : import.args)
      for (std::uint32_t i = 0; i < p_[arg].types.size(); ++i, ++var)
        if (wanted.contains(VarId{var})) found.merge(of(unit, arg, i));
    return found;
  }

  const Program& p_;
  std::map<std::pair<UnitId, std::uint32_t>, Inputs> outputs_;
  std::set<std::pair<UnitId, std::string>> active_;
  int depth_ = 0;
};

/// One contract at a time: what it imports was looked at with variables of its own.
class Assumptions {
 public:
  explicit Assumptions(const Program& program) : p_(program), now_(program) {}

  Status check() {
    for (std::uint32_t i = 0; i < p_.units.size(); ++i)
      if (p_.units[i].kind == UnitKind::Contract)
        if (Status status = check(UnitId{i}); !status) return status;
    return Ok{};
  }

 private:
  Status check(UnitId id) {
    const Unit& contract = p_[id];
    for (const Claim& claim : contract.assumes)
      if (Status status = refuse_outputs(id, now_.of(id, claim.formula, 0), claim.at,
                                         "an assumption cannot depend on");
          !status)
        return status;
    for (const Import& import : contract.imports) {
      for (std::size_t i = 0; i < import.inputs; ++i) {
        ExprId arg = import.args[i];
        for (std::uint32_t part = 0; part < p_[arg].types.size(); ++part)
          if (Status status = refuse_outputs(id, now_.of(id, arg, part), p_[arg].at,
                                             "an input of an import cannot depend on");
              !status)
            return status;
      }
    }
    return Ok{};
  }

  Status refuse_outputs(UnitId id, const Inputs& found, Place at, const std::string& what) const {
    for (VarId var : found) {
      const Variable& variable = p_[id].vars[index(var)];
      if (variable.produced)
        return error_at(at, what + " output '" + variable.name + "' of the same instant");
    }
    return Ok{};
  }

  const Program& p_;
  SameInstant now_;
};

}  // namespace

Status check_assumptions(const Program& program) {
  return Assumptions(program).check();
}

}  // namespace lem::lustre
