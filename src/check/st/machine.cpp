#include "check/st/machine.h"

#include <algorithm>

#include "base/assert.h"

namespace lem::check::plc {

using st::Argument;
using st::Expr;
using st::ExprPtr;
using st::Part;
using st::PouInfo;
using st::Section;
using st::Statement;
using st::Type;
using st::Variable;

static constexpr std::size_t kMostSteps = 5'000'000;
/// The prefix of frames in which initial values are evaluated.
static constexpr const char* kNoVariables = "?.";

Machine::Machine(const StSource& source, Choose choose, std::stop_token stop)
    : source_(source), choose_(std::move(choose)), stop_(std::move(stop)) {
  std::string key = source.entry;
  for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  entry_ = source.program->find_pou(key);
  assert(entry_ != nullptr && "the source names its entry block");
}

Value Machine::fail(const std::string& why) {
  if (problem_.empty()) problem_ = why;
  return {elementary("bool")};
}

bool Machine::stopped() {
  if (problem_.empty() && (++steps_ > kMostSteps || stop_.stop_requested()))
    problem_ = "the run takes too many steps";
  return !problem_.empty();
}

std::string Machine::check_key(StProperty::Kind kind, const SourcePos& at) {
  return std::to_string(static_cast<int>(kind)) + "@" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

void Machine::check(StProperty::Kind kind, const SourcePos& at, bool holds) {
  bool runs = frame().pou != nullptr && frame().prefix != kNoVariables;
  if (!holds && runs && !frame().pou->builtin) failed_.insert(check_key(kind, at));
}

/// The run's value for what the program leaves open here.
Value Machine::open(const SourcePos& at, const Type& type) {
  std::size_t time = opened_[{at.line, at.column}];
  std::optional<Value> value = choose_(at, time == 0 ? 0 : time - 1, type);
  if (!value) return fail("line " + std::to_string(at.line) + " leaves a value open");
  return *value;
}

// Variables ---------------------------------------------------------------------------------------

const Value* Machine::get(const std::string& path) const {
  auto found = memory_.find(path);
  return found == memory_.end() ? nullptr : &found->second;
}

static std::string element_path(const std::string& array, const Type& type, std::size_t at) {
  std::string indices;
  for (std::size_t i = type.bounds.size(); i-- > 0;) {
    auto size = static_cast<std::size_t>(type.bounds[i].second - type.bounds[i].first + 1);
    std::string one = std::to_string(type.bounds[i].first + static_cast<std::int64_t>(at % size));
    indices = indices.empty() ? one : one + "," + indices;
    at /= size;
  }
  return array + "[" + indices + "]";
}

void Machine::set_elements(const std::string& path,
                           const std::function<Value(std::size_t)>& value_of) {
  Elements elements{path, value_of};
  for (const Variable& one : source_.program->globals)
    if (!one.constant) set_within(global_path(one), global_path(one), *one.type, 0, elements);
  for (const Variable& one : entry_->variables)
    if (!one.constant && one.section != Section::External)
      set_within(one.name.text, one.name.text, *one.type, 0, elements);
}

/// `shown` is the path with [] in place of the indices of large arrays.
void Machine::set_within(const std::string& path, const std::string& shown, const Type& type,
                         std::size_t index, const Elements& elements) {
  if (!elements.wanted.starts_with(shown)) return;
  if (type.is_scalar()) {
    if (shown == elements.wanted) memory_[path] = elements.value_of(index);
    return;
  }
  if (type.kind == Type::Kind::Array) {
    std::size_t count = type.elements();
    bool large = std::string_view(elements.wanted).substr(shown.size()).starts_with("[]");
    for (std::size_t i = 0; i < count; ++i)
      set_within(element_path(path, type, i), large ? shown + "[]" : element_path(shown, type, i),
                 *type.element, large ? index * count + i : index, elements);
    return;
  }
  for (const Part& part : type.parts)
    set_within(path + "." + part.name.text, shown + "." + part.name.text, *part.type, index,
               elements);
}

Value Machine::initial_scalar(const Type& type, const Expr& from, const PouInfo* scope) {
  frames_.push_back({scope, kNoVariables});
  Value out = coerced(eval(from, &type), type);
  frames_.pop_back();
  return out;
}

void Machine::reset_elements(const std::string& path, const Type& type, const Expr* from,
                             const PouInfo* scope) {
  std::vector<ExprPtr> values(type.elements());
  std::size_t at = 0;
  if (from != nullptr && from->kind == Expr::Kind::Aggregate)
    for (const Argument& one : from->arguments) {
      bool repeated = one.value->kind == Expr::Kind::Repeat;
      mpz_class times = repeated ? one.value->number : mpz_class(1);
      for (mpz_class i = 0; i < times && at < values.size(); ++i)
        values[at++] = repeated ? one.value->operand : one.value;
    }
  else if (from != nullptr)
    std::fill(values.begin(), values.end(), std::make_shared<const Expr>(*from));
  for (std::size_t i = 0; i < values.size(); ++i)
    reset(element_path(path, type, i), *type.element, values[i], scope);
}

void Machine::reset(const std::string& path, const Type& type, const ExprPtr& initial,
                    const PouInfo* scope) {
  const Expr* from = initial != nullptr ? initial.get() : type.initial.get();
  if (type.is_scalar()) {
    memory_[path] = from == nullptr ? default_value(type) : initial_scalar(type, *from, scope);
    return;
  }
  if (type.kind == Type::Kind::Array) return reset_elements(path, type, from, scope);
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const Part& part = type.parts[i];
    ExprPtr given;
    if (from != nullptr)
      for (std::size_t j = 0; j < from->arguments.size(); ++j) {
        const Argument& one = from->arguments[j];
        if (one.name ? one.name->key == part.name.key : i == j) given = one.value;
      }
    if (given != nullptr)
      reset(path + "." + part.name.text, *part.type, given, scope);
    else
      reset(path + "." + part.name.text, *part.type, part.initial, part.scope);
  }
}

void Machine::initialise() {
  for (const Variable& one : source_.program->globals)
    if (!one.constant) reset(global_path(one), *one.type, one.initial, one.scope);
  for (const Variable& one : entry_->variables)
    if (!one.constant && one.section != Section::External)
      reset(one.name.text, *one.type, one.initial, entry_);
  if (entry_->result != nullptr) reset(entry_->pou->name.text, *entry_->result, {}, entry_);
}

/// A variable of the frame, then a global one.
std::optional<Machine::Ref> Machine::find(const st::Name& name) const {
  const PouInfo* pou = frames_.empty() ? nullptr : frame().pou;
  if (pou != nullptr && frame().prefix != kNoVariables) {
    if (auto found = frame().references.find(name.key); found != frame().references.end())
      return found->second;
    for (const Variable& one : pou->variables)
      if (one.name.key == name.key && !one.constant && one.section != Section::External)
        return Ref{frame().prefix + one.name.text, one.type};
    if (pou->result != nullptr && pou->pou->name.key == name.key)
      return Ref{frame().prefix + pou->pou->name.text, pou->result};
    if (std::optional<Ref> found = find_in_owner(name.key)) return found;
  }
  for (const Variable& one : source_.program->globals)
    if (one.name.key == name.key && !one.constant) return Ref{global_path(one), one.type};
  return {};
}

/// The entry block may have a variable of the same name.
std::string Machine::global_path(const Variable& global) const {
  bool hidden =
      std::any_of(entry_->variables.begin(), entry_->variables.end(), [&](const Variable& one) {
        return one.name.key == global.name.key && one.section != Section::External;
      });
  return (hidden ? "GLOBAL." : "") + global.name.text;
}

Machine::Ref Machine::element(const Expr& expr) {
  Ref array = refer(expr.operand != nullptr ? *expr.operand : expr);
  if (!problem_.empty() || array.type->kind != Type::Kind::Array ||
      array.type->bounds.size() != expr.arguments.size()) {
    fail("an element of what is no array");
    return array;
  }
  std::string indices;
  bool inside = true;
  for (std::size_t i = 0; i < expr.arguments.size(); ++i) {
    Value index = eval(*expr.arguments[i].value, elementary("dint"));
    auto [low, high] = array.type->bounds[i];
    inside = inside && index.number >= low && index.number <= high;
    indices += (i > 0 ? "," : "") + index.number.get_str();
  }
  check(StProperty::Kind::Bounds, expr.at, inside);
  return {array.path + "[" + indices + "]", array.type->element, array.outside || !inside};
}

/// The type of a variable or of a part of one, by names only; none for anything else.
const Type* Machine::type_along(const Expr& expr) const {
  if (expr.kind == Expr::Kind::Name) {
    std::optional<Ref> found = find(*expr.name);
    return found ? found->type : nullptr;
  }
  const Type* outer = expr.kind == Expr::Kind::Member ? type_along(*expr.operand) : nullptr;
  if (outer != nullptr)
    for (const Part& part : outer->parts)
      if (part.name.key == expr.name->key) return part.type;
  return nullptr;
}

/// VAR_STAT is a global variable with the name of its POU before its own.
std::optional<Machine::Ref> Machine::static_of(std::string pou, const std::string& key) const {
  for (char& c : pou) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Variable& one : source_.program->globals)
    if (!one.constant && one.name.key == pou + "." + key) return Ref{global_path(one), one.type};
  return {};
}

/// F.n, Block.Method.n, where that is no part of a variable.
std::optional<Machine::Ref> Machine::static_named(const Expr& expr) const {
  if (type_along(expr) != nullptr) return {};
  std::string pou;
  for (const Expr* at = expr.operand.get(); at != nullptr; at = at->operand.get()) {
    if (at->kind != Expr::Kind::Name && at->kind != Expr::Kind::Member) return {};
    pou = at->name->key + (pou.empty() ? "" : ".") + pou;
  }
  return static_of(pou, expr.name->key);
}

Machine::Ref Machine::refer(const Expr& expr) {
  Ref none{"", elementary("bool")};
  switch (expr.kind) {
    case Expr::Kind::Name:
      if (std::optional<Ref> found = find(*expr.name)) return *found;
      fail("'" + expr.name->text + "' is not declared");
      return none;
    case Expr::Kind::Member: {
      bool entry = expr.operand->kind == Expr::Kind::Name &&
                   expr.operand->name->key == "instance" && !find(*expr.operand->name);
      if (entry) {
        if (std::optional<Ref> found = find(*expr.name)) return *found;
        fail("'" + expr.name->text + "' is not declared");
        return none;
      }
      bool is_this = expr.operand->kind == Expr::Kind::Name && expr.operand->name->key == "this" &&
                     !find(*expr.operand->name);
      if (is_this) {
        bool method = frame().pou->owner != nullptr;
        if (std::optional<Ref> found = method ? find_in_owner(expr.name->key) : find(*expr.name))
          return *found;
        const st::Pou& block = *(method ? frame().pou->owner : frame().pou)->pou;
        if (std::optional<Ref> found = static_of(block.name.text, expr.name->key)) return *found;
        fail("'" + expr.name->text + "' is not declared");
        return none;
      }
      if (std::optional<Ref> found = static_named(expr)) return *found;
      Ref outer = refer(*expr.operand);
      for (const Part& part : outer.type->parts)
        if (part.name.key == expr.name->key)
          return {outer.path + "." + part.name.text, part.type, outer.outside};
      if (outer.type->kind == Type::Kind::Block)
        if (std::optional<Ref> found = static_of(outer.type->name, expr.name->key)) return *found;
      fail("there is no part '" + expr.name->text + "'");
      return none;
    }
    case Expr::Kind::Index:
      return element(expr);
    case Expr::Kind::Bit:
    case Expr::Kind::Slice: {
      Ref word = refer(*expr.operand);
      std::uint32_t size = expr.kind == Expr::Kind::Bit ? 1
                           : expr.text == "b"           ? 8
                           : expr.text == "w"           ? 16
                                                        : 32;
      auto low = static_cast<std::uint32_t>(expr.number.get_ui()) * size;
      word.bits = {low + size - 1, low};
      return word;
    }
    default:
      fail("this is no variable");
      return none;
  }
}

static mpz_class bits_of(const mpz_class& number, std::uint32_t high, std::uint32_t low) {
  mpz_class shifted, out;
  mpz_fdiv_q_2exp(shifted.get_mpz_t(), number.get_mpz_t(), low);
  mpz_fdiv_r_2exp(out.get_mpz_t(), shifted.get_mpz_t(), high - low + 1);
  return out;
}

Value Machine::load(const Ref& ref, const SourcePos& at) {
  ++opened_[{at.line, at.column}];
  Value value;
  if (ref.outside) {
    value = open(at, *ref.type);
  } else {
    const Value* found = get(ref.path);
    if (found == nullptr) return fail("'" + ref.path + "' has no value");
    value = *found;
  }
  if (!ref.bits) return value;
  auto [high, low] = *ref.bits;
  const Type* type = elementary(high == low        ? "bool"
                                : high - low == 7  ? "byte"
                                : high - low == 15 ? "word"
                                                   : "dword");
  return {type, bits_of(value.number, high, low)};
}

/// A value as an assignment makes it; a number that the type does not have is an overflow.
Value Machine::assigned(const Value& value, const Type& type, const SourcePos& at) {
  check(StProperty::Kind::Overflow, at, keeps_value(value, type));
  return coerced(value, type);
}

void Machine::assign(const Ref& ref, const Value& value, const SourcePos& at) {
  store(ref, ref.bits ? value : assigned(value, *ref.type, at));
}

void Machine::store(const Ref& ref, const Value& value) {
  if (ref.outside || !problem_.empty()) return;
  if (!ref.bits) {
    memory_[ref.path] = coerced(value, *ref.type);
    return;
  }
  auto [high, low] = *ref.bits;
  Value old = memory_[ref.path];
  mpz_class mask = ((mpz_class(1) << (high - low + 1)) - 1) << low;
  mpz_class whole = bits_of(old.number, ref.type->bits - 1, 0);
  mpz_class part = bits_of(value.number, high - low, 0) << low;
  mpz_class kept = whole - (whole & mask);
  old.number = wrapped(kept + part, *ref.type);
  memory_[ref.path] = old;
}

/// Values of a structure or an array now, and where they will go.
void Machine::snapshot(const Ref& to, const Ref& from, Stores& out) {
  if (to.type->is_scalar()) {
    out.push_back({to, load(from, {})});
    return;
  }
  if (to.type->kind == Type::Kind::Array) {
    for (std::size_t i = 0; i < to.type->elements(); ++i)
      snapshot({element_path(to.path, *to.type, i), to.type->element, to.outside},
               {element_path(from.path, *from.type, i), from.type->element}, out);
    return;
  }
  for (std::size_t i = 0; i < to.type->parts.size(); ++i)
    snapshot({to.path + "." + to.type->parts[i].name.text, to.type->parts[i].type, to.outside},
             {from.path + "." + from.type->parts[i].name.text, from.type->parts[i].type}, out);
}

void Machine::copy(const Ref& to, const Ref& from) {
  Stores all;
  snapshot(to, from, all);
  for (const auto& [place, value] : all) store(place, value);
}

// Statements --------------------------------------------------------------------------------------

Machine::Flow Machine::run(const st::Body& body) {
  for (const Statement& one : body) {
    if (stopped()) return Flow::Return;
    if (Flow flow = step(one); flow != Flow::On) return flow;
  }
  return Flow::On;
}

Machine::Flow Machine::choose_case(const Statement& one) {
  Value selector = eval(*one.value, nullptr);
  for (const st::CaseBranch& branch : one.cases)
    for (const st::CaseLabel& label : branch.labels) {
      Value low = eval(*label.low, selector.type);
      bool here = false;
      if (label.high == nullptr) {
        here = compare(st::BinaryOp::Equal, selector, low).number == 1;
      } else {
        Value high = eval(*label.high, selector.type);
        here = compare(st::BinaryOp::GreaterEqual, selector, low).number == 1 &&
               compare(st::BinaryOp::LessEqual, selector, high).number == 1;
      }
      if (here) return run(branch.body);
    }
  return run(one.body);
}

Machine::Flow Machine::loop_for(const Statement& one) {
  Ref variable = refer(*one.target);
  Value from = eval(*one.value, variable.type);
  mpz_class last = eval(*one.to, variable.type).number;
  mpz_class by = one.by == nullptr ? mpz_class(1) : eval(*one.by, variable.type).number;
  assign(variable, from, one.at);
  mpz_class at = load(refer(*one.target), {}).number;
  while (!stopped() && (by < 0 ? at >= last : at <= last)) {
    Flow flow = run(one.body);
    if (flow == Flow::Exit) break;
    if (flow == Flow::Return) return flow;
    at = load(refer(*one.target), {}).number + by;  // not yet in the variable's range
    store(refer(*one.target), {variable.type, wrapped(at, *variable.type)});
  }
  return Flow::On;
}

Machine::Flow Machine::step(const Statement& one) {
  switch (one.kind) {
    case Statement::Kind::Assign: {
      bool eno = one.target->kind == Expr::Kind::Name && one.target->name->key == "eno" &&
                 !find(*one.target->name);
      if (eno) return Flow::On;
      Ref target = refer(*one.target);
      if (target.type->is_scalar())
        assign(target, eval(*one.value, target.type), one.at);
      else
        copy(target, refer(*one.value));
      return Flow::On;
    }
    case Statement::Kind::Call:
      call_statement(*one.value, one.at);
      return Flow::On;
    case Statement::Kind::If:
      for (const st::Branch& branch : one.branches)
        if (eval(*branch.condition, elementary("bool")).number != 0) return run(branch.body);
      return run(one.body);
    case Statement::Kind::Case:
      return choose_case(one);
    case Statement::Kind::For:
      return loop_for(one);
    case Statement::Kind::While:
      while (!stopped() && eval(*one.value, elementary("bool")).number != 0) {
        Flow flow = run(one.body);
        if (flow == Flow::Exit) break;
        if (flow == Flow::Return) return flow;
      }
      return Flow::On;
    case Statement::Kind::Repeat:
      do {
        Flow flow = run(one.body);
        if (flow == Flow::Exit) break;
        if (flow == Flow::Return) return flow;
      } while (!stopped() && eval(*one.value, elementary("bool")).number == 0);
      return Flow::On;
    case Statement::Kind::Exit:
      return Flow::Exit;
    case Statement::Kind::Continue:
      return Flow::Continue;
    case Statement::Kind::Return:
      return Flow::Return;
    case Statement::Kind::Assert:
      check(StProperty::Kind::Assertion, one.at, eval(*one.value, elementary("bool")).number != 0);
      return Flow::On;
    case Statement::Kind::Assume:
      if (eval(*one.value, elementary("bool")).number == 0)
        fail("the assumption of line " + std::to_string(one.at.line) + " does not hold");
      return Flow::On;
    case Statement::Kind::Havoc: {
      Ref target = refer(*one.target);
      ++opened_[{one.at.line, one.at.column}];
      store(target, open(one.at, *target.type));
      return Flow::On;
    }
  }
  unreachable();
}

// Calls -------------------------------------------------------------------------------------------

void Machine::bind(const PouInfo& callee, const std::string& prefix, const Expr& call,
                   Frame& inner) {
  std::vector<const Variable*> formal;
  for (const Variable& one : callee.variables)
    if ((one.section == Section::Input || one.section == Section::InOut) && !one.constant)
      formal.push_back(&one);
  std::size_t position = 0;
  Stores given;
  std::set<const Variable*> passed;
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::Output || argument.value == nullptr) {
      if (argument.kind == Argument::Kind::Positional) ++position;
      continue;
    }
    const Variable* target = nullptr;
    if (!argument.name && position < formal.size()) target = formal[position++];
    for (const Variable* one : formal)
      if (argument.name && one->name.key == argument.name->key) target = one;
    if (target == nullptr) {
      fail("'" + callee.pou->name.text + "' has no such input");
      return;
    }
    passed.insert(target);
    Ref to{prefix + target->name.text, target->type};
    if (target->section == Section::InOut)
      inner.references.insert({target->name.key, refer(*argument.value)});
    else if (target->type->is_scalar())
      given.push_back(
          {to, assigned(eval(*argument.value, target->type), *target->type, argument.value->at)});
    else
      snapshot(to, refer(*argument.value), given);
  }
  for (const auto& [to, value] : given) store(to, value);
  if (callee.pou->kind != st::Pou::Kind::Function) return;
  for (const Variable* one : formal)
    if (one->section == Section::Input && !passed.contains(one))
      reset(prefix + one->name.text, *one->type, one->initial, &callee);
}

void Machine::invoke(const PouInfo& callee, Frame inner, const Expr& call) {
  std::string prefix = inner.prefix;
  bind(callee, prefix, call, inner);
  if (frames_.size() > 200) fail("calls are nested too deeply");
  if (!problem_.empty()) return;
  bool function = callee.pou->kind == st::Pou::Kind::Function;
  for (const Variable& one : callee.variables) {
    bool kept = one.constant || one.section == Section::External || one.section == Section::InOut ||
                one.section == Section::Input || (!function && one.section != Section::Temp);
    if (!kept) reset(prefix + one.name.text, *one.type, one.initial, &callee);
  }
  if (callee.result != nullptr) reset(prefix + callee.pou->name.text, *callee.result, {}, &callee);
  inner.runs = true;
  frames_.push_back(std::move(inner));
  run(callee.pou->body);
  frames_.pop_back();
  for (const Argument& argument : call.arguments) {
    if (argument.kind != Argument::Kind::Output || argument.value == nullptr) continue;
    Ref to = refer(*argument.value);
    if (argument.name->key == "eno") {
      store(to, truth(!argument.negated));
      continue;
    }
    for (const Variable& one : callee.variables)
      if (one.name.key == argument.name->key) {
        Ref from{prefix + one.name.text, one.type};
        if (!one.type->is_scalar()) {
          copy(to, from);
        } else {
          Value value = load(from, {});
          if (argument.negated) value.number = 1 - value.number;
          assign(to, value, argument.value->at);
        }
      }
  }
}

std::optional<Machine::Ref> Machine::find_in_owner(const std::string& key) const {
  const PouInfo* owner = frame().pou == nullptr ? nullptr : frame().pou->owner;
  if (owner == nullptr) return {};
  if (auto found = frame().owner_references.find(key); found != frame().owner_references.end())
    return found->second;
  for (const Variable& one : owner->variables)
    if (one.name.key == key && !one.constant && one.section != Section::External &&
        one.section != Section::InOut)
      return Ref{frame().owner_prefix + one.name.text, one.type};
  return {};
}

std::optional<Value> Machine::call_method(const Expr& expr) {
  if (frames_.empty() || !frame().runs) return {};
  const Expr& callee = *expr.operand;
  bool is_this = callee.kind == Expr::Kind::Member && callee.operand->kind == Expr::Kind::Name &&
                 callee.operand->name->key == "this";
  const PouInfo* method = nullptr;
  Frame inner;
  if (is_this || (callee.kind == Expr::Kind::Name && !find(*callee.name))) {
    const PouInfo* owner = frame().pou->owner;
    method = (owner != nullptr ? owner : frame().pou)->find_method(callee.name->key);
    inner.owner_prefix = owner != nullptr ? frame().owner_prefix : frame().prefix;
    inner.owner_references = owner != nullptr ? frame().owner_references : frame().references;
  } else if (callee.kind == Expr::Kind::Member) {
    bool known = callee.operand->kind != Expr::Kind::Name || find(*callee.operand->name);
    if (!known) return {};
    Ref instance = refer(*callee.operand);
    if (!problem_.empty() || instance.type->kind != Type::Kind::Block) return {};
    method = instance.type->block->find_method(callee.name->key);
    inner.owner_prefix = instance.path + ".";
  }
  if (method == nullptr) return {};
  inner.pou = method;
  inner.prefix = method->owner->pou->name.text + "." + method->pou->name.text + "().";
  std::string result = inner.prefix + method->pou->name.text;
  invoke(*method, std::move(inner), expr);
  if (method->result == nullptr || !problem_.empty()) return truth(false);
  return load({result, method->result}, {});
}

/// An action of a block, or a timer that is called by its kind; false for another call.
bool Machine::call_by_name(const Expr& expr) {
  const Expr& callee = *expr.operand;
  auto act = [&](const st::Action& action, Frame inner) {
    if (frames_.size() > 200) fail("calls are nested too deeply");
    inner.runs = true;
    frames_.push_back(std::move(inner));
    if (problem_.empty()) run(action.body);
    frames_.pop_back();
    return true;
  };
  if (call_method(expr)) return true;
  if (callee.kind == Expr::Kind::Name && !find(*callee.name)) {
    const PouInfo* owner = frame().pou->owner;
    const PouInfo* block = owner != nullptr ? owner : frame().pou;
    const st::Action* action = block->pou->find_action(callee.name->key);
    if (action == nullptr) return false;
    if (owner == nullptr) return act(*action, frame());
    return act(*action, Frame{owner, frame().owner_prefix, frame().owner_references});
  }
  if (callee.kind != Expr::Kind::Member) return false;
  Ref owner = refer(*callee.operand);
  if (!problem_.empty() || owner.type->kind != Type::Kind::Block) return false;
  const PouInfo& block = *owner.type->block;
  if (block.builtin && st::instance_of_method(expr) != nullptr) {
    invoke(block, {&block, owner.path + "."}, expr);
    return true;
  }
  const st::Action* action = block.pou->find_action(callee.name->key);
  return action != nullptr && act(*action, Frame{&block, owner.path + "."});
}

void Machine::call_statement(const Expr& expr, const SourcePos& at) {
  const Expr& callee = *expr.operand;
  if (call_by_name(expr)) return;
  if (callee.kind != Expr::Kind::Name || find(*callee.name)) {
    Ref instance = refer(callee);
    if (instance.type->kind != Type::Kind::Block) {
      fail("a call of what is no instance");
      return;
    }
    invoke(*instance.type->block, {instance.type->block, instance.path + "."}, expr);
    return;
  }
  const std::string& key = callee.name->key;
  if (source_.program->find_pou(key) == nullptr && (key == "assert" || key == "assume")) {
    Statement made{key == "assert" ? Statement::Kind::Assert : Statement::Kind::Assume, at};
    made.value = expr.arguments[0].value;
    step(made);
    return;
  }
  if (source_.program->find_pou(key) == nullptr && key == "printf") return;
  call(expr, nullptr);
}

void Machine::cycle() {
  failed_.clear();
  Frame inner{entry_, ""};
  for (const Variable& one : entry_->variables)
    if (one.section == Section::InOut)
      inner.references.insert({one.name.key, {one.name.text, one.type}});
  bool function = entry_->pou->kind == st::Pou::Kind::Function;
  for (const Variable& one : entry_->variables) {
    bool local = one.section == Section::Temp ||
                 (function && one.section != Section::Input && one.section != Section::InOut);
    if (local && !one.constant && one.section != Section::External)
      reset(one.name.text, *one.type, one.initial, entry_);
  }
  if (entry_->result != nullptr) reset(entry_->pou->name.text, *entry_->result, {}, entry_);
  inner.runs = true;
  frames_.push_back(std::move(inner));
  run(entry_->pou->body);
  frames_.pop_back();
}

Value Machine::evaluate(const Expr& expr) {
  Frame inner{entry_, ""};
  for (const Variable& one : entry_->variables)
    if (one.section == Section::InOut)
      inner.references.insert({one.name.key, {one.name.text, one.type}});
  frames_.push_back(std::move(inner));
  Value out = eval(expr, nullptr);
  frames_.pop_back();
  return out;
}

bool Machine::holds(const Expr& condition) {
  return evaluate(condition).number != 0;
}

}  // namespace lem::check::plc
