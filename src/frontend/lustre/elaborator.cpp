#include "frontend/lustre/elaborator.h"

namespace lem::lustre {

Result<Elaborated> Elaborator::run() {
  if (Status status = start(); !status) return status.error();
  std::size_t next = 0;
  while (next < instances_.size() || !pending_.empty()) {
    if (next < instances_.size()) {
      InstanceId at{static_cast<std::uint32_t>(next++)};
      for (std::uint32_t var = 0; var < unit(at).vars.size(); ++var)
        if (auto leaves = value(at, VarId{var}); !leaves) return leaves.error();
      if (Status status = claims(at); !status) return status.error();
      continue;
    }
    Pending pending = pending_.front();
    pending_.pop_front();
    if (Status status = settle(pending); !status) return status.error();
  }
  if (Status status = observe(); !status) return status.error();
  return std::move(out_);
}

/// The constants and the main node, whose inputs are those of the system.
Status Elaborator::start() {
  Term first = add_flag("%init");
  out_.flags.back().update = t_.boolean(false);
  Clock base{t_.boolean(true), first};
  add_instance({.unit = kGlobals, .caller = InstanceId{0}, .prefix = "", .clock = base});
  InstanceId main =
      add_instance({.unit = p_.main, .caller = InstanceId{0}, .prefix = "", .clock = base});
  const Unit& node = p_[p_.main];
  for (std::size_t i = 0; i < node.vars.size(); ++i) {
    if (node.vars[i].role != Role::Input) continue;
    (*this)[main].values[i] = node.vars[i].constant
                                  ? fresh_constants(node.vars[i])
                                  : fresh_inputs(node.vars[i].name, node.vars[i].type);
    (*this)[main].progress[i] = Progress::Done;
  }
  return Ok{};
}

Elaborator::InstanceId Elaborator::add_instance(Instance instance) {
  std::size_t size = p_[instance.unit].vars.size();
  instance.progress.assign(size, Progress::New);
  instance.values.resize(size);
  instances_.push_back(std::move(instance));
  return InstanceId{static_cast<std::uint32_t>(instances_.size() - 1)};
}

Status Elaborator::settle(const Pending& pending) {
  auto leaves = eval(pending.at, pending.operand, pending.part);
  if (!leaves) return leaves.error();
  assert(leaves->size() == pending.count && "a memory must fit its operand");
  Term active = (*this)[pending.at].clock.active;
  for (std::size_t i = 0; i < pending.count; ++i) {
    Memory& memory = out_.memories[pending.memory + i];
    memory.update = t_.make_ite(active, (*leaves)[i], memory.state);
  }
  return Ok{};
}

// Variables ---------------------------------------------------------------------------------------

Result<Elaborator::Leaves> Elaborator::value(InstanceId at, VarId var) {
  Instance& instance = (*this)[at];
  if (instance.progress[index(var)] != Progress::Done)
    if (Status status = force(at, var); !status) return status.error();
  return instance.values[index(var)];
}

/// Evaluates what `var` needs before it, on a stack of our own: equations may form long chains.
Status Elaborator::force(InstanceId at, VarId var) {
  Instance& instance = (*this)[at];
  auto circular = [&](VarId id) {
    const Variable& variable = unit(at).vars[index(id)];
    Place place = variable.definition == kNoExpr ? variable.at : p_[variable.definition].at;
    return error_at(place,
                    "'" + instance.prefix + variable.name + "' depends on itself without 'pre'");
  };
  if (instance.progress[index(var)] == Progress::Active) return circular(var);
  std::vector<VarId> stack{var};
  while (!stack.empty()) {
    VarId top = stack.back();
    Progress& progress = instance.progress[index(top)];
    std::size_t before = stack.size();
    if (progress == Progress::New) {
      progress = Progress::Active;
      for (VarId need : unit(at).vars[index(top)].needs) {
        if (instance.progress[index(need)] == Progress::Active) return circular(need);
        if (instance.progress[index(need)] == Progress::New) stack.push_back(need);
      }
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    if (progress == Progress::Done) continue;  // needed twice
    auto leaves = define(at, top);
    if (!leaves) return leaves.error();
    instance.values[index(top)] = *std::move(leaves);
    progress = Progress::Done;
  }
  return Ok{};
}

Result<Elaborator::Leaves> Elaborator::define(InstanceId at, VarId var) {
  Instance& instance = (*this)[at];
  const Variable& variable = unit(at).vars[index(var)];
  if (variable.definition != kNoExpr) return eval(at, variable.definition, variable.part);
  if (instance.unit == kGlobals) return fresh_constants(variable);
  assert(variable.role == Role::Input && "the checker wants equations for all others");
  const Binding& binding = instance.bindings[index(var)];
  if (binding.expr == kNoExpr) return value(instance.caller, binding.var);
  return eval(instance.caller, binding.expr, binding.part);
}

// Calls -------------------------------------------------------------------------------------------

std::vector<Elaborator::Binding> Elaborator::bind(std::span<const ExprId> args) const {
  std::vector<Binding> out;
  for (ExprId arg : args)
    for (std::uint32_t part = 0; part < p_[arg].types.size(); ++part)
      out.push_back({.expr = arg, .part = part});
  return out;
}

/// The instance of a call. `branch`: the condition of the merge branch that the call is, if any.
Result<Elaborator::Child*> Elaborator::child(InstanceId at, ExprId call, Term branch) {
  Instance& caller = (*this)[at];
  if (auto found = caller.children.find(call); found != caller.children.end())
    return &found->second;
  const Expr& e = p_[call];
  if (instances_.size() >= kMaxInstances)
    return error_at(e.at, "more than " + std::to_string(kMaxInstances) + " instances of nodes");
  std::string prefix = caller.prefix + e.name + "~" + std::to_string(e.ordinal) + ".";
  Child made{};
  auto clock = clock_of(at, e, prefix, branch, made.tick);
  if (!clock) return clock.error();
  made.id = add_instance({.unit = e.callee,
                          .caller = at,
                          .prefix = prefix,
                          .clock = *clock,
                          .bindings = bind(e.args)});
  return &caller.children.emplace(call, std::move(made)).first->second;
}

Result<Elaborator::Clock> Elaborator::clock_of(InstanceId at, const Expr& call,
                                               const std::string& prefix, Term branch, Term& tick) {
  const Clock& parent = (*this)[at].clock;
  if (call.clocking != Clocking::Base) {
    auto condition = eval_one(at, call.clock);
    if (!condition) return condition.error();
    if (call.clocking == Clocking::Activate && branch != *condition)
      return error_at(call.at,
                      "unsupported: the node is activated on another condition than "
                      "its branch of merge");
    if (call.clocking == Clocking::Restart)
      return Clock{parent.active, t_.make_or(parent.first, *condition), Restarts::Yes};
    tick = *condition;
  } else if (branch) {
    tick = branch;
  }
  return tick ? sampled(parent, tick, prefix) : parent;
}

/// An instance that runs only when `tick` holds. Its flag says that it has not run since its parent
/// started: at a restart of the parent the flag is old, and `first` of the parent says the same.
Elaborator::Clock Elaborator::sampled(const Clock& parent, Term tick, const std::string& prefix) {
  Term flag = add_flag(prefix + "%waiting");
  std::size_t at = out_.flags.size() - 1;
  Term waiting = parent.restarts == Restarts::Yes ? t_.make_or(flag, parent.first) : flag;
  Term still = t_.make_and(waiting, t_.make_not(tick));
  out_.flags[at].update = t_.make_ite(parent.active, still, flag);
  return {t_.make_and(parent.active, tick), waiting, parent.restarts};
}

// States and inputs -------------------------------------------------------------------------------

/// What `pre operand` reads; its update waits until all that is needed now is done, since it may
/// depend on the memory itself.
const Elaborator::Leaves& Elaborator::memory(InstanceId at, ExprId operand, std::uint32_t part) {
  Instance& instance = (*this)[at];
  const Expr& e = p_[operand];
  bool named = e.kind == ExprKind::Name && e.ref.kind == Reference::Kind::Local;
  MemoryKey key{named, named ? e.ref.index : static_cast<std::uint32_t>(operand), part};
  auto [slot, is_new] = instance.memories.try_emplace(key);
  if (!is_new) return slot->second;
  std::string name = instance.prefix + "pre.";
  name += e.kind == ExprKind::Name ? e.name
                                   : std::to_string(e.at.line) + "_" + std::to_string(e.at.column);
  if (e.types.size() > 1) name += "." + std::to_string(part + 1);
  std::size_t first = out_.memories.size();
  for (const Leaf& leaf : p_.types.leaves(e.types[part]))
    slot->second.push_back(add_memory(name + leaf.path, leaf.type));
  pending_.push_back({at, operand, part, first, slot->second.size()});
  return slot->second;
}

void Elaborator::note_enumerators(Term variable, TypeId type) {
  if (p_.types[type].kind == TypeKind::Enum)
    out_.enumerators[t_.name(variable)] = p_.types[type].enumerators;
}

Term Elaborator::add_memory(const std::string& name, TypeId type) {
  Term state = t_.variable(unique(name), sort_of(type));
  note_enumerators(state, type);
  Memory memory{state, state};
  if (p_.types.has_bounds(type)) memory.range = range(state, type);
  out_.memories.push_back(memory);
  return state;
}

/// A flag that is true at first; the caller gives its update.
Term Elaborator::add_flag(const std::string& name) {
  Term state = t_.variable(unique(name), t_.bool_sort());
  out_.flags.push_back({state, t_.boolean(true), state});
  return state;
}

Term Elaborator::add_input(const std::string& name, TypeId type) {
  Term input = t_.variable(unique(name), sort_of(type));
  note_enumerators(input, type);
  out_.inputs.push_back(input);
  if (p_.types.has_bounds(type)) out_.constraints.push_back(range(input, type));
  return input;
}

Elaborator::Leaves Elaborator::fresh_inputs(const std::string& name, TypeId type) {
  Leaves out;
  for (const Leaf& leaf : p_.types.leaves(type))
    out.push_back(add_input(name + leaf.path, leaf.type));
  return out;
}

/// States that keep an arbitrary value.
Elaborator::Leaves Elaborator::fresh_constants(const Variable& variable) {
  Leaves out;
  for (const Leaf& leaf : p_.types.leaves(variable.type)) {
    Term state = t_.variable(unique(variable.name + leaf.path), sort_of(leaf.type));
    note_enumerators(state, leaf.type);
    out_.constants.push_back(state);
    if (p_.types.has_bounds(leaf.type)) out_.constraints.push_back(range(state, leaf.type));
    out.push_back(state);
  }
  return out;
}

Term Elaborator::range(Term term, TypeId type) {
  const Type& bounds = p_.types[type];
  return t_.make_and(t_.make_le(t_.integer(bounds.low), term),
                     t_.make_le(term, t_.integer(bounds.high)));
}

Sort Elaborator::sort_of(TypeId type) const {
  const Type& of = p_.types[type];
  switch (of.kind) {
    case TypeKind::Bool:
      return t_.bool_sort();
    case TypeKind::Real:
      return t_.real_sort();
    case TypeKind::Machine:
      return t_.bv_sort(of.width);
    case TypeKind::Int:
    case TypeKind::Subrange:
    case TypeKind::Enum:
      return t_.int_sort();
    case TypeKind::Record:
      break;
  }
  unreachable();
}

std::string Elaborator::unique(const std::string& name) {
  std::string out = name;
  for (int i = 2; !taken_.insert(out).second; ++i) out = name + "#" + std::to_string(i);
  return out;
}

}  // namespace lem::lustre
