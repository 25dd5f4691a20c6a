#include "frontend/c/objects.h"

#include <llvm/IR/Constants.h>

#include "base/try.h"

namespace lem::c {

// Life ------------------------------------------------------------------------------------------

bool Objects::counts_life() const {
  return w_.checks(CRule::UseAfterFree) || w_.checks(CRule::DoubleFree) || w_.checks(CRule::Leak);
}

void Objects::start_numbers() {
  if (!points_to_.any_instances()) return;
  last_instance_ = w_.automaton.internal(encoding_.object_sort());
  Term none = encoding_.object(points_to_.objects().size());
  w_.automaton.emit_first(Command::assign(last_instance_, none));
}

void Objects::start_lives() {
  if (!counts_life()) return;
  for (std::uint32_t i = 0; i < points_to_.objects().size(); ++i) {
    ObjectId object{i};
    if (!is_heap(object)) continue;
    bool many = points_to_[object].many;
    Sort sort = encoding_.per_instance(object, t_.bool_sort());
    Term variable = lives_[object] = w_.automaton.internal(sort);
    Term none = t_.boolean(false);
    w_.automaton.emit_first(
        Command::assign(variable, many ? t_.make_const_array(sort, none) : none));
    if (!many) continue;
    Term count = counts_[object] = w_.automaton.internal(encoding_.object_sort());
    w_.automaton.emit_first(Command::assign(count, encoding_.object(0)));
  }
}

Term Objects::lives(ObjectId object, const Pointer& pointer) const {
  return encoding_.of_instance(object, lives_.at(object), pointer);
}

/// The product of the arguments of malloc or calloc.
Result<Term> Objects::size_asked(const llvm::CallBase& call) {
  LEM_LET(Term size, operands_.value(*call.getArgOperand(0), call, CSign::Unsigned));
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    LEM_LET(Term factor, operands_.value(*call.getArgOperand(i), call, CSign::Unsigned));
    size = encoding_.multiply(size, factor);
  }
  return size;
}

Result<Pointer> Objects::make(const llvm::CallBase& call, ObjectId object, Size size) {
  bool many = points_to_[object].many;
  Pointer made{encoding_.object(object), encoding_.index_of(0)};
  if (many) {
    w_.values.keep_before_write(last_instance_, call);
    Term next = encoding_.add(last_instance_, encoding_.object(1));
    w_.automaton.emit(Command::assign(last_instance_, next), call);
    made.object = last_instance_;
    if (!encoding_.ideal())  // all numbers are used up: there is no more memory
      w_.automaton.emit(Command::assume(t_.make_not(encoding_.is_null(made))), call);
  }
  auto set = [&](Term variable, Term value) {
    value = encoding_.with_instance(object, variable, made, value);
    w_.values.write({{variable, value}}, call);
  };
  bool sized = w_.checks(CRule::Bounds) || (size == Size::Always && !points_to_[object].resized);
  if (!points_to_[object].size && sized) {
    (void)size_of(object, made);
    LEM_LET(Term bytes, size_asked(call));
    set(sizes_[object], bytes);
  }
  if (counts_life()) {
    set(lives_.at(object), t_.boolean(true));
    if (many) count(object, call, 1, t_.boolean(true));
  }
  return made;
}

Status Objects::shrink(const llvm::CallBase& call) {
  auto object = points_to_.object_of(call.getArgOperand(0)->stripPointerCasts());
  if (!object || !w_.checks(CRule::Bounds)) return Ok{};
  LEM_LET(Term size, operands_.value(*call.getArgOperand(1), call, CSign::Unsigned));
  w_.values.write({{size_of(*object, {}), size}}, call);
  return Ok{};
}

/// One more or one less instance lives, if the condition holds.
void Objects::count(ObjectId object, const llvm::Instruction& at, int by, Term condition) {
  Term variable = counts_.at(object);
  Term next = encoding_.add(variable, t_.number(mpq_class(by), encoding_.object_sort()));
  w_.values.write({{variable, t_.make_ite(condition, next, variable)}}, at);
}

Status Objects::release(const llvm::CallBase& call) {
  if (!counts_life() || call.arg_size() != 1) return Ok{};
  const llvm::Value& given = *call.getArgOperand(0);
  Targets targets = points_to_(given);
  LEM_LET(Pointer at, operands_.pointer(given, call));
  Term nothing = encoding_.is_null(at);
  std::vector<Term> fine;
  if (targets.null) fine.push_back(nothing);
  for (const auto& [object, offset] : targets.objects) {
    if (!is_heap(object)) continue;
    Term start = is_start(object, offset, at);
    fine.push_back(
        t_.make_and(encoding_.is_into(targets, object, at), t_.make_and(start, lives(object, at))));
  }
  failures_.check(CRule::DoubleFree, call, t_.make_not(t_.make_or(fine)));
  for (const auto& [object, offset] : targets.objects) {
    if (!is_heap(object)) continue;
    Term here = encoding_.is_into(targets, object, at);
    if (points_to_[object].many) count(object, call, -1, t_.make_and(here, lives(object, at)));
    Term variable = lives_.at(object);
    Term after = t_.make_and(lives(object, at), t_.make_not(here));
    w_.values.write({{variable, encoding_.with_instance(object, variable, at, after)}}, call);
  }
  return Ok{};
}

void Objects::check_leaks(const llvm::Instruction& at) {
  if (!w_.checks(CRule::Leak)) return;
  for (const auto& [object, variable] : lives_) {
    auto* site = llvm::cast<llvm::CallBase>(points_to_[object].site);
    if (callee_of(*called(*site)) == Callee::Object) continue;  // the caller's
    bool many = points_to_[object].many;
    Term left = many ? t_.make_not(t_.make_eq(counts_.at(object), encoding_.object(0))) : variable;
    failures_.check(CRule::Leak, at, *site, left);
  }
}

// Bounds ----------------------------------------------------------------------------------------

/// Of an object whose size is not fixed.
Term Objects::size_of(ObjectId object, const Pointer& pointer) {
  Term& variable = sizes_[object];
  if (!variable)
    variable = w_.automaton.internal(encoding_.per_instance(object, encoding_.index_sort()));
  return encoding_.of_instance(object, variable, pointer);
}

Term Objects::is_start(ObjectId object, const Offset& offset, const Pointer& pointer) const {
  std::uint64_t step = points_to_.step(object);
  if (rest_of(offset, step) != 0) return t_.boolean(false);
  return step == 0 ? t_.boolean(true) : t_.make_eq(pointer.index, encoding_.index_of(0));
}

Term Objects::is_inside(ObjectId object, const Offset& offset, std::uint64_t bytes,
                        const Pointer& pointer) {
  std::uint64_t step = points_to_.step(object);
  std::int64_t rest = rest_of(offset, step);
  std::optional<std::uint64_t> fixed = points_to_[object].size;
  if (sizes_.contains(object)) fixed.reset();  // the run has chosen it
  if (fixed && step == 0)
    return t_.boolean(rest >= 0 && static_cast<std::uint64_t>(rest) + bytes <= *fixed);
  if (fixed) {
    auto least = static_cast<std::uint64_t>(rest) + bytes;
    if (least > *fixed) return t_.boolean(false);
    auto last = static_cast<std::int64_t>((*fixed - least) / step);
    if (encoding_.ideal())
      return t_.make_and(t_.make_le(encoding_.index_of(0), pointer.index),
                         t_.make_le(pointer.index, encoding_.index_of(last)));
    return t_.make_not(t_.make(Op::BvUlt, {encoding_.index_of(last), pointer.index}));
  }
  Term size = size_of(object, pointer);
  mpz_class end = mpz_class(static_cast<long>(rest)) + mpz_class(static_cast<unsigned long>(bytes));
  if (encoding_.ideal()) {
    Term at = t_.make_mul(encoding_.index_of(static_cast<std::int64_t>(step)), pointer.index);
    Term behind = t_.make_add(at, t_.number(mpq_class(end), t_.int_sort()));
    return t_.make_and(t_.make_le(encoding_.index_of(0), pointer.index), t_.make_le(behind, size));
  }
  // With room for any product.
  std::uint32_t width = t_.width(size), wide = 2 * width + 2;
  auto number = [&](const mpz_class& value) {
    return t_.number(mpq_class(value), t_.bv_sort(wide));
  };
  Term at = t_.make(Op::BvSignExtend, {pointer.index}, wide - width);
  Term scaled = t_.make(Op::BvMul, {number(mpz_class(static_cast<unsigned long>(step))), at});
  if (step == 0) scaled = number(0);
  Term behind = t_.make(Op::BvAdd, {scaled, number(end)});
  Term whole = t_.make(Op::BvZeroExtend, {size}, wide - width);
  Term start = t_.make(Op::BvAdd, {scaled, number(mpz_class(static_cast<long>(rest)))});
  return t_.make_and(t_.make_not(t_.make(Op::BvSlt, {start, number(0)})),
                     t_.make_not(t_.make(Op::BvSlt, {whole, behind})));
}

Status Objects::check_access(const llvm::Instruction& at, const llvm::Value& through,
                             llvm::Type& type) {
  if (w_.options.checks.empty()) return Ok{};
  Targets targets = points_to_(through);
  LEM_LET(Pointer to, operands_.pointer(through, at));
  bool none = targets.objects.empty();
  if (targets.null || (none && !targets.wild))
    failures_.check(CRule::Null, at,
                    none && !targets.wild ? t_.boolean(true) : encoding_.is_null(to));
  if (none && targets.wild) failures_.check(CRule::Uninitialised, at, t_.boolean(true));
  std::uint64_t bytes = w_.bytes(&type);
  std::vector<Term> outside, gone;
  for (const auto& [object, offset] : targets.objects) {
    Term here = encoding_.is_into(targets, object, to);
    if (w_.checks(CRule::Bounds))
      outside.push_back(t_.make_and(here, t_.make_not(is_inside(object, offset, bytes, to))));
    if (is_heap(object) && counts_life())
      gone.push_back(t_.make_and(here, t_.make_not(lives(object, to))));
  }
  failures_.check(CRule::UseAfterFree, at, t_.make_or(gone));
  failures_.check(CRule::Bounds, at, t_.make_or(outside));
  return Ok{};
}

}  // namespace lem::c
