#include "frontend/lustre/checker.h"

#include <algorithm>
#include <set>

#include "base/near_names.h"
#include "frontend/lustre/assumptions.h"

namespace lem::lustre {

namespace {

constexpr std::uint32_t kMaxDefinitionDepth = 500;

std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

}  // namespace

Status Checker::run() {
  for (auto step : {&Checker::types, &Checker::names}) {
    if (Status status = (this->*step)(); !status) return status;
  }
  for (std::uint32_t i = 0; i < p_.units.size(); ++i)
    if (Status status = variables(UnitId{i}); !status) return status;
  for (std::uint32_t i = 0; i < p_.units.size(); ++i)
    if (Status status = unit(UnitId{i}); !status) return status;
  if (Status status = order_calls(); !status) return status;
  if (Status status = imports_of_functions(); !status) return status;
  if (Status status = guards_of_contracts(); !status) return status;
  if (Status status = check_assumptions(p_); !status) return status;
  return main_.empty() ? choose_main() : take_main();
}

// Types -------------------------------------------------------------------------------------------

Status Checker::types() {
  for (std::size_t i = 0; i < p_.type_decls.size(); ++i) {
    const TypeDecl& decl = p_.type_decls[i];
    if (!type_names_.emplace(decl.name, i).second)
      return error_at(decl.at, "type " + quoted(decl.name) + " is declared twice");
  }
  type_progress_.assign(p_.type_decls.size(), Progress::New);
  type_ids_.assign(p_.type_decls.size(), kBool);
  for (const TypeDecl& decl : p_.type_decls)
    if (auto id = named(decl.name, decl.at); !id) return id.error();
  return Ok{};
}

/// Types may be used before they are declared.
Result<TypeId> Checker::named(const std::string& name, Place at) {
  auto found = type_names_.find(name);
  if (found == type_names_.end()) return error_at(at, "unknown type " + quoted(name));
  std::size_t i = found->second;
  if (type_progress_[i] == Progress::Done) return type_ids_[i];
  if (type_progress_[i] == Progress::Active)
    return error_at(at, "type " + quoted(name) + " contains itself");
  if (depth_ > kMaxDefinitionDepth) return error_at(at, "types are nested too deeply");
  type_progress_[i] = Progress::Active;
  ++depth_;
  auto id = define(p_.type_decls[i]);
  --depth_;
  if (!id) return id;
  type_progress_[i] = Progress::Done;
  type_ids_[i] = *id;
  return *id;
}

Result<TypeId> Checker::define(const TypeDecl& decl) {
  switch (decl.type.kind) {
    case TypeExpr::Kind::Record:
      return record(decl);
    case TypeExpr::Kind::Enum:
      return enumeration(decl);
    case TypeExpr::Kind::Known:
    case TypeExpr::Kind::Named:
    case TypeExpr::Kind::Subrange:
    case TypeExpr::Kind::Inferred:
      return resolve(decl.type);
  }
  unreachable();
}

Result<TypeId> Checker::resolve(const TypeExpr& type) {
  switch (type.kind) {
    case TypeExpr::Kind::Known:
      return type.known;
    case TypeExpr::Kind::Named:
      return named(type.name, type.at);
    case TypeExpr::Kind::Subrange:
      return subrange(type);
    case TypeExpr::Kind::Enum:
    case TypeExpr::Kind::Record:
    case TypeExpr::Kind::Inferred:
      break;
  }
  unreachable();
}

Result<TypeId> Checker::record(const TypeDecl& decl) {
  Type out{.kind = TypeKind::Record, .name = decl.name};
  std::set<std::string> seen;
  for (const auto& [name, type] : decl.type.fields) {
    if (!seen.insert(name).second)
      return error_at(decl.type.at, "field " + quoted(name) + " is declared twice");
    auto id = resolve(type);
    if (!id) return id;
    out.fields.push_back({name, *id});
  }
  TypeId id = p_.types.add(std::move(out));
  if (p_.types.leaf_count(id) >= kTooManyLeaves)
    return error_at(decl.at, "type " + quoted(decl.name) + " is too large");
  return id;
}

Result<TypeId> Checker::enumeration(const TypeDecl& decl) {
  Type out{.kind = TypeKind::Enum, .name = decl.name, .enumerators = decl.type.enumerators};
  out.high = out.enumerators.size() - 1;
  TypeId id = p_.types.add(out);
  for (std::uint32_t i = 0; i < out.enumerators.size(); ++i) {
    if (!enumerators_.emplace(out.enumerators[i], Enumerator{id, i}).second)
      return error_at(decl.type.at,
                      "enumerator " + quoted(out.enumerators[i]) + " is declared twice");
  }
  return id;
}

Result<TypeId> Checker::subrange(const TypeExpr& type) {
  auto low = bound(type.low);
  if (!low) return low.error();
  auto high = bound(type.high);
  if (!high) return high.error();
  if (*low > *high) return error_at(type.at, "the subrange is empty");
  std::string name = "subrange [" + low->get_str() + ", " + high->get_str() + "] of int";
  return p_.types.add({.kind = TypeKind::Subrange, .name = name, .low = *low, .high = *high});
}

/// A number, perhaps negative, or a constant that is one.
Result<mpz_class> Checker::bound(ExprId id) {
  const Expr& e = p_[id];
  if (e.kind == ExprKind::Number && e.types.front() == kInt)
    return mpz_class(p_.numbers[e.number].get_num());
  if (e.kind == ExprKind::Unary && e.op == Operator::Neg) {
    auto value = bound(e.args.front());
    if (!value) return value;
    return mpz_class(-*value);
  }
  if (e.kind == ExprKind::Name && depth_ < kMaxDefinitionDepth) {
    for (const Variable& constant : p_[kGlobals].vars) {
      if (constant.name != e.name || constant.definition == kNoExpr) continue;
      ++depth_;
      auto value = bound(constant.definition);
      --depth_;
      return value;
    }
  }
  return error_at(e.at, "unsupported: bound of a subrange that is no number");
}

// Units -------------------------------------------------------------------------------------------

Status Checker::names() {
  for (std::uint32_t i = 0; i < p_.units.size(); ++i) {
    const Unit& unit = p_.units[i];
    if (unit.kind == UnitKind::Globals || unit.name.empty()) continue;
    auto& map = unit.kind == UnitKind::Contract ? contracts_ : nodes_;
    if (!map.emplace(unit.name, UnitId{i}).second)
      return error_at(unit.at, (unit.kind == UnitKind::Contract ? "contract " : "node ") +
                                   quoted(unit.name) + " is declared twice");
  }
  return Ok{};
}

Status Checker::variables(UnitId id) {
  unit_ = id;
  Unit& unit = here();
  for (std::uint32_t i = 0; i < unit.vars.size(); ++i) {
    const Variable& variable = unit.vars[i];
    if (!unit.names.emplace(variable.name, VarId{i}).second)
      return error_at(variable.at, quoted(variable.name) + " is declared twice");
    if (enumerators_.contains(variable.name))
      return error_at(variable.at, quoted(variable.name) + " is also an enumerator");
    if (id != kGlobals && p_[kGlobals].names.contains(variable.name))
      return error_at(variable.at, quoted(variable.name) + " is also a constant of the program");
  }
  for (Variable& variable : unit.vars)
    if (Status status = variable_type(variable); !status) return status;
  return Ok{};
}

/// Constants may leave out their type. require: the variable is of the unit being checked
Status Checker::variable_type(Variable& variable) {
  if (variable.typing == Variable::Typing::Done) return Ok{};
  if (variable.type_expr.kind != TypeExpr::Kind::Inferred) {
    auto type = resolve(variable.type_expr);
    if (!type) return type.error();
    variable.type = *type;
    variable.typing = Variable::Typing::Done;
    return Ok{};
  }
  if (variable.typing == Variable::Typing::Active || depth_ > kMaxDefinitionDepth)
    return error_at(variable.at,
                    "the type of constant " + quoted(variable.name) + " cannot be inferred");
  variable.typing = Variable::Typing::Active;
  ++depth_;
  auto type = one_type(variable.definition, "a constant");
  --depth_;
  if (!type) return type.error();
  variable.type = *type;
  variable.typing = Variable::Typing::Done;
  return Ok{};
}

Status Checker::unit(UnitId id) {
  unit_ = id;
  for (auto step : {&Checker::definitions, &Checker::equations, &Checker::contract})
    if (Status status = (this->*step)(); !status) return status;
  if (Status status = claims(here().asserts, "an assertion"); !status) return status;
  if (Status status = claims(here().properties, "a property"); !status) return status;
  for (Variable& variable : here().vars) {
    if (variable.definition == kNoExpr) continue;
    collect_needs(variable.definition, variable.part, variable.needs);
    std::sort(variable.needs.begin(), variable.needs.end());
    auto end = std::unique(variable.needs.begin(), variable.needs.end());
    variable.needs.erase(end, variable.needs.end());
  }
  return Ok{};
}

/// Constants and ghost variables, which have their value in the declaration.
Status Checker::definitions() {
  for (Variable& variable : here().vars) {
    if (variable.definition == kNoExpr) continue;
    bool checked = variable.type_expr.kind == TypeExpr::Kind::Inferred;
    if (!checked)
      if (Status status = expr(variable.definition); !status) return status;
    mark_guards(variable.definition, Guard::Open);
    if (variable.constant)
      if (Status status = constant_value(variable.definition, 0, variable.name); !status)
        return status;
    Status fits = match(std::span(&variable.definition, 1), {variable.type}, variable.at,
                        "the value of " + quoted(variable.name));
    if (!fits) return fits;
  }
  return Ok{};
}

/// The part of the value is the same at every instant.
Status Checker::constant_value(ExprId id, std::uint32_t part, const std::string& name) {
  const Expr& e = p_[id];
  auto refuse = [&](const std::string& what) {
    return error_at(e.at, "the value of constant " + quoted(name) + " cannot use " + what);
  };
  if (e.kind == ExprKind::Call) return refuse("a call");
  if (e.kind == ExprKind::ModeRef) return refuse("a mode");
  bool temporal = e.op == Operator::Pre || e.op == Operator::Arrow;
  if ((e.kind == ExprKind::Unary || e.kind == ExprKind::Binary) && temporal)
    return refuse(quoted(std::string(lustre::text(e.op))));
  bool local = e.kind == ExprKind::Name && e.ref.kind == Reference::Kind::Local;
  if (local && !here().vars[e.ref.index].constant) return refuse("variable " + quoted(e.name));
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    auto count = static_cast<std::uint32_t>(p_[e.args[i]].types.size());
    bool wanted = e.kind != ExprKind::Tuple || part < count;
    std::uint32_t inner =
        e.kind == ExprKind::Tuple || (e.kind == ExprKind::Ite && i > 0) ? part : 0;
    if (wanted)
      if (Status status = constant_value(e.args[i], inner, name); !status) return status;
    if (wanted && e.kind == ExprKind::Tuple) break;
    if (e.kind == ExprKind::Tuple) part -= count;
  }
  return Ok{};
}

Status Checker::equations() {
  Unit& unit = here();
  for (const Equation& equation : unit.equations) {
    Types wanted;
    std::uint32_t part = 0;
    for (const auto& [name, at] : equation.left) {
      auto found = unit.names.find(name);
      if (found == unit.names.end()) return error_at(at, "unknown variable " + quoted(name));
      Variable& variable = unit.vars[index(found->second)];
      if (variable.role == Role::Input)
        return error_at(at, "input " + quoted(name) + " cannot be defined");
      if (variable.definition != kNoExpr) return error_at(at, quoted(name) + " is defined twice");
      variable.definition = equation.right;
      variable.part = part++;
      wanted.push_back(variable.type);
    }
    if (Status status = root(equation.right); !status) return status;
    Status fits = match(std::span(&equation.right, 1), wanted, equation.at, "the equation");
    if (!fits) return fits;
  }
  for (const Variable& variable : unit.vars) {
    if (unit.kind == UnitKind::Globals || variable.role == Role::Input) continue;
    if (variable.definition == kNoExpr)
      return error_at(variable.at, quoted(variable.name) + " has no equation");
  }
  return Ok{};
}

Status Checker::root(ExprId id) {
  if (Status status = expr(id); !status) return status;
  mark_guards(id, Guard::Open);
  return Ok{};
}

Status Checker::claims(std::span<const Claim> claims, std::string_view what) {
  for (const Claim& claim : claims) {
    if (Status status = root(claim.formula); !status) return status;
    if (Status status = single(claim.formula, kBool, what); !status) return status;
  }
  return Ok{};
}

Status Checker::contract() {
  Unit& unit = here();
  for (Import& import : unit.imports) {
    auto found = contracts_.find(import.name);
    if (found == contracts_.end())
      return error_at(import.at, "unknown contract " + quoted(import.name));
    import.unit = found->second;
    importing_ = true;
    for (ExprId arg : import.args)
      if (Status status = root(arg); !status) return status;
    importing_ = false;
    Types inputs, outputs;
    for (const Variable& variable : p_[import.unit].vars)
      if (variable.role == Role::Input)
        (variable.produced ? outputs : inputs).push_back(variable.type);
    std::span<const ExprId> args = import.args;
    std::string what = "the import of contract " + quoted(import.name);
    Status fits = match(args.first(import.inputs), inputs, import.at, what + ", for its inputs,");
    if (fits)
      fits = match(args.subspan(import.inputs), outputs, import.at, what + ", for its outputs,");
    if (!fits) return fits;
  }
  if (Status status = claims(unit.assumes, "an assumption"); !status) return status;
  if (Status status = claims(unit.guarantees, "a guarantee"); !status) return status;
  std::set<std::string> seen;
  for (const Mode& mode : unit.modes) {
    if (!seen.insert(mode.name).second)
      return error_at(mode.at, "mode " + quoted(mode.name) + " is declared twice");
    if (Status status = claims(mode.requires_, "a requirement"); !status) return status;
    if (Status status = claims(mode.ensures, "an ensure clause"); !status) return status;
  }
  return Ok{};
}

/// Orders units so that callers precede callees. Calls, contracts and imports must not be circular.
Status Checker::order_calls() {
  auto callees = [&](const Unit& unit) {
    std::vector<UnitId> out;
    for (auto [callee, count] : unit.calls) out.push_back(callee);
    if (unit.contract != kNoUnit) out.push_back(unit.contract);
    for (const Import& import : unit.imports) out.push_back(import.unit);
    return out;
  };
  std::vector<std::uint32_t> callers(p_.units.size(), 0);
  for (const Unit& unit : p_.units)
    for (UnitId callee : callees(unit)) ++callers[static_cast<std::size_t>(callee)];
  for (std::uint32_t i = 0; i < p_.units.size(); ++i)
    if (callers[i] == 0) order_.push_back(UnitId{i});
  for (std::size_t next = 0; next < order_.size(); ++next)
    for (UnitId callee : callees(p_[order_[next]]))
      if (--callers[static_cast<std::size_t>(callee)] == 0) order_.push_back(callee);
  if (order_.size() == p_.units.size()) return Ok{};
  auto stuck = std::find_if(callers.begin(), callers.end(), [](auto count) { return count > 0; });
  const Unit& unit = p_.units[static_cast<std::size_t>(stuck - callers.begin())];
  return error_at(unit.at, "recursive calls through " + quoted(unit.name));
}

/// The contract of a function must be stateless, and so must those that it imports.
Status Checker::imports_of_functions() {
  std::vector<bool> stateful(p_.units.size(), false);
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {  // imported ones first
    const Unit& unit = p_[*at];
    bool any = unit.stateful;
    for (const Import& import : unit.imports) {
      bool inner = stateful[static_cast<std::size_t>(import.unit)];
      any = any || inner;
      if (inner && !unit.function.empty())
        return error_at(import.at, "the contract of function " + quoted(unit.function) +
                                       " cannot import " + quoted(import.name) +
                                       ", which uses 'pre', '->' or a node");
    }
    stateful[static_cast<std::size_t>(*at)] = any;
  }
  return Ok{};
}

/// What a contract says must not depend on arbitrary first values: there is no `pre` without an
/// arrow in it, in what its imports are given, or in a node that it calls, however deep. An arrow
/// before the call is none for the `pre` inside. Kind 2 refuses them in its strict mode; its own
/// files have `pre` of outputs in claims, which stays a warning.
Status Checker::guards_of_contracts() {
  std::map<UnitId, UnitId> reached;  // by node: itself or one that it calls, with such a `pre`
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {  // callees first
    const Unit& unit = p_[*at];
    if (unguarded_.contains(*at)) reached[*at] = *at;
    for (auto [callee, count] : unit.calls)
      if (auto found = reached.find(callee); found != reached.end())
        reached.try_emplace(*at, found->second);
    auto found = reached.find(*at);
    if (unit.kind != UnitKind::Contract || found == reached.end()) continue;
    std::string where = found->second == *at ? "" : " in a node that it calls";
    std::string what = unit.name.empty() ? "a contract" : "contract " + quoted(unit.name);
    return error_at(unguarded_.at(found->second),
                    what + " uses 'pre' without '->'" + where +
                        ": its value at the first instant is arbitrary");
  }
  return Ok{};
}

/// The node that the user names.
Status Checker::take_main() {
  if (auto found = nodes_.find(main_); found != nodes_.end()) {
    p_.main = found->second;
    return Ok{};
  }
  std::vector<std::string> names;
  for (const auto& [name, id] : nodes_) names.push_back(name);
  Error error{{}, "there is no node " + quoted(main_) + near_names(main_, names), ErrorKind::Usage};
  return error;
}

/// The node marked --%MAIN; else the node that is not called and has something to check.
Status Checker::choose_main() {
  std::vector<bool> called(p_.units.size(), false);
  std::vector<bool> claims(p_.units.size(), false);
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    const Unit& unit = p_[*at];
    bool any = !unit.properties.empty() || !unit.guarantees.empty() || !unit.modes.empty();
    auto include = [&](UnitId other) { any = any || claims[static_cast<std::size_t>(other)]; };
    for (auto [callee, count] : unit.calls) {
      called[static_cast<std::size_t>(callee)] = true;
      include(callee);
    }
    if (unit.contract != kNoUnit) include(unit.contract);
    for (const Import& import : unit.imports) include(import.unit);
    claims[static_cast<std::size_t>(*at)] = any;
  }
  std::vector<UnitId> marked, roots, claiming;
  for (std::uint32_t i = 0; i < p_.units.size(); ++i) {
    const Unit& unit = p_.units[i];
    if (unit.kind != UnitKind::Node && unit.kind != UnitKind::Function) continue;
    if (unit.main) marked.push_back(UnitId{i});
    if (!called[i]) roots.push_back(UnitId{i});
    if (!called[i] && claims[i]) claiming.push_back(UnitId{i});
  }
  if (roots.empty()) return error_at({1, 1}, "the file has no node");
  if (marked.size() > 1)
    return error_at(p_[marked[1]].at, "a second node is marked --%MAIN: " +
                                          quoted(p_[marked[0]].name) + " is one already");
  if (marked.empty() && claiming.size() > 1)
    return error_at(p_[claiming[1]].at,
                    "unsupported: several nodes with properties that nobody calls, " +
                        quoted(p_[claiming[0]].name) + " and " + quoted(p_[claiming[1]].name) +
                        "; mark one with --%MAIN;");
  p_.main = !marked.empty() ? marked[0] : !claiming.empty() ? claiming[0] : roots.back();
  return Ok{};
}

}  // namespace lem::lustre
