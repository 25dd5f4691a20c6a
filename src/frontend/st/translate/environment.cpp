#include "frontend/st/translate/environment.h"

#include <algorithm>

#include "base/try.h"
#include "frontend/st/lexer.h"
#include "frontend/st/standard_blocks.h"
#include "frontend/st/visit_expressions.h"

namespace lem::st {

static bool is_instance_of(const Type& type, const PouInfo& pou) {
  if (type.kind == Type::Kind::Array) return is_instance_of(*type.element, pou);
  if (type.kind == Type::Kind::Block) return type.block == &pou;
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [&](const Part& part) { return is_instance_of(*part.type, pou); });
}

Result<const PouInfo*> choose_entry(const Program& program, const std::string& wanted) {
  std::vector<const PouInfo*> own;
  for (const PouInfo& one : program.pous)
    if (!one.builtin && one.owner == nullptr) own.push_back(&one);
  auto names = [](const std::vector<const PouInfo*>& list) {
    std::string out;
    for (const PouInfo* one : list) out += (out.empty() ? "" : ", ") + one->pou->name.text;
    return out;
  };
  std::string key = lower(wanted);
  if (key.empty() && program.unit->instances.size() == 1) key = program.unit->instances[0].type.key;
  if (!key.empty()) {
    const PouInfo* found = program.find_pou(key);
    if (found != nullptr) return found;
    const std::string& text = wanted.empty() ? program.unit->instances[0].type.text : wanted;
    return Error{{}, "there is no block '" + text + "'; there are " + names(own), ErrorKind::Usage};
  }
  auto only = [&](auto&& is_meant) -> const PouInfo* {
    std::vector<const PouInfo*> left;
    std::copy_if(own.begin(), own.end(), std::back_inserter(left), is_meant);
    return left.size() == 1 ? left[0] : nullptr;
  };
  auto is_used = [&](const PouInfo* block) {
    auto holds = [&](const Variable& one) { return is_instance_of(*one.type, *block); };
    const std::vector<Variable>& globals = program.globals;
    return std::any_of(globals.begin(), globals.end(), holds) ||
           std::any_of(own.begin(), own.end(), [&](const PouInfo* user) {
             return std::any_of(user->variables.begin(), user->variables.end(), holds);
           });
  };
  if (const PouInfo* found = only([&](const PouInfo* one) {
        return one->pou->kind == Pou::Kind::Program && !is_used(one);
      }))
    return found;
  if (const PouInfo* block = only(
          [&](const PouInfo* one) { return one->pou->kind == Pou::Kind::Block && !is_used(one); }))
    return block;
  if (own.size() == 1) return own[0];
  if (own.empty()) return Error{{}, "the file has no program, function block or function"};
  return Error{{},
               "several blocks could be the entry: give --entry with one of " + names(own),
               ErrorKind::Usage};
}

static StVariable::Role role_of(const Variable& one) {
  if (one.address.starts_with("%i")) return StVariable::Role::Input;
  switch (one.section) {
    case Section::Input:
      return StVariable::Role::Input;
    case Section::InOut:
      return StVariable::Role::InOut;
    case Section::Output:
      return StVariable::Role::Output;
    case Section::Temp:
      return StVariable::Role::Temp;
    case Section::Static:
    case Section::Global:
    case Section::External:
      return StVariable::Role::State;
  }
  unreachable();
}

StVariable::Role Environment::role_in_cycle(const Variable& one) const {
  return parameters_.contains(one.name.key) ? StVariable::Role::Parameter : role_of(one);
}

static bool asks_for_time(const Pou& pou) {
  bool found = false;
  walk(pou, [&](const Expr& expr) {
    found = found || (expr.kind == Expr::Kind::Call && expr.operand->kind == Expr::Kind::Name &&
                      is_clock(expr.operand->name->key));
  });
  return found;
}

/// Whether the block has a variable of its own under the name of a global one.
static bool hides(const PouInfo& block, const std::string& key) {
  return std::any_of(block.variables.begin(), block.variables.end(), [&](const Variable& one) {
    return one.name.key == key && one.section != Section::External;
  });
}

Status Environment::make_variables() {
  assert(context_.entry != nullptr && "the entry block is chosen first");
  LEM_TRY(mark_parameters());
  LEM_TRY(check_addresses(context_));
  for (const PouInfo& pou : context_.program.pous)
    if (!context_.clock && asks_for_time(*pou.pou))
      context_.clock =
          cfa_.variable(kStClock, t_.bv_sort(32),
                        {{}, kStClock, context_.elementary("time"), StVariable::Role::Time});
  const PouInfo& entry = *context_.entry;
  for (const Variable& one : context_.program.globals)
    if (!one.constant)
      places_.add_global({one.name, one.type, one.initial, one.scope},
                         memory_.make((hides(entry, one.name.key) ? "GLOBAL." : "") + one.name.text,
                                      *one.type, role_in_cycle(one)));
  for (const Variable& one : entry.variables) LEM_TRY(add_own(one));
  if (entry.result != nullptr) LEM_TRY(add_own({entry.pou->name, entry.result, Section::Output}));
  type_.name = entry.pou->name.text;
  type_.block = &entry;
  storage_.type = &type_;
  collect_inputs();
  context_.entry_frame = {&entry, &storage_};
  for (const auto& [key, storage] : references_)
    context_.entry_frame.references.insert({key, whole(storage)});
  return Ok{};
}

Status Environment::add_own(const Variable& one) {
  if (one.constant) return Ok{};
  const std::vector<Variable>& globals = context_.program.globals;
  if (one.section == Section::External) {
    if (std::any_of(globals.begin(), globals.end(),
                    [&](const Variable& g) { return g.name.key == one.name.key; }))
      return Ok{};
    return Error{one.name.at, "the global variable '" + one.name.text + "' is not declared"};
  }
  Storage made = memory_.make(one.name.text, *one.type, role_in_cycle(one));
  if (one.section == Section::InOut) {
    references_.insert({one.name.key, std::move(made)});
    return Ok{};
  }
  storage_.parts.push_back(std::move(made));
  type_.parts.push_back({one.name, one.type, one.initial, context_.entry});
  return Ok{};
}

/// Inputs that are arbitrary but constant.
Status Environment::mark_parameters() {
  for (const std::string& text : context_.options.parameters) {
    std::string key = lower(text);
    if (key.starts_with("instance.")) key = key.substr(9);
    bool known = false;
    for (const Variable& one : context_.entry->variables) {
      bool from_outside = one.section == Section::Input || one.section == Section::InOut;
      known = known || (from_outside && one.name.key == key);
    }
    if (!known)
      return Error{{},
                   "--parameter: '" + text + "' is no input of " + context_.entry->pou->name.text,
                   ErrorKind::Usage};
    parameters_.insert(key);
  }
  return Ok{};
}

/// Inputs of the controller (AT %I) that instances within a variable declare.
static void collect_located(const Storage& storage, std::vector<const Storage*>& out) {
  for (std::size_t i = 0; i < storage.parts.size(); ++i) {
    bool located = storage.type->kind == Type::Kind::Block &&
                   is_located_input(*storage.type, storage.type->parts[i]);
    if (located)
      out.push_back(&storage.parts[i]);
    else
      collect_located(storage.parts[i], out);
  }
}

/// What the environment sets: inputs, and what is passed to the entry by reference.
void Environment::collect_inputs() {
  auto collect = [&](const Storage& storage, const std::vector<Variable>& variables) {
    for (std::size_t i = 0; i < storage.parts.size(); ++i)
      for (const Variable& one : variables) {
        if (one.name.key != storage.type->parts[i].name.key) continue;
        if (role_of(one) != StVariable::Role::Input)
          collect_located(storage.parts[i], inputs_);
        else if (!parameters_.contains(one.name.key))
          inputs_.push_back(&storage.parts[i]);
      }
  };
  collect(places_.globals(), context_.program.globals);
  collect(storage_, context_.entry->variables);
  for (const auto& [key, storage] : references_)
    if (!parameters_.contains(key)) inputs_.push_back(&storage);
}

/// Only values of the type: literals of the enumeration, the subrange, numbers.
void Environment::restrict_input(Term leaf, const Type& type) {
  if (type.kind == Type::Kind::Real) {
    cfa_.emit(Command::assume(t_.make_not(make_fp_is_nan(t_, leaf))));
    cfa_.emit(Command::assume(t_.make_not(make_fp_is_infinite(t_, leaf))));
  }
  if (type.kind == Type::Kind::Enum && !type.text) {
    std::vector<Term> any;
    for (const auto& [name, value] : type.literals)
      any.push_back(t_.make_eq(leaf, types_.number(value, type)));
    Term one = t_.make_or(any);
    if (!t_.is_true(one)) cfa_.emit(Command::assume(one));
  }
  if (type.range) {
    Term low = types_.number(type.range->first, type),
         high = types_.number(type.range->second, type);
    bool sign = type.is_signed();
    cfa_.emit(Command::assume(sign ? t_.make_bv_sle(low, leaf) : t_.make_bv_ule(low, leaf)));
    cfa_.emit(Command::assume(sign ? t_.make_bv_sle(leaf, high) : t_.make_bv_ule(leaf, high)));
  }
}

/// `elements`: how many an array of the automaton has; 0 for a scalar.
Status Environment::take_input(const Storage& storage, std::size_t elements) {
  constexpr std::size_t kMostRestricted = 4096;
  if (storage.spread) elements = std::max<std::size_t>(elements, 1) * storage.type->elements();
  const Type& type = *storage.type;
  bool restricted = storage.leaf && (type.kind == Type::Kind::Real || type.range ||
                                     (type.kind == Type::Kind::Enum && !type.text));
  if (restricted && elements > kMostRestricted)
    return Error{context_.entry->pou->name.at,
                 "inputs with more than " + std::to_string(kMostRestricted) + " elements of type " +
                     type.name + " are not supported"};
  if (storage.leaf) cfa_.emit(Command::havoc(storage.leaf));
  if (restricted && elements == 0) restrict_input(storage.leaf, type);
  for (std::size_t i = 0; restricted && i < elements; ++i)
    restrict_input(t_.make_select(storage.leaf, t_.bv(mpz_class(std::to_string(i)), 32)), type);
  for (const Storage& part : storage.parts) LEM_TRY(take_input(part, elements));
  return Ok{};
}

Status Environment::take_at_start(const Storage& storage, std::size_t elements) {
  LEM_TRY(take_input(storage, elements));
  std::vector<const Storage*> waiting = {&storage};
  while (!waiting.empty()) {
    const Storage* one = waiting.back();
    waiting.pop_back();
    for (const Storage& part : one->parts) waiting.push_back(&part);
    for (StVariable& about : cfa_.source().variables)
      if (one->leaf && about.term == one->leaf) about.arbitrary = true;
  }
  return Ok{};
}

/// What is declared RETAIN, and such variables of instances, in whatever block these stand. What is
/// set at each call is not kept.
Status Environment::take_retained(const Storage& storage, bool retained, std::size_t elements) {
  if (storage.leaf && retained) return take_at_start(storage, elements);
  if (storage.spread) elements = std::max<std::size_t>(elements, 1) * storage.type->elements();
  const PouInfo* block = storage.type->block;
  for (std::size_t i = 0; i < storage.parts.size(); ++i) {
    bool own = retained;
    if (block != nullptr)
      for (const Variable& one : block->variables)
        if (one.name.key == storage.type->parts[i].name.key)
          own = one.section != Section::Temp && (retained || one.retain);
    LEM_TRY(take_retained(storage.parts[i], own, elements));
  }
  return Ok{};
}

Status Environment::set_up(const Storage& storage, const std::vector<Variable>& variables) {
  for (std::size_t i = 0; i < storage.parts.size(); ++i) {
    const Part& part = storage.type->parts[i];
    LEM_TRY(initial_.initialise(storage.parts[i], part.initial, part.scope));
    for (const Variable& one : variables)
      if (one.name.key == part.name.key && context_.options.any_retained)
        LEM_TRY(take_retained(storage.parts[i], one.retain, 0));
    if (&storage == &storage_ && parameters_.contains(part.name.key))
      LEM_TRY(take_at_start(storage.parts[i], 0));
  }
  return Ok{};
}

Status Environment::set_initial_values() {
  LEM_TRY(set_up(places_.globals(), context_.program.globals));
  LEM_TRY(set_up(storage_, context_.entry->variables));
  if (context_.clock) cfa_.emit(Command::assign(context_.clock, t_.bv(0, 32)));
  for (const auto& [key, storage] : references_) {
    LEM_TRY(initial_.initialise(storage, {}, context_.entry));
    if (parameters_.contains(key)) LEM_TRY(take_at_start(storage, 0));
  }
  return Ok{};
}

/// Each timer gets older by the length of the cycle. Without a model of time, by any length: each
/// timer by its own, which allows more runs than there are.
void Environment::advance_time() {
  if (memory_.ages().empty() && !context_.clock) return;
  Term longest = t_.bv((mpz_class(1) << 31) - 1, 32);
  if (context_.options.time == StOptions::Time::Nondet) {
    for (Term age : memory_.ages()) {
      cfa_.emit(Command::havoc(age));
      cfa_.emit(Command::assume(t_.make_bv_sle(t_.bv(0, 32), age)));
    }
    if (context_.clock) cfa_.emit(Command::havoc(context_.clock));
    return;
  }
  Term length = t_.bv(context_.options.least_ms, 32);
  if (context_.options.most_ms != context_.options.least_ms) {
    const Type& time = *context_.elementary("time");
    length = cfa_.variable(kStCycle, types_.sort_of(time),
                           {{}, kStCycle, &time, StVariable::Role::Time});
    cfa_.emit(Command::havoc(length));
    cfa_.emit(Command::assume(t_.make_bv_ule(t_.bv(context_.options.least_ms, 32), length)));
    cfa_.emit(Command::assume(t_.make_bv_ule(length, t_.bv(context_.options.most_ms, 32))));
  }
  if (context_.clock)
    cfa_.emit(Command::assign(context_.clock, t_.make(Op::BvAdd, {context_.clock, length})));
  for (Term age : memory_.ages()) {
    Term sum = t_.make(Op::BvAdd, {age, length});
    Term wraps = t_.make(Op::BvSlt, {sum, t_.bv(0, 32)});
    cfa_.emit(Command::assign(age, t_.make_ite(wraps, longest, sum)));
  }
}

Status Environment::begin_cycle() {
  for (const Storage* input : inputs_) LEM_TRY(take_input(*input, 0));
  advance_time();
  return Ok{};
}

}  // namespace lem::st
