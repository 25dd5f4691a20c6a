// Variables of the automaton for those of the program, and their initial values.
#include <algorithm>

#include "frontend/st/builtins.h"
#include "frontend/st/translate.h"

namespace lem::st {

/// Arrays up to this many elements are variables of their own, one per element.
static constexpr std::size_t kExpanded = 40;
static constexpr std::uint32_t kIndexBits = 32;

Sort Translator::sort_of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::Bool:
      return t_.bool_sort();
    case Type::Kind::Real:
      return t_.float_sort(type.bits == 32 ? kFloat32 : kFloat64);
    default:
      return t_.bv_sort(type.bits);
  }
}

Term Translator::number(const mpz_class& value, const Type& type) {
  switch (type.kind) {
    case Type::Kind::Bool:
      return t_.boolean(value != 0);
    case Type::Kind::Real:
      return t_.number(mpq_class(value), sort_of(type));
    default:
      return t_.bv(value, type.bits);
  }
}

Term Translator::default_of(const Type& type) {
  if (type.kind == Type::Kind::Enum && !type.literals.empty())
    return number(type.literals[0].second, type);
  if (type.range && (type.range->first > 0 || type.range->second < 0))
    return number(type.range->first, type);
  return number(0, type);
}

static bool has_instance(const Type& type) {
  if (type.kind == Type::Kind::Block) return true;
  if (type.kind == Type::Kind::Array) return has_instance(*type.element);
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [](const Part& part) { return has_instance(*part.type); });
}

static std::string element_name(const std::string& array, const Type& type, std::size_t at) {
  std::string indices;
  for (std::size_t i = type.bounds.size(); i-- > 0;) {
    auto [low, high] = type.bounds[i];
    auto size = static_cast<std::size_t>(high - low + 1);
    std::string one = std::to_string(low + static_cast<std::int64_t>(at % size));
    indices = indices.empty() ? one : one + "," + indices;
    at /= size;
  }
  return array + "[" + indices + "]";
}

Result<Storage> Translator::make_storage(const std::string& name, const Type& type,
                                         StVariable::Role role, std::size_t spread_elements) {
  Storage out{&type};
  if (type.is_scalar()) {
    Sort sort = sort_of(type);
    if (spread_elements != 0) sort = t_.array_sort(t_.bv_sort(kIndexBits), sort);
    out.leaf = variable(name, sort, {{}, name, &type, role});
    return out;
  }
  if (type.kind == Type::Kind::Array) {
    std::size_t count = type.elements();
    out.spread = spread_elements != 0 || (count > kExpanded && !has_instance(type));
    std::size_t within = out.spread ? std::max<std::size_t>(spread_elements, 1) * count : 0;
    for (std::size_t i = 0; i < (out.spread ? 1 : count); ++i) {
      std::string part = out.spread ? name + "[]" : element_name(name, type, i);
      Result<Storage> made = make_storage(part, *type.element, role, within);
      if (!made) return made;
      out.parts.push_back(*std::move(made));
    }
    return out;
  }
  for (const Part& part : type.parts) {
    std::string path = name.empty() ? part.name.text : name + "." + part.name.text;
    bool age = type.block != nullptr && type.block->builtin && part.name.key == kAge;
    StVariable::Role own = age                            ? StVariable::Role::Time
                           : is_located_input(type, part) ? StVariable::Role::Input
                                                          : role;
    Result<Storage> made = make_storage(path, *part.type, own, spread_elements);
    if (!made) return made;
    if (age) ages_.push_back(made->leaf);
    out.parts.push_back(*std::move(made));
  }
  return out;
}

// Initial values ----------------------------------------------------------------------------------

Result<Term> Translator::initial_scalar(const Type& type, const ExprPtr& initial,
                                        const PouInfo* scope) {
  const ExprPtr& from = initial != nullptr ? initial : type.initial;
  if (from == nullptr) return default_of(type);
  if (from->kind == Expr::Kind::Aggregate || from->kind == Expr::Kind::Repeat)
    return Error{from->at, "a list of values for one value of type " + type.name};
  frames_.push_back({scope});
  Result<Value> value = eval(*from, &type);
  Result<Term> term = value ? coerce(*value, type, from->at) : Result<Term>(value.error());
  frames_.pop_back();
  if (term && !t_.is_value(*term)) return Error{from->at, "an initial value is a constant"};
  return term;
}

/// The elements of an array's initial value, repetitions unfolded; none: the type's own.
static Result<std::vector<ExprPtr>> element_values(const Type& type, const ExprPtr& initial) {
  const ExprPtr& from = initial != nullptr ? initial : type.initial;
  std::vector<ExprPtr> out(type.elements());
  if (from == nullptr) return out;
  if (from->kind != Expr::Kind::Aggregate)  // some vendors: one value for all
    return std::vector<ExprPtr>(type.elements(), from);
  std::size_t at = 0;
  for (const Argument& one : from->arguments) {
    bool repeated = one.value->kind == Expr::Kind::Repeat;
    mpz_class times = repeated ? one.value->number : mpz_class(1);
    if (times < 0 || times > out.size() - at)
      return Error{one.value->at, "more values than the array has elements"};
    for (mpz_class i = 0; i < times; ++i) out[at++] = repeated ? one.value->operand : one.value;
  }
  return out;
}

Status Translator::initialise_array(const Storage& storage, const ExprPtr& initial,
                                    const PouInfo* scope) {
  Result<std::vector<ExprPtr>> values = element_values(*storage.type, initial);
  if (!values) return values.error();
  for (std::size_t i = 0; i < storage.parts.size(); ++i)
    if (Status done = initialise(storage.parts[i], (*values)[i], scope); !done) return done;
  return Ok{};
}

/// One array of the automaton for each scalar of an element.
Status Translator::initialise_spread(const Storage& storage, const ExprPtr& initial,
                                     const PouInfo* scope) {
  if (storage.parts[0].leaf) {
    Result<std::vector<ExprPtr>> values = element_values(*storage.type, initial);
    if (!values) return values.error();
    const Type& element = *storage.type->element;
    Term array = t_.make_const_array(t_.sort(storage.parts[0].leaf), default_of(element));
    for (std::size_t i = 0; i < values->size(); ++i) {
      if ((*values)[i] == nullptr && element.initial == nullptr) continue;
      Result<Term> value = initial_scalar(element, (*values)[i], scope);
      if (!value) return value.error();
      array = t_.make_store(array, t_.bv(mpz_class(std::to_string(i)), kIndexBits), *value);
    }
    emit(Command::assign(storage.parts[0].leaf, array));
    return Ok{};
  }
  if (initial != nullptr)
    return Error{initial->at, "initial values of large arrays of structures are not supported"};
  std::vector<const Storage*> waiting = {&storage};
  while (!waiting.empty()) {
    const Storage* one = waiting.back();
    waiting.pop_back();
    for (const Storage& part : one->parts) waiting.push_back(&part);
    if (one->leaf)
      emit(Command::assign(one->leaf,
                           t_.make_const_array(t_.sort(one->leaf), default_of(*one->type))));
  }
  return Ok{};
}

Status Translator::initialise_parts(const Storage& storage, const ExprPtr& initial,
                                    const PouInfo* scope) {
  const ExprPtr& from = initial != nullptr ? initial : storage.type->initial;
  std::map<std::string, ExprPtr> given;
  if (from != nullptr) {
    if (from->kind != Expr::Kind::Aggregate)
      return Error{from->at, "expected initial values of parts, as in (a := 1, b := 2)"};
    for (std::size_t i = 0; i < from->arguments.size(); ++i) {
      const Argument& one = from->arguments[i];
      if (!one.name && i >= storage.type->parts.size())
        return Error{one.value->at, "more values than " + storage.type->name + " has parts"};
      std::string key = one.name ? one.name->key : storage.type->parts[i].name.key;
      given[key] = one.value;
    }
  }
  for (std::size_t i = 0; i < storage.parts.size(); ++i) {
    const Part& part = storage.type->parts[i];
    auto own = given.find(part.name.key);
    Status done = own == given.end() ? initialise(storage.parts[i], part.initial, part.scope)
                                     : initialise(storage.parts[i], own->second, scope);
    if (!done) return done;
    if (own != given.end()) given.erase(own);
  }
  if (!given.empty())
    return Error{from->at, storage.type->name + " has no part '" + given.begin()->first + "'"};
  return Ok{};
}

Status Translator::initialise(const Storage& storage, const ExprPtr& initial,
                              const PouInfo* scope) {
  if (storage.spread) return initialise_spread(storage, initial, scope);
  if (storage.type->kind == Type::Kind::Array) return initialise_array(storage, initial, scope);
  if (!storage.type->is_scalar()) return initialise_parts(storage, initial, scope);
  Result<Term> value = initial_scalar(*storage.type, initial, scope);
  if (!value) return value.error();
  emit(Command::assign(storage.leaf, *value));
  return Ok{};
}

}  // namespace lem::st
