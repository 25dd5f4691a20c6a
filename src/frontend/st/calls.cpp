// Calls of functions and of instances of function blocks, inlined.
#include <algorithm>
#include <set>

#include "frontend/st/lexer.h"
#include "frontend/st/translate.h"
#include "term/traverse.h"

namespace lem::st {

static bool is_temporary(const Variable& one, const PouInfo& pou) {
  if (one.constant || one.section == Section::External || one.section == Section::InOut)
    return false;
  if (one.section == Section::Temp) return true;
  bool keeps = pou.pou->kind != Pou::Kind::Function;
  return !keeps && one.section != Section::Input;
}

/// Locals, parameters and the result of a function: one set for all calls, as none is open twice.
Result<const Storage*> Translator::function_storage(const PouInfo& function) {
  if (auto found = function_storage_.find(&function); found != function_storage_.end())
    return &found->second;
  Type type{Type::Kind::Block};
  type.name = function.pou->name.text;
  for (const Variable& one : function.variables)
    if (!one.constant && one.section != Section::External && one.section != Section::InOut)
      type.parts.push_back({one.name, one.type, one.initial, &function});
  if (function.result != nullptr)
    type.parts.push_back({function.pou->name, function.result, {}, &function});
  own_types_.push_back(std::move(type));
  Result<Storage> made =
      make_storage(function.pou->name.text, own_types_.back(), StVariable::Role::Temp, 0);
  if (!made) return made.error();
  return &function_storage_.insert({&function, *std::move(made)}).first->second;
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
Result<Translator::Passed> Translator::evaluate_arguments(const PouInfo& callee,
                                                          const Storage& self, const Expr& call,
                                                          Frame& frame_of) {
  std::vector<const Variable*> formal;
  for (const Variable& one : callee.variables)
    if ((one.section == Section::Input || one.section == Section::InOut) && !one.constant)
      formal.push_back(&one);
  Passed out;
  Held held(held_);
  std::size_t position = 0;
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::Output) continue;
    Result<const Variable*> target = formal_of(formal, callee, call, argument, position);
    if (!target) return target.error();
    if (std::find(out.inputs.begin(), out.inputs.end(), *target) != out.inputs.end())
      return Error{call.at, "'" + (*target)->name.text + "' is given twice"};
    if (argument.value == nullptr) continue;
    out.inputs.push_back(*target);
    std::size_t before = out.values.size();
    if (Status done = bind_argument(**target, self, *argument.value, frame_of, out.values); !done)
      return done.error();
    for (std::size_t i = before; i < out.values.size(); ++i) held.add(out.values[i].value);
  }
  for (const Variable* one : formal)
    if (one->section == Section::InOut && !frame_of.references.contains(one->name.key))
      return Error{call.at, "nothing is passed for '" + one->name.text + "' (VAR_IN_OUT)"};
  return out;
}

/// Inputs get their values, what is passed by reference its place. Omitted inputs of instances keep
/// theirs, those of functions are set to their initial values.
Status Translator::bind(const PouInfo& callee, const Storage& self, const Expr& call,
                        Frame& frame_of) {
  Result<Passed> passed = evaluate_arguments(callee, self, call, frame_of);
  if (!passed) return passed.error();
  keep_held();  // of what is evaluated around the call
  std::set<Term> assigned;
  for (Transfer& one : passed->values) {  // all values are those before the first assignment
    std::vector<Term> read = variables_of(t_, one.value);
    if (std::any_of(read.begin(), read.end(), [&](Term each) { return assigned.contains(each); }))
      keep(one.value);
    assigned.insert(one.to.storage->leaf);
  }
  for (const Transfer& one : passed->values) write_alternative(one.to, one.value);
  if (callee.pou->kind != Pou::Kind::Function) return Ok{};
  return omitted_inputs(callee, self, passed->inputs);
}

Status Translator::bind_argument(const Variable& target, const Storage& self, const Expr& argument,
                                 Frame& frame_of, std::deque<Transfer>& given) {
  if (target.section == Section::InOut) {
    Result<Place> where = place(argument);
    if (!where) return where.error();
    if (!same_type(*where->type, *target.type))
      return Error{argument.at, "'" + target.name.text +
                                    "' is passed by reference and has the type " +
                                    target.type->name + ", not " + where->type->name};
    keep(*where);
    frame_of.references.insert({target.name.key, *std::move(where)});
    return Ok{};
  }
  const Storage* to = part_of(self, target.name.key);
  if (!target.type->is_scalar()) {
    Result<Place> from = place(argument);
    if (!from) return from.error();
    Result<std::vector<Transfer>> all = transfers(whole(*to), *from, argument.at);
    if (!all) return all.error();
    given.insert(given.end(), all->begin(), all->end());
    return Ok{};
  }
  turns_before_ = turns_read_;
  Result<Value> value = eval(argument, target.type);
  if (!value) return value.error();
  Result<Term> term = coerce(*value, *target.type, argument.at);
  if (!term) return term.error();
  given.push_back({{Term{}, to, Term{}}, *term});
  return Ok{};
}

/// Inputs of a function that a call leaves out have their initial values.
Status Translator::omitted_inputs(const PouInfo& callee, const Storage& self,
                                  const std::vector<const Variable*>& passed) {
  for (const Variable& one : callee.variables) {
    bool omitted = one.section == Section::Input && !one.constant &&
                   std::find(passed.begin(), passed.end(), &one) == passed.end();
    if (!omitted) continue;
    if (Status done = initialise(*part_of(self, one.name.key), one.initial, &callee); !done)
      return done;
  }
  return Ok{};
}

Status Translator::run_body(Frame inner, const SourcePos& at) {
  for (const Frame& open : frames_)
    if (open.pou == inner.pou && open.self != nullptr)
      return Error{at, "recursion: '" + inner.pou->pou->name.text + "' calls itself"};
  const PouInfo& pou = *inner.pou;
  const Storage& self = *inner.self;
  inner.end = new_location("end");
  inner.runs = true;
  LocationId end = inner.end;
  frames_.push_back(std::move(inner));
  for (const Variable& one : pou.variables) {
    if (!is_temporary(one, pou)) continue;
    if (Status done = initialise(*part_of(self, one.name.key), one.initial, &pou); !done)
      return done;
  }
  if (pou.result != nullptr)
    if (Status done = initialise(*part_of(self, pou.pou->name.key), {}, &pou); !done) return done;
  std::uint32_t line = line_;
  if (Status done = body(pou.pou->body); !done) return done;
  go_to(end);
  continue_at(end);
  line_ = line;
  frames_.pop_back();
  return Ok{};
}

/// Where an output goes. Some controllers find the element before the call, some behind it.
///   require: `before` is the size of `written_` before the call
Result<Place> Translator::output_place(const Expr& target, std::size_t before) {
  Result<Place> to = place(target);
  if (to && (has_own_call(target) || changed_since(before, *to)))
    return Error{target.at,
                 "the call changes which variable this output goes to; controllers differ on when "
                 "they look"};
  return to;
}

Status Translator::outputs(const PouInfo& callee, const Storage& self, const Expr& call,
                           std::size_t before) {
  for (const Argument& argument : call.arguments) {
    if (argument.kind != Argument::Kind::Output || argument.value == nullptr) continue;
    const Variable* source = nullptr;
    for (const Variable& one : callee.variables)
      if (one.name.key == argument.name->key && one.section == Section::Output) source = &one;
    if (source == nullptr && argument.name->key == "eno") {
      Result<Place> to = output_place(*argument.value, before);
      if (!to) return to.error();
      if (Status done = write(*to, {elementary("bool"), t_.boolean(!argument.negated)}, call.at);
          !done)
        return done;
      continue;
    }
    if (source == nullptr)
      return Error{argument.name->at,
                   "'" + callee.pou->name.text + "' has no output '" + argument.name->text + "'"};
    Result<Place> to = output_place(*argument.value, before);
    if (!to) return to.error();
    Place from = whole(*part_of(self, source->name.key));
    if (!source->type->is_scalar()) {
      if (Status done = copy(*to, from, argument.value->at); !done) return done;
      continue;
    }
    Result<Value> value = read(from, argument.value->at);
    if (!value) return value.error();
    if (argument.negated) value->term = t_.make_not(value->term);
    if (Status done = write(*to, *value, argument.value->at); !done) return done;
  }
  return Ok{};
}

Status Translator::call_instance(const Place& where, const Expr& call) {
  if (where.alternatives.size() != 1 || where.alternatives[0].guard || where.alternatives[0].index)
    return Error{call.at, "calls of instances under a variable index are not supported"};
  const Storage& self = *where.alternatives[0].storage;
  const PouInfo& callee = *self.type->block;
  Frame inner{&callee, &self};
  std::size_t before = written_.size();
  if (Status done = bind(callee, self, call, inner); !done) return done;
  if (Status done = run_body(std::move(inner), call.at); !done) return done;
  return outputs(callee, self, call, before);
}

Result<Value> Translator::call_function(const PouInfo& function, const Expr& call) {
  Result<const Storage*> self = function_storage(function);
  if (!self) return self.error();
  Frame inner{&function, *self};
  std::size_t before = written_.size();
  if (Status done = bind(function, **self, call, inner); !done) return done.error();
  if (Status done = run_body(std::move(inner), call.at); !done) return done.error();
  if (Status done = outputs(function, **self, call, before); !done) return done.error();
  if (function.result == nullptr) return Value{};
  if (!function.result->is_scalar())
    return Error{call.at, "functions that return " + function.result->name + " are not supported"};
  Result<Value> value = read(whole(*part_of(**self, function.pou->name.key)), call.at);
  if (value) keep(value->term);  // another call of the function may follow in the same expression
  return value;
}

Result<Value> Translator::eval_call(const Expr& call, const Type* hint) {
  Result<std::pair<const PouInfo*, Frame>> method = method_of(call);
  if (!method) return method.error();
  if (method->first != nullptr) {
    const PouInfo& callee = *method->first;
    Result<Value> value = call_method(callee, std::move(method->second), call);
    if (value && value->type == nullptr)
      return Error{call.at, "'" + callee.pou->name.text + "' returns no value"};
    return value;
  }
  if (call.operand->kind != Expr::Kind::Name)
    return Error{call.at, "only functions can be called in an expression"};
  const Name& name = *call.operand->name;
  if (const PouInfo* function = program_->find_pou(name.key);
      function != nullptr && function->pou->kind == Pou::Kind::Function) {
    Result<Value> value = call_function(*function, call);
    if (value && value->type == nullptr)
      return Error{call.at, "'" + name.text + "' returns no value"};
    return value;
  }
  Result<std::optional<Value>> value = standard_function(call, hint);
  if (!value) return value.error();
  if (*value) return **value;
  if (find_place(name)) return Error{call.at, "only functions can be called in an expression"};
  return Error{call.at, "there is no function '" + name.text + "'"};
}

Status Translator::run_action(const Action& action, Frame inner, const Expr& call) {
  if (!call.arguments.empty()) return Error{call.at, "an action has no arguments"};
  if (!open_actions_.insert({&action, inner.self}).second)
    return Error{call.at, "recursion: '" + action.name.text + "' calls itself"};
  const Storage* self = inner.self;
  inner.end = new_location("end");
  inner.loops.clear();
  inner.runs = true;
  LocationId end = inner.end;
  frames_.push_back(std::move(inner));
  std::uint32_t line = line_;
  if (Status done = body(action.body); !done) return done;
  go_to(end);
  continue_at(end);
  line_ = line;
  frames_.pop_back();
  open_actions_.erase({&action, self});
  return Ok{};
}

Result<std::pair<const PouInfo*, Translator::Frame>> Translator::method_of(const Expr& call) {
  std::pair<const PouInfo*, Frame> none{nullptr, Frame{}};
  if (frames_.empty() || !frame().runs) return none;
  const Expr& callee = *call.operand;
  const Frame& here = frame();
  bool is_this = callee.kind == Expr::Kind::Member && callee.operand->kind == Expr::Kind::Name &&
                 callee.operand->name->key == "this";
  if (is_this || (callee.kind == Expr::Kind::Name && !find_place(*callee.name))) {
    bool inside = here.pou->owner != nullptr;  // a method calls one of the same instance
    const PouInfo* method = (inside ? here.pou->owner : here.pou)->find_method(callee.name->key);
    if (method == nullptr) return none;
    Frame inner{method};
    inner.owner = inside ? here.owner : here.self;
    inner.owner_references = inside ? here.owner_references : here.references;
    return std::pair(method, std::move(inner));
  }
  if (callee.kind != Expr::Kind::Member) return none;
  Result<Place> owner = place(*callee.operand);
  if (!owner || owner->type->kind != Type::Kind::Block) return none;
  const PouInfo* method = owner->type->block->find_method(callee.name->key);
  if (method == nullptr) return none;
  if (owner->alternatives.size() != 1 || owner->alternatives[0].guard)
    return Error{call.at, "calls of instances under a variable index are not supported"};
  Frame inner{method};
  inner.owner = owner->alternatives[0].storage;
  return std::pair(method, std::move(inner));
}

Result<Value> Translator::call_method(const PouInfo& method, Frame inner, const Expr& call) {
  Result<const Storage*> self = function_storage(method);
  if (!self) return self.error();
  inner.self = *self;
  std::size_t before = written_.size();
  if (Status done = bind(method, **self, call, inner); !done) return done.error();
  if (Status done = run_body(std::move(inner), call.at); !done) return done.error();
  if (Status done = outputs(method, **self, call, before); !done) return done.error();
  if (method.result == nullptr) return Value{};
  if (!method.result->is_scalar())
    return Error{call.at, "methods that return " + method.result->name + " are not supported"};
  Result<Value> value = read(whole(*part_of(**self, method.pou->name.key)), call.at);
  if (value) keep(value->term);
  return value;
}

/// `Action();`, `instance.Action();`, and `timer.TON(...);` of SCL; nothing for another call.
Result<bool> Translator::call_by_name(const Expr& call) {
  const Expr& callee = *call.operand;
  Result<std::pair<const PouInfo*, Frame>> method = method_of(call);
  if (!method) return method.error();
  if (method->first != nullptr) {
    Result<Value> value = call_method(*method->first, std::move(method->second), call);
    if (!value) return value.error();
    return true;
  }
  if (callee.kind == Expr::Kind::Name && !find_place(*callee.name)) {
    const PouInfo* owner = frame().pou->owner;
    const Pou& block = *(owner != nullptr ? owner : frame().pou)->pou;
    const Action* action = block.find_action(callee.name->key);
    if (action == nullptr) return false;
    Frame inner = frame();
    if (owner != nullptr) {
      inner = Frame{owner, frame().owner};
      inner.references = frame().owner_references;
    }
    if (Status done = run_action(*action, std::move(inner), call); !done) return done.error();
    return true;
  }
  if (callee.kind != Expr::Kind::Member) return false;
  Result<Place> owner = place(*callee.operand);
  if (!owner || owner->type->kind != Type::Kind::Block) return false;
  const PouInfo& block = *owner->type->block;
  if (instance_of_method(call) != nullptr && block.builtin) {
    if (lower(block.pou->name.text) != callee.name->key)
      return Error{callee.at, "'" + callee.name->text + "' is called on an instance of " +
                                  block.pou->name.text};
    if (Status done = call_instance(*owner, call); !done) return done.error();
    return true;
  }
  const Action* action = block.pou->find_action(callee.name->key);
  if (action == nullptr) return false;
  if (owner->alternatives.size() != 1 || owner->alternatives[0].guard)
    return Error{call.at, "calls of instances under a variable index are not supported"};
  Frame inner{&block, owner->alternatives[0].storage};
  if (Status done = run_action(*action, std::move(inner), call); !done) return done.error();
  return true;
}

Status Translator::call_statement(const Expr& call, const SourcePos& at) {
  const Expr& callee = *call.operand;
  Result<bool> done_by_name = call_by_name(call);
  if (!done_by_name) return done_by_name.error();
  if (*done_by_name) return Ok{};
  bool is_variable = callee.kind != Expr::Kind::Name || find_place(*callee.name).has_value();
  if (is_variable) {
    Result<Place> where = place(callee);
    if (!where) return where.error();
    if (where->type->kind != Type::Kind::Block)
      return Error{call.at, "only functions and instances of function blocks can be called, not " +
                                where->type->name};
    return call_instance(*where, call);
  }
  const std::string& key = callee.name->key;
  const PouInfo* function = program_->find_pou(key);
  if (function != nullptr && function->pou->kind == Pou::Kind::Function) {
    Result<Value> value = call_function(*function, call);
    return value ? Status(Ok{}) : Status(value.error());
  }
  if (function != nullptr)
    return Error{call.at,
                 "'" + callee.name->text + "' is a function block: declare an instance of it"};
  if ((key == "assert" || key == "assume") && call.arguments.size() == 1) {
    Statement made{key == "assert" ? Statement::Kind::Assert : Statement::Kind::Assume, at};
    made.value = call.arguments[0].value;
    return statement(made);
  }
  if (key == "printf") {
    warn(call.at, "printf has no effect here");
    return Ok{};
  }
  Result<Value> value = eval_call(call, nullptr);
  return value ? Status(Ok{}) : Status(value.error());
}

}  // namespace lem::st
