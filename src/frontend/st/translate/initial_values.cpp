#include "frontend/st/translate/initial_values.h"

#include "base/try.h"

namespace lem::st {

Result<Term> InitialValues::scalar(const Type& type, const ExprPtr& initial, const PouInfo* scope) {
  const ExprPtr& from = initial != nullptr ? initial : type.initial;
  if (from == nullptr) return types_.default_of(type);
  if (from->kind == Expr::Kind::Aggregate || from->kind == Expr::Kind::Repeat)
    return Error{from->at, "a list of values for one value of type " + type.name};
  InFrame inside(context_, {scope});
  LEM_LET(Value value, evaluator_.eval(*from, &type));
  LEM_LET(Term term, types_.coerce(value, type, from->at));
  if (!t_.is_value(term)) return Error{from->at, "an initial value is a constant"};
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

Status InitialValues::initialise_array(const Storage& storage, const ExprPtr& initial,
                                       const PouInfo* scope) {
  LEM_LET(std::vector<ExprPtr> values, element_values(*storage.type, initial));
  for (std::size_t i = 0; i < storage.parts.size(); ++i)
    LEM_TRY(initialise(storage.parts[i], values[i], scope));
  return Ok{};
}

/// One array of the automaton for each scalar of an element.
Status InitialValues::initialise_spread(const Storage& storage, const ExprPtr& initial,
                                        const PouInfo* scope) {
  if (storage.parts[0].leaf) {
    LEM_LET(std::vector<ExprPtr> values, element_values(*storage.type, initial));
    const Type& element = *storage.type->element;
    Term array = t_.make_const_array(t_.sort(storage.parts[0].leaf), types_.default_of(element));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == nullptr && element.initial == nullptr) continue;
      LEM_LET(Term value, scalar(element, values[i], scope));
      array = t_.make_store(array, t_.bv(mpz_class(std::to_string(i)), kIndexBits), value);
    }
    cfa_.emit(Command::assign(storage.parts[0].leaf, array));
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
      cfa_.emit(Command::assign(
          one->leaf, t_.make_const_array(t_.sort(one->leaf), types_.default_of(*one->type))));
  }
  return Ok{};
}

Status InitialValues::initialise_parts(const Storage& storage, const ExprPtr& initial,
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

Status InitialValues::initialise(const Storage& storage, const ExprPtr& initial,
                                 const PouInfo* scope) {
  if (storage.spread) return initialise_spread(storage, initial, scope);
  if (storage.type->kind == Type::Kind::Array) return initialise_array(storage, initial, scope);
  if (!storage.type->is_scalar()) return initialise_parts(storage, initial, scope);
  LEM_LET(Term value, scalar(*storage.type, initial, scope));
  cfa_.emit(Command::assign(storage.leaf, value));
  return Ok{};
}

}  // namespace lem::st
