// Checks of memory: null, bounds, objects that were given back, values that were never given. An
// access that is wrong has an edge to the failure beside the edge on which the run goes on.
//
// Objects on the heap have a variable that is true while they exist, and one for their size unless
// it is fixed; cells that start without a value have a variable of their own that is true once they
// have one. Of objects that are made in a loop these are arrays over their numbers.
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/c/copy_lowering.h"
#include "frontend/c/place.h"
#include "frontend/c/translate.h"

namespace lem::c {

void Translator::check(CRule rule, const llvm::Instruction& at, Term wrong) {
  check(rule, at, at, wrong);
}

/// Of the main that --entry makes, not of what it calls.
static bool in_new_main(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  const llvm::DISubprogram* function = at == nullptr ? nullptr : at->getScope()->getSubprogram();
  return function != nullptr && function->isArtificial() && at->getInlinedAt() == nullptr;
}

/// `stated`: what the property is about, where that is another place than that of the check.
void Translator::check(CRule rule, const llvm::Instruction& at, const llvm::Instruction& stated,
                       Term wrong) {
  if (!checks_.contains(rule) || t_.is_false(wrong) || in_new_main(stated)) return;
  if (in_assumption(at)) return emit(Command::assume(t_.make_not(wrong)), line_of(at));
  flush();
  std::vector<Command> guard;
  if (!t_.is_true(wrong)) guard.push_back(Command::assume(wrong));
  edge(failures_.at_check(rule, stated), std::move(guard), line_of(at));
}

/// Whether the pointer is of this object, among those that it may be of.
Term Translator::is_into(const Targets& targets, ObjectId object, const Pointer& pointer) {
  if (targets.single()) return t_.boolean(true);
  if (!points_to_[object].many) return t_.make_eq(pointer.object, object_number(object));
  std::vector<Term> others;
  if (targets.null || targets.wild)
    others.push_back(t_.make_not(t_.make_eq(pointer.object, object_constant(0))));
  for (const auto& [other, offset] : targets.objects)
    if (other != object)
      others.push_back(t_.make_not(t_.make_eq(pointer.object, object_number(other))));
  return t_.make_and(others);
}

// Bounds ----------------------------------------------------------------------------------------

static std::int64_t rest_of(const Offset& offset, std::uint64_t step) {
  auto by = static_cast<std::int64_t>(step);
  return step == 0 ? offset.rest : ((offset.rest % by) + by) % by;
}

/// The size of an object that is not fixed: a variable, or a row of one.
Term Translator::size_of(ObjectId object, const Pointer& pointer) {
  Term& variable = sizes_[object];
  bool many = points_to_[object].many;
  if (!variable) {
    Sort sort = many ? t_.array_sort(object_sort(), index_sort()) : index_sort();
    variable = internal(sort, 0);
  }
  return many ? t_.make_select(variable, pointer.object) : variable;
}

/// rest + index * step >= 0, and with `bytes` more at most the size.
Term Translator::is_inside(ObjectId object, const Offset& offset, std::uint64_t bytes,
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
    if (arithmetic_.ideal())
      return t_.make_and(t_.make_le(index_constant(0), pointer.index),
                         t_.make_le(pointer.index, index_constant(last)));
    return t_.make_not(t_.make(Op::BvUlt, {index_constant(last), pointer.index}));
  }
  Term size = size_of(object, pointer);
  mpz_class end = mpz_class(static_cast<long>(rest)) + mpz_class(static_cast<unsigned long>(bytes));
  if (arithmetic_.ideal()) {
    Term at = t_.make_mul(index_constant(static_cast<std::int64_t>(step)), pointer.index);
    Term behind = t_.make_add(at, t_.number(mpq_class(end), t_.int_sort()));
    return t_.make_and(t_.make_le(index_constant(0), pointer.index), t_.make_le(behind, size));
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

// Life ------------------------------------------------------------------------------------------

bool Translator::counts_life() const {
  return checks_.contains(CRule::UseAfterFree) || checks_.contains(CRule::DoubleFree) ||
         checks_.contains(CRule::Leak);
}

static bool is_heap(const Object& object) {
  return object.kind == Object::Kind::Heap;
}

/// At the start nothing was made.
void Translator::begin_checks() {
  if (!counts_life()) return;
  for (std::uint32_t i = 0; i < points_to_.objects().size(); ++i) {
    ObjectId object{i};
    if (!is_heap(points_to_[object])) continue;
    bool many = points_to_[object].many;
    Sort sort = many ? t_.array_sort(object_sort(), t_.bool_sort()) : t_.bool_sort();
    Term variable = lives_[object] = internal(sort, 0);
    Term none = t_.boolean(false);
    pending_.push_back(Command::assign(variable, many ? t_.make_const_array(sort, none) : none));
    if (!many) continue;
    Term count = counts_[object] = internal(object_sort(), 0);
    pending_.push_back(Command::assign(count, object_constant(0)));
  }
}

Term Translator::lives(ObjectId object, const Pointer& pointer) {
  Term variable = lives_.at(object);
  return points_to_[object].many ? t_.make_select(variable, pointer.object) : variable;
}

/// What malloc makes lives, and has the size that it was asked for.
Status Translator::begin_life(const llvm::CallBase& call, ObjectId object, const Pointer& made) {
  bool many = points_to_[object].many;
  auto set = [&](Term variable, Term value) {
    if (many) value = t_.make_store(variable, made.object, value);
    write_all({{variable, value}}, call);
  };
  bool sized =
      checks_.contains(CRule::Bounds) || (filled_.contains(object) && !points_to_[object].resized);
  if (!points_to_[object].size && sized) {
    (void)size_of(object, made);
    Result<Term> size = value(*call.getArgOperand(0), call, CSign::Unsigned);
    if (!size) return size.error();
    for (unsigned i = 1; i < call.arg_size(); ++i) {
      Result<Term> factor = value(*call.getArgOperand(i), call, CSign::Unsigned);
      if (!factor) return factor.error();
      size =
          arithmetic_.ideal() ? t_.make_mul(*size, *factor) : t_.make(Op::BvMul, {*size, *factor});
    }
    set(sizes_[object], *size);
  }
  if (!counts_life()) return Ok{};
  set(lives_.at(object), t_.boolean(true));
  if (many) count(object, call, 1, t_.boolean(true));
  return Ok{};
}

/// An object of --entry has the size that the run chooses. What main stores there comes before.
Status Translator::shrink(const llvm::CallBase& call) {
  auto object = points_to_.object_of(call.getArgOperand(0)->stripPointerCasts());
  if (!object || !checks_.contains(CRule::Bounds)) return Ok{};
  Result<Term> size = value(*call.getArgOperand(1), call, CSign::Unsigned);
  if (!size) return size.error();
  write_all({{size_of(*object, {}), *size}}, call);
  return Ok{};
}

/// One more or one less instance lives, if the condition holds.
void Translator::count(ObjectId object, const llvm::Instruction& at, int by, Term condition) {
  Term variable = counts_.at(object);
  Term step = t_.number(mpq_class(by), object_sort());
  Term next =
      arithmetic_.ideal() ? t_.make_add(variable, step) : t_.make(Op::BvAdd, {variable, step});
  write_all({{variable, t_.make_ite(condition, next, variable)}}, at);
}

Status Translator::release(const llvm::CallBase& call) {
  if (!counts_life() || call.arg_size() != 1) return Ok{};
  const llvm::Value& given = *call.getArgOperand(0);
  Targets targets = points_to_(given);
  Result<Pointer> at = pointer(given, call);
  if (!at) return at.error();
  Term nothing = t_.make_eq(at->object, object_constant(0));
  std::vector<Term> fine;
  if (targets.null) fine.push_back(nothing);
  for (const auto& [object, offset] : targets.objects) {
    if (!is_heap(points_to_[object])) continue;
    std::uint64_t step = points_to_.step(object);
    bool begins = rest_of(offset, step) == 0;
    Term start = step == 0
                     ? t_.boolean(begins)
                     : t_.make_and(t_.boolean(begins), t_.make_eq(at->index, index_constant(0)));
    fine.push_back(
        t_.make_and(is_into(targets, object, *at), t_.make_and(start, lives(object, *at))));
  }
  check(CRule::DoubleFree, call, t_.make_not(t_.make_or(fine)));
  for (const auto& [object, offset] : targets.objects) {
    if (!is_heap(points_to_[object])) continue;
    Term here = is_into(targets, object, *at);
    bool many = points_to_[object].many;
    if (many) count(object, call, -1, t_.make_and(here, lives(object, *at)));
    Term variable = lives_.at(object);
    Term after = t_.make_and(lives(object, *at), t_.make_not(here));
    write_all({{variable, many ? t_.make_store(variable, at->object, after) : after}}, call);
  }
  return Ok{};
}

/// Where the program ends, each call that made what still lives.
void Translator::check_leaks(const llvm::Instruction& at) {
  if (!checks_.contains(CRule::Leak)) return;
  for (const auto& [object, variable] : lives_) {
    auto* site = llvm::cast<llvm::CallBase>(points_to_[object].site);
    if (callee_of(*called(*site)) == Callee::Object) continue;  // the caller's
    bool many = points_to_[object].many;
    Term left = many ? t_.make_not(t_.make_eq(counts_.at(object), object_constant(0))) : variable;
    check(CRule::Leak, at, *site, left);
  }
}

// Values that were never given ------------------------------------------------------------------

/// Finds the cells that may be read before they are written.
void Translator::find_open_cells() {
  if (!checks_.contains(CRule::Uninitialised)) return;
  for (const llvm::BasicBlock* block : blocks_)
    for (const llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
      if (callee == nullptr) continue;
      Callee kind = callee_of(*callee);
      std::optional<ObjectId> object;
      if (kind == Callee::Allocate) object = points_to_.object_of(call);
      if (kind == Callee::Fresh)
        object =
            points_to_.object_of(call->getArgOperand(call->arg_size() - 1)->stripPointerCasts());
      if (!object) continue;
      for (CellId cell : cells_.in(*object))
        if (cells_[cell].read && !overwritten_unread(cell, *call, Copies::Keep))
          given_.insert({cell, Term()});
    }
}

/// One truth value, or one for each byte of a cell that is written or read in parts.
Sort Translator::given_sort(const Cell& cell) {
  if (!cell.in_parts) return t_.bool_sort();
  return t_.bv_sort(
      static_cast<std::uint32_t>(points_to_.layout().getTypeStoreSize(cell.type).getFixedSize()));
}

Term Translator::all_given(const Cell& cell, bool has_value) {
  if (!cell.in_parts) return t_.boolean(has_value);
  std::uint32_t width = t_.width(given_sort(cell));
  mpz_class all = (mpz_class(1) << width) - 1;
  return t_.number(mpq_class(has_value ? all : mpz_class(0)), t_.bv_sort(width));
}

/// Says whether the cell has a value; no term for cells that always have one.
Term Translator::given(CellId cell) {
  auto found = given_.find(cell);
  if (found == given_.end()) return {};
  if (!found->second) {
    Sort sort = given_sort(cells_[cell]);
    if (cells_[cell].indexed) sort = t_.array_sort(index_sort(), sort);
    if (points_to_[cells_[cell].object].many) sort = t_.array_sort(object_sort(), sort);
    found->second = internal(sort, 0);
  }
  return found->second;
}

/// The cell of a new object, made or entered, or all of whose object is written: whether it has a
/// value.
void Translator::start_given(CellId cell, const llvm::Instruction& at, const Pointer& made,
                             bool has_value) {
  Term variable = given(cell);
  if (!variable) return;
  bool many = points_to_[cells_[cell].object].many;
  Sort sort = many ? t_.element_sort(t_.sort(variable)) : t_.sort(variable);
  Term value = all_given(cells_[cell], has_value);
  if (cells_[cell].indexed) value = t_.make_const_array(sort, value);
  if (many) value = t_.make_store(variable, made.object, value);
  write_all({{variable, value}}, at);
}

/// What is known of the bytes of one place: a truth value, or one for each byte.
Term Translator::given_part(const Place& place, std::size_t i, const Pointer& from,
                            std::uint64_t bytes) {
  const Cell& cell = cells_[place.cells[i]];
  Term row = given(place.cells[i]);
  if (points_to_[place.object].many) row = t_.make_select(row, from.object);
  if (cell.indexed) row = t_.make_select(row, element_index(place, from));
  if (!cell.in_parts) return row;
  std::uint32_t first = place.shifts[i] / 8;
  return t_.make_extract(row, first + static_cast<std::uint32_t>(bytes) - 1, first);
}

Term Translator::is_given(Term part) {
  if (t_.kind(part) == SortKind::Bool) return part;
  mpz_class all = (mpz_class(1) << t_.width(part)) - 1;
  return t_.make_eq(part, t_.number(mpq_class(all), t_.sort(part)));
}

/// A copy may be of what has no value: then the target has none either.
void Translator::keep_given(const llvm::LoadInst& copied, const Access& access,
                            const Pointer& from) {
  if (given_.empty() || access.places.size() != 1 || access.places[0].cells.size() != 1) return;
  const Place& place = access.places[0];
  if (!given(place.cells[0])) return;
  std::uint64_t bytes = points_to_.layout().getTypeStoreSize(copied.getType()).getFixedSize();
  Term part = given_part(place, 0, from, bytes);
  Term& saved = copied_given_[&copied];
  if (!saved) saved = internal(t_.sort(part), 0);
  emit(Command::assign(saved, part), line_of(copied));
}

/// All of an object is written, as another one is or, without any, with values.
void Translator::copy_given(const llvm::Instruction& at, ObjectId target,
                            std::optional<ObjectId> origin) {
  std::vector<Write> writes;
  for (CellId id : cells_.in(target)) {
    Term variable = given(id);
    if (!variable) continue;
    std::optional<CellId> source;
    if (origin) source = cells_.at(*origin, cells_[id].offset, cells_[id].type);
    Term copied = source ? given(*source) : Term{};
    if (copied && t_.sort(copied) == t_.sort(variable))
      writes.push_back({variable, copied});
    else
      start_given(id, at, {}, true);
  }
  write_all(std::move(writes), at);
}

void Translator::note_given(const llvm::StoreInst& store, const Place& place, const Pointer& to,
                            Term condition, std::vector<Write>& out) {
  bool many = points_to_[place.object].many;
  auto copied = copied_given_.find(store.getValueOperand());
  for (std::size_t i = 0; i < place.cells.size(); ++i) {
    Term variable = given(place.cells[i]);
    if (!variable) continue;
    const Cell& cell = cells_[place.cells[i]];
    Term here = cell.indexed ? condition : t_.make_and(condition, is_at(place, i, to));
    Term element = cell.indexed ? element_index(place, to) : Term{};
    Term before = current(variable, out);
    Term row = many ? t_.make_select(before, to.object) : before;
    Term old = cell.indexed ? t_.make_select(row, element) : row;
    Term value = copied == copied_given_.end() ? t_.boolean(true) : copied->second;
    if (cell.in_parts) {
      std::uint64_t bytes =
          points_to_.layout().getTypeStoreSize(store.getValueOperand()->getType()).getFixedSize();
      Sort sort = t_.bv_sort(static_cast<std::uint32_t>(bytes));
      mpz_class all = (mpz_class(1) << bytes) - 1;
      if (t_.kind(value) == SortKind::Bool)
        value = t_.make_ite(value, t_.number(mpq_class(all), sort), t_.default_value(sort));
      value = with_bits(t_, old, value, place.shifts[i] / 8);
    } else {
      value = is_given(value);
    }
    Term fresh = t_.make_ite(here, value, old);
    if (cell.indexed) fresh = t_.make_store(row, element, fresh);
    if (many) fresh = t_.make_store(before, to.object, fresh);
    if (fresh != before) set_write(variable, fresh, out);
  }
}

/// Bits of a bit-field's word that are kept are read only to be written back.
static bool is_update(const llvm::LoadInst& load) {
  for (const llvm::User* masked : load.users()) {
    auto* mask = llvm::dyn_cast<llvm::BinaryOperator>(masked);
    if (mask == nullptr || mask->getOpcode() != llvm::Instruction::And) return false;
    for (const llvm::User* user : mask->users()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      auto* joined = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (joined != nullptr && joined->getOpcode() == llvm::Instruction::Or && joined->hasOneUse())
        store = llvm::dyn_cast<llvm::StoreInst>(joined->user_back());
      if (store == nullptr || store->getPointerOperand() != load.getPointerOperand()) return false;
    }
  }
  return !load.use_empty();
}

void Translator::check_given(const llvm::LoadInst& load, const Access& access,
                             const Pointer& from) {
  if (load.getMetadata(kCopyMark) != nullptr) return keep_given(load, access, from);
  if (given_.empty() || is_update(load)) return;
  Targets targets = points_to_(*load.getPointerOperand());
  std::uint64_t bytes = points_to_.layout().getTypeStoreSize(load.getType()).getFixedSize();
  std::vector<Term> open;
  for (const Place& place : access.places) {
    Term here = is_into(targets, place.object, from);
    for (std::size_t i = 0; i < place.cells.size(); ++i) {
      if (!given(place.cells[i])) continue;
      bool indexed = cells_[place.cells[i]].indexed;
      Term at = indexed ? here : t_.make_and(here, is_at(place, i, from));
      open.push_back(t_.make_and(at, t_.make_not(is_given(given_part(place, i, from, bytes)))));
    }
  }
  check(CRule::Uninitialised, load, t_.make_or(open));
}

// Accesses --------------------------------------------------------------------------------------

Status Translator::check_access(const llvm::Instruction& at, const llvm::Value& through,
                                llvm::Type& type) {
  if (checks_.empty()) return Ok{};
  Targets targets = points_to_(through);
  Result<Pointer> to = pointer(through, at);
  if (!to) return to.error();
  bool none = targets.objects.empty();
  if (targets.null || (none && !targets.wild))
    check(CRule::Null, at,
          none && !targets.wild ? t_.boolean(true) : t_.make_eq(to->object, object_constant(0)));
  if (none && targets.wild) check(CRule::Uninitialised, at, t_.boolean(true));
  std::uint64_t bytes = points_to_.layout().getTypeStoreSize(&type).getFixedSize();
  std::vector<Term> outside, gone;
  for (const auto& [object, offset] : targets.objects) {
    Term here = is_into(targets, object, *to);
    if (checks_.contains(CRule::Bounds))
      outside.push_back(t_.make_and(here, t_.make_not(is_inside(object, offset, bytes, *to))));
    if (is_heap(points_to_[object]) && counts_life())
      gone.push_back(t_.make_and(here, t_.make_not(lives(object, *to))));
  }
  check(CRule::UseAfterFree, at, t_.make_or(gone));
  check(CRule::Bounds, at, t_.make_or(outside));
  return Ok{};
}

}  // namespace lem::c
