#include "frontend/st/translate/calls.h"

#include <algorithm>

#include "base/try.h"
#include "frontend/st/lexer.h"
#include "frontend/st/visit_expressions.h"
#include "term/traverse.h"

namespace lem::st {

bool has_own_call(const Context& context, const Expr& expr) {
  bool found = false;
  walk(&expr, [&](const Expr& one) {
    if (one.kind != Expr::Kind::Call) return;
    const Expr& callee = *one.operand;
    const PouInfo* block = context.frames.empty() ? nullptr : context.frames.back().pou;
    if (block != nullptr && block->owner != nullptr) block = block->owner;
    found = found || callee.kind != Expr::Kind::Name ||
            context.program.find_pou(callee.name->key) != nullptr ||
            (block != nullptr && block->find_method(callee.name->key) != nullptr);
  });
  return found;
}

static bool is_temporary(const Variable& one, const PouInfo& pou) {
  if (one.constant || one.section == Section::External || one.section == Section::InOut)
    return false;
  if (one.section == Section::Temp) return true;
  bool keeps = pou.pou->kind != Pou::Kind::Function;
  return !keeps && one.section != Section::Input;
}

/// Locals, parameters and the result of a function.
const Storage& Calls::function_storage(const PouInfo& function) {
  if (auto found = function_storage_.find(&function); found != function_storage_.end())
    return found->second;
  Type type{Type::Kind::Block};
  type.name = function.pou->name.text;
  for (const Variable& one : function.variables)
    if (!one.constant && one.section != Section::External && one.section != Section::InOut)
      type.parts.push_back({one.name, one.type, one.initial, &function});
  if (function.result != nullptr)
    type.parts.push_back({function.pou->name, function.result, {}, &function});
  function_types_.push_back(std::move(type));
  Storage made =
      memory_.make(function.pou->name.text, function_types_.back(), StVariable::Role::Temp);
  return function_storage_.insert({&function, std::move(made)}).first->second;
}

static void collect_leaves(const Storage& storage, std::set<Term>& out) {
  if (storage.leaf) out.insert(storage.leaf);
  for (const Storage& part : storage.parts) collect_leaves(part, out);
}

bool Calls::writes_outside(std::size_t from, std::size_t to) const {
  std::set<Term> own;
  for (const auto& entry : function_storage_) {
    const Storage& storage = entry.second;
    bool open = std::any_of(context_.frames.begin(), context_.frames.end(),
                            [&](const Frame& one) { return one.self == &storage; });
    if (!open) collect_leaves(storage, own);
  }
  return cfa_.writes_beyond(from, to, own);
}

/// The input that an argument is for; `position`: how many came before it without a name.
static Result<const Variable*> formal_of(const std::vector<const Variable*>& formal,
                                         const PouInfo& callee, const Expr& call,
                                         const Argument& argument, std::size_t& position) {
  const std::string& name = callee.pou->name.text;
  if (!argument.name) {
    if (position < formal.size()) return formal[position++];
    return Error{call.at, "'" + name + "' has " + std::to_string(formal.size()) + " inputs"};
  }
  for (const Variable* one : formal)
    if (one->name.key == argument.name->key) return one;
  if (argument.name->key == "en")
    return Error{argument.name->at, "calls that EN switches off are not supported"};
  return Error{argument.name->at, "'" + name + "' has no input '" + argument.name->text + "'"};
}

/// What is passed to a call, evaluated from left to right. The value of an argument is that of its
/// evaluation, whatever later arguments call.
Result<Calls::Passed> Calls::evaluate_arguments(const PouInfo& callee, const Storage& self,
                                                const Expr& call, Frame& inner) {
  std::vector<const Variable*> formal;
  for (const Variable& one : callee.variables)
    if ((one.section == Section::Input || one.section == Section::InOut) && !one.constant)
      formal.push_back(&one);
  Passed out;
  Held held(cfa_);
  std::size_t position = 0;
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::Output) continue;
    LEM_LET(const Variable* target, formal_of(formal, callee, call, argument, position));
    if (std::find(out.inputs.begin(), out.inputs.end(), target) != out.inputs.end())
      return Error{call.at, "'" + target->name.text + "' is given twice"};
    if (argument.value == nullptr) continue;
    out.inputs.push_back(target);
    std::size_t before = out.values.size();
    LEM_TRY(bind_argument(*target, self, *argument.value, inner, out.values));
    for (std::size_t i = before; i < out.values.size(); ++i) held.add(out.values[i].value);
  }
  for (const Variable* one : formal)
    if (one->section == Section::InOut && !inner.references.contains(one->name.key))
      return Error{call.at, "nothing is passed for '" + one->name.text + "' (VAR_IN_OUT)"};
  return out;
}

/// Inputs get their values, what is passed by reference its place. Omitted inputs of instances keep
/// theirs, those of functions are set to their initial values.
Status Calls::bind(const PouInfo& callee, const Storage& self, const Expr& call, Frame& inner) {
  LEM_LET(Passed passed, evaluate_arguments(callee, self, call, inner));
  cfa_.keep_held();  // of what is evaluated around the call
  std::set<Term> assigned;
  for (Transfer& one : passed.values) {  // all values are those before the first assignment
    std::vector<Term> read = variables_of(t_, one.value);
    if (std::any_of(read.begin(), read.end(), [&](Term each) { return assigned.contains(each); }))
      cfa_.keep(one.value);
    assigned.insert(one.to.storage->leaf);
  }
  for (const Transfer& one : passed.values) memory_.write(one);
  if (callee.pou->kind != Pou::Kind::Function) return Ok{};
  return omitted_inputs(callee, self, passed.inputs);
}

Status Calls::bind_argument(const Variable& target, const Storage& self, const Expr& argument,
                            Frame& inner, std::deque<Transfer>& given) {
  if (target.section == Section::InOut) {
    LEM_LET(Place where, places_.place(argument));
    if (!same_type(*where.type, *target.type))
      return Error{argument.at, "'" + target.name.text +
                                    "' is passed by reference and has the type " +
                                    target.type->name + ", not " + where.type->name};
    cfa_.keep(where);
    inner.references.insert({target.name.key, std::move(where)});
    return Ok{};
  }
  const Storage* to = part_of(self, target.name.key);
  if (!target.type->is_scalar()) {
    LEM_LET(Place from, places_.place(argument));
    LEM_LET(std::vector<Transfer> all, memory_.transfers(whole(*to), from, argument.at));
    given.insert(given.end(), all.begin(), all.end());
    return Ok{};
  }
  loops_.begin_expression();
  LEM_LET(Value value, expressions_.eval(argument, target.type));
  LEM_LET(Term term, types_.coerce(value, *target.type, argument.at));
  given.push_back({{Term{}, to, Term{}}, term});
  return Ok{};
}

/// Inputs of a function that a call leaves out have their initial values.
Status Calls::omitted_inputs(const PouInfo& callee, const Storage& self,
                             const std::vector<const Variable*>& passed) {
  for (const Variable& one : callee.variables) {
    bool omitted = one.section == Section::Input && !one.constant &&
                   std::find(passed.begin(), passed.end(), &one) == passed.end();
    if (!omitted) continue;
    LEM_TRY(initial_.initialise(*part_of(self, one.name.key), one.initial, &callee));
  }
  return Ok{};
}

Status Calls::run_body(Frame inner, const SourcePos& at) {
  for (const Frame& open : context_.frames)
    if (open.pou == inner.pou && open.self != nullptr)
      return Error{at, "recursion: '" + inner.pou->pou->name.text + "' calls itself"};
  const PouInfo& pou = *inner.pou;
  const Storage& self = *inner.self;
  return run_statements(pou.pou->body, std::move(inner), [&]() -> Status {
    for (const Variable& one : pou.variables)
      if (is_temporary(one, pou))
        LEM_TRY(initial_.initialise(*part_of(self, one.name.key), one.initial, &pou));
    if (pou.result == nullptr) return Ok{};
    return initial_.initialise(*part_of(self, pou.pou->name.key), {}, &pou);
  });
}

/// Where an output goes. Some controllers find the element before the call, some behind it.
///   require: `before` is the mark before the call
Result<Place> Calls::output_place(const Expr& target, std::size_t before) {
  Result<Place> to = places_.place(target);
  if (to && (has_own_call(context_, target) || cfa_.changed_since(before, *to)))
    return Error{target.at,
                 "the call changes which variable this output goes to; controllers differ on when "
                 "they look"};
  return to;
}

Status Calls::outputs(const PouInfo& callee, const Storage& self, const Expr& call,
                      std::size_t before) {
  for (const Argument& argument : call.arguments) {
    if (argument.kind != Argument::Kind::Output || argument.value == nullptr) continue;
    const Variable* source = nullptr;
    for (const Variable& one : callee.variables)
      if (one.name.key == argument.name->key && one.section == Section::Output) source = &one;
    if (source == nullptr && argument.name->key == "eno") {
      LEM_LET(Place to, output_place(*argument.value, before));
      LEM_TRY(
          memory_.write(to, {context_.elementary("bool"), t_.boolean(!argument.negated)}, call.at));
      continue;
    }
    if (source == nullptr)
      return Error{argument.name->at,
                   "'" + callee.pou->name.text + "' has no output '" + argument.name->text + "'"};
    LEM_LET(Place to, output_place(*argument.value, before));
    Place from = whole(*part_of(self, source->name.key));
    if (!source->type->is_scalar()) {
      LEM_TRY(memory_.copy(to, from, argument.value->at));
      continue;
    }
    LEM_LET(Value value, memory_.read(from, argument.value->at));
    if (argument.negated) value.term = t_.make_not(value.term);
    LEM_TRY(memory_.write(to, value, argument.value->at));
  }
  return Ok{};
}

Status Calls::call_instance(const Place& where, const Expr& call) {
  if (where.known() == nullptr || where.alternatives[0].index)
    return Error{call.at, "calls of instances under a variable index are not supported"};
  const Storage& self = *where.known();
  return call_pou(*self.type->block, {self.type->block, &self}, call);
}

/// A body with its inputs before and its outputs behind.
Status Calls::call_pou(const PouInfo& callee, Frame inner, const Expr& call) {
  const Storage& self = *inner.self;
  std::size_t before = cfa_.mark();
  LEM_TRY(bind(callee, self, call, inner));
  LEM_TRY(run_body(std::move(inner), call.at));
  return outputs(callee, self, call, before);
}

Result<Value> Calls::call_function(const PouInfo& function, Frame inner, const Expr& call) {
  const Storage& self = function_storage(function);
  inner.self = &self;
  LEM_TRY(call_pou(function, std::move(inner), call));
  if (function.result == nullptr) return Value{};
  if (!function.result->is_scalar())
    return Error{call.at, (function.owner != nullptr ? "methods" : "functions") +
                              (" that return " + function.result->name + " are not supported")};
  LEM_LET(Value value, memory_.read(whole(*part_of(self, function.pou->name.key)), call.at));
  cfa_.keep(value.term);  // another call of the function may follow in the same expression
  return value;
}

Result<Value> Calls::call(const Expr& call, const Type* hint) {
  LEM_LET(Method called, method_of(call));
  if (called.pou == nullptr && call.operand->kind != Expr::Kind::Name)
    return Error{call.at, "only functions can be called in an expression"};
  const Name& name = *call.operand->name;
  if (called.pou == nullptr)
    if (const PouInfo* found = context_.program.find_pou(name.key);
        found != nullptr && found->pou->kind == Pou::Kind::Function)
      called = {found, {found}};
  if (called.pou != nullptr) {
    LEM_LET(Value value, call_function(*called.pou, std::move(called.inner), call));
    if (value.type != nullptr) return value;
    return Error{call.at, "'" + name.text + "' returns no value"};
  }
  LEM_LET(std::optional<Value> value, standard_.call(call, hint));
  if (value) return *value;
  if (places_.find(name)) return Error{call.at, "only functions can be called in an expression"};
  return Error{call.at, "there is no function '" + name.text + "'"};
}

/// Statements in a frame of their own; `before` runs in it first.
Status Calls::run_statements(const Body& body, Frame inner, const std::function<Status()>& before) {
  LocationId end = inner.end = cfa_.new_location("end");
  inner.runs = true;
  InFrame inside(context_, std::move(inner));
  LEM_TRY(before());
  std::uint32_t line = cfa_.line();
  LEM_TRY(bodies_.run(body));
  cfa_.jump(end);
  cfa_.set_line(line);
  return Ok{};
}

Status Calls::run_action(const Action& action, Frame inner, const Expr& call) {
  if (!call.arguments.empty()) return Error{call.at, "an action has no arguments"};
  const Storage* self = inner.self;
  if (!open_actions_.insert({&action, self}).second)
    return Error{call.at, "recursion: '" + action.name.text + "' calls itself"};
  inner.loops.clear();
  LEM_TRY(run_statements(action.body, std::move(inner), [] { return Ok{}; }));
  open_actions_.erase({&action, self});
  return Ok{};
}

Result<Calls::Method> Calls::method_of(const Expr& call) {
  if (context_.frames.empty() || !context_.frame().runs) return Method{};
  const Expr& callee = *call.operand;
  const Frame& here = context_.frame();
  bool is_this = callee.kind == Expr::Kind::Member && callee.operand->kind == Expr::Kind::Name &&
                 callee.operand->name->key == "this";
  if (is_this || (callee.kind == Expr::Kind::Name && !places_.find(*callee.name))) {
    bool inside = here.pou->owner != nullptr;  // a method calls one of the same instance
    const PouInfo* method = (inside ? here.pou->owner : here.pou)->find_method(callee.name->key);
    if (method == nullptr) return Method{};
    Frame inner{method};
    inner.owner = inside ? here.owner : here.self;
    inner.owner_references = inside ? here.owner_references : here.references;
    return Method{method, std::move(inner)};
  }
  if (callee.kind != Expr::Kind::Member) return Method{};
  Result<Place> owner = places_.place(*callee.operand);
  if (!owner || owner->type->kind != Type::Kind::Block) return Method{};
  const PouInfo* method = owner->type->block->find_method(callee.name->key);
  if (method == nullptr) return Method{};
  if (owner->known() == nullptr)
    return Error{call.at, "calls of instances under a variable index are not supported"};
  Frame inner{method};
  inner.owner = owner->known();
  return Method{method, std::move(inner)};
}

/// `Action();`, `instance.Action();`, and `timer.TON(...);` of SCL; nothing for another call.
Result<bool> Calls::call_by_name(const Expr& call) {
  const Expr& callee = *call.operand;
  LEM_LET(Method method, method_of(call));
  if (method.pou != nullptr) {
    LEM_TRY(call_function(*method.pou, std::move(method.inner), call));
    return true;
  }
  if (callee.kind == Expr::Kind::Name && !places_.find(*callee.name)) {
    const PouInfo* owner = context_.frame().pou->owner;
    const Pou& block = *(owner != nullptr ? owner : context_.frame().pou)->pou;
    const Action* action = block.find_action(callee.name->key);
    if (action == nullptr) return false;
    Frame inner = context_.frame();
    if (owner != nullptr) {
      inner = Frame{owner, context_.frame().owner};
      inner.references = context_.frame().owner_references;
    }
    LEM_TRY(run_action(*action, std::move(inner), call));
    return true;
  }
  if (callee.kind != Expr::Kind::Member) return false;
  Result<Place> owner = places_.place(*callee.operand);
  if (!owner || owner->type->kind != Type::Kind::Block) return false;
  const PouInfo& block = *owner->type->block;
  if (instance_of_method(call) != nullptr && block.builtin) {
    if (lower(block.pou->name.text) != callee.name->key)
      return Error{callee.at, "'" + callee.name->text + "' is called on an instance of " +
                                  block.pou->name.text};
    LEM_TRY(call_instance(*owner, call));
    return true;
  }
  const Action* action = block.pou->find_action(callee.name->key);
  if (action == nullptr) return false;
  if (owner->known() == nullptr)
    return Error{call.at, "calls of instances under a variable index are not supported"};
  Frame inner{&block, owner->known()};
  LEM_TRY(run_action(*action, std::move(inner), call));
  return true;
}

Status Calls::call_statement(const Expr& call, const SourcePos& at) {
  const Expr& callee = *call.operand;
  LEM_LET(bool done_by_name, call_by_name(call));
  if (done_by_name) return Ok{};
  bool is_variable = callee.kind != Expr::Kind::Name || places_.find(*callee.name).has_value();
  if (is_variable) {
    LEM_LET(Place where, places_.place(callee));
    if (where.type->kind != Type::Kind::Block)
      return Error{call.at, "only functions and instances of function blocks can be called, not " +
                                where.type->name};
    return call_instance(where, call);
  }
  const std::string& key = callee.name->key;
  const PouInfo* function = context_.program.find_pou(key);
  if (function != nullptr && function->pou->kind == Pou::Kind::Function) {
    LEM_TRY(call_function(*function, {function}, call));
    return Ok{};
  }
  if (function != nullptr)
    return Error{call.at,
                 "'" + callee.name->text + "' is a function block: declare an instance of it"};
  if ((key == "assert" || key == "assume") && call.arguments.size() == 1) {
    Statement made{key == "assert" ? Statement::Kind::Assert : Statement::Kind::Assume, at};
    made.value = call.arguments[0].value;
    return bodies_.run({made});
  }
  if (key == "printf") {
    context_.warn(call.at, "printf has no effect here");
    return Ok{};
  }
  LEM_TRY(this->call(call, nullptr));
  return Ok{};
}

}  // namespace lem::st
