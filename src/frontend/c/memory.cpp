// Memory: cells as variables of the automaton, and what reads, writes and makes them.
//
// A cell of one object is a scalar, or an array over the index of its pointers; cells of objects
// made in a loop are arrays over the numbers of their instances. A pointer in a cell is two parts,
// object and index.
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <set>

#include "base/assert.h"
#include "frontend/c/copy_lowering.h"
#include "frontend/c/place.h"
#include "frontend/c/translate.h"
#include "term/traverse.h"

namespace lem::c {

// Variables -------------------------------------------------------------------------------------

Sort Translator::scalar_sort(const llvm::Type& type, unsigned part) {
  if (type.isPointerTy()) return part == 0 ? object_sort() : index_sort();
  if (type.isFloatingPointTy()) return floats_.sort(type);
  return arithmetic_.sort(llvm::cast<llvm::IntegerType>(type));
}

Sort Translator::sort_of(const Cell& cell, unsigned part) {
  Sort sort = scalar_sort(*cell.type, part);
  if (cell.indexed) sort = t_.array_sort(index_sort(), sort);
  if (points_to_[cell.object].many) sort = t_.array_sort(object_sort(), sort);
  return sort;
}

Term Translator::variable_of(CellId cell, unsigned part) {
  Term& variable = cell_variables_[index(cell)][part];
  if (variable) return variable;
  variable = declare(cells_[cell].variable, sort_of(cells_[cell], part));
  marks_.variables.resize(variables_.size());
  marks_.variables.back() = cells_.names().declaration(points_to_[cells_[cell].object].site);
  return variable;
}

// Reading ---------------------------------------------------------------------------------------

/// Whether the pointer points to this object. True for instances: their numbers differ from those
/// of all objects, so they are tried last when reading, and writing elsewhere does not change them.
Term Translator::is_of(const Access& access, const Place& place, const Pointer& pointer) {
  bool alone = access.places.size() == 1 && !access.elsewhere;
  if (alone || points_to_[place.object].many) return t_.boolean(true);
  return t_.make_eq(pointer.object, object_number(place.object));
}

/// An access through null ends the run, as the processor does.
void Translator::only_real(const llvm::Instruction& at, const Access& access,
                           const Pointer& pointer) {
  if (!access.null) return;
  Term real = t_.make_not(t_.make_eq(pointer.object, object_constant(0)));
  if (access.places.empty() && !access.elsewhere) real = t_.boolean(false);
  if (!t_.is_true(real)) emit(Command::assume(real), line_of(at));
}

/// The element of an array that the pointer points to. Pointers count steps that may be shorter
/// than the distance of elements; it is known that the place is a multiple of that distance.
Term Translator::element_index(const Place& place, const Pointer& pointer) {
  auto step = static_cast<std::int64_t>(points_to_.step(place.object));
  std::int64_t apart = static_cast<std::int64_t>(points_to_.stride(place.object)) / step;
  if (apart == 1) return pointer.index;
  Term first = index_constant(static_cast<std::int64_t>(place.offsets[0]) / step);
  if (arithmetic_.ideal())
    return t_.make(Op::IntDiv, {t_.make_sub(pointer.index, first), index_constant(apart)});
  Term steps = t_.make_bv_sub(pointer.index, first);
  if ((apart & (apart - 1)) != 0) return t_.make(Op::BvSdiv, {steps, index_constant(apart)});
  std::int64_t shift = 0;
  while ((std::int64_t{1} << shift) < apart) ++shift;
  return t_.make(Op::BvAshr, {steps, index_constant(shift)});
}

/// Whether the pointer is at the place of this number.
Term Translator::is_at(const Place& place, std::size_t i, const Pointer& pointer) {
  if (points_to_.stride(place.object) == 0) return t_.boolean(true);
  std::uint64_t step = points_to_.step(place.object);
  return t_.make_eq(pointer.index,
                    index_constant(static_cast<std::int64_t>(place.offsets[i] / step)));
}

/// The value in one object. Small arrays have a variable for each element; beyond is anything.
Term Translator::read(const llvm::Instruction& at, const Place& place, unsigned part,
                      const Pointer& from, Sort sort) {
  auto element = [&](std::size_t i) {
    Term out = variable_of(place.cells[i], part);
    if (points_to_[place.object].many) out = t_.make_select(out, from.object);
    if (cells_[place.cells[i]].indexed) out = t_.make_select(out, element_index(place, from));
    // What was never written to an array may be out of the range of unsigned numbers.
    const Cell& cell = cells_[place.cells[i]];
    bool open = cell.indexed || points_to_[place.object].many;
    if (open && arithmetic_.ideal() && cell.type->isIntegerTy() && t_.kind(out) == SortKind::Int &&
        cell.variable.sign == CSign::Unsigned)
      out = arithmetic_.read_as(out, cell.variable.bits, CSign::Unsigned);
    if (arithmetic_.ideal() && t_.kind(out) == SortKind::Int && cell.type->isIntegerTy() &&
        cell.variable.sign != sign_of(at))
      out = arithmetic_.read_as(out, cell.variable.bits, sign_of(at));
    if (t_.sort(out) == sort) return out;  // else a part of a wider cell
    return t_.make_extract(out, place.shifts[i] + t_.width(sort) - 1, place.shifts[i]);
  };
  if (cells_[place.cells[0]].indexed) return element(0);
  Term found;
  for (std::size_t i = place.cells.size(); i-- > 0;) {
    Term here = is_at(place, i, from);
    if (t_.is_false(here)) continue;
    Term one = element(i);
    if (t_.is_true(here)) return one;
    if (!found) found = any(sort, at);
    found = t_.make_ite(here, one, found);
  }
  return found ? found : any(sort, at);
}

/// Objects that are given values as a whole: those of static storage, of calloc, and what is copied
/// or filled at once. Their arrays have values at every index, also where the object has ended.
void Translator::find_filled() {
  for (std::uint32_t i = 0; i < points_to_.objects().size(); ++i) {
    auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[ObjectId{i}].site);
    if (global != nullptr && global->hasInitializer()) filled_.insert(ObjectId{i});
  }
  for (const llvm::BasicBlock* block : blocks_)
    for (const llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
      if (callee == nullptr) continue;
      if (callee_of(*callee) == Callee::AllocateZero)
        if (auto made = points_to_.object_of(call)) filled_.insert(*made);
      if (llvm::isa<llvm::MemIntrinsic>(call))
        for (const auto& [object, offset] : points_to_(*call->getArgOperand(0)).objects)
          filled_.insert(object);
    }
}

/// Beyond the end of the object the array has any values, the same ones in the whole run.
Term Translator::within(const Place& place, unsigned part, const Offset& offset,
                        const Pointer& from, Term element) {
  CellId cell = place.cells[0];
  const Object& object = points_to_[place.object];
  // Of what is made with a size that varies, begin_life() says it.
  bool known = object.size || (object.kind == Object::Kind::Heap && !object.resized);
  if (!cells_[cell].indexed || !filled_.contains(place.object) || !known) return element;
  std::uint64_t bytes = points_to_.layout().getTypeStoreSize(cells_[cell].type).getFixedSize();
  Term inside = is_inside(place.object, offset, bytes, from);
  if (t_.is_true(inside)) return element;
  Term& beyond = beyond_[{cell, part}];
  if (!beyond) beyond = internal(t_.array_sort(index_sort(), t_.sort(element)), 0);
  return t_.make_ite(inside, element, t_.make_select(beyond, from.index));
}

Result<Term> Translator::load(const llvm::LoadInst& load, unsigned part) {
  const Access& access = cells_.of(load);
  if (part == 0)
    if (Status fine = check_access(load, *load.getPointerOperand(), *load.getType()); !fine)
      return fine.error();
  if (access.plain && part == 0 && given_.empty()) return variable_of(access.places[0].cells[0]);
  Result<Pointer> from = pointer(*load.getPointerOperand(), load);
  if (!from) return from.error();
  if (part == 0) check_given(load, access, *from);
  if (part == 0) only_real(load, access, *from);
  if (part == 1 && !indexed(points_to_(load))) return index_constant(0);
  Sort sort = scalar_sort(*load.getType(), part);
  Term out;
  Targets targets = points_to_(*load.getPointerOperand());
  for (std::size_t i = access.places.size(); i-- > 0;) {
    const Place& place = access.places[i];
    bool last = i + 1 == access.places.size() && !access.elsewhere;  // it must be of one of them
    Term here = last ? t_.boolean(true) : is_of(access, place, *from);
    if (t_.is_false(here)) continue;
    Term element = read(load, place, part, *from, sort);
    if (auto of = targets.objects.find(place.object); of != targets.objects.end())
      element = within(place, part, of->second, *from, element);
    if (t_.is_true(here)) {
      out = element;
      continue;
    }
    if (!out) out = any(sort, load);
    out = t_.make_ite(here, element, out);
  }
  return out ? out : any(sort, load);
}

// Writing ---------------------------------------------------------------------------------------

Term with_bits(TermStore& t, Term whole, Term bits, std::uint32_t shift) {
  std::uint32_t end = shift + t.width(bits);
  if (end < t.width(whole))
    bits = t.make_concat(t.make_extract(whole, t.width(whole) - 1, end), bits);
  return shift == 0 ? bits : t.make_concat(bits, t.make_extract(whole, shift - 1, 0));
}

/// What the variable has behind these writes: two places may be parts of one cell.
Term Translator::current(Term variable, const std::vector<Write>& writes) {
  for (const Write& write : writes)
    if (write.variable == variable) return write.value;
  return variable;
}

void Translator::set_write(Term variable, Term value, std::vector<Write>& writes) {
  for (Write& write : writes)
    if (write.variable == variable) {
      write.value = value;
      return;
    }
  writes.push_back({variable, value});
}

void Translator::write(const Place& place, unsigned part, const Pointer& to, Term condition,
                       Term value, CSign sign, std::vector<Write>& out) {
  bool many = points_to_[place.object].many;
  for (std::size_t i = 0; i < place.cells.size(); ++i) {
    const Cell& cell = cells_[place.cells[i]];
    bool unseen = cell.variable.origin == COrigin::Internal && !cell.read;
    if (unseen || part >= cell.parts()) continue;
    Term here = cell.indexed ? condition : t_.make_and(condition, is_at(place, i, to));
    if (t_.is_false(here)) continue;
    Term element = cell.indexed ? element_index(place, to) : Term{};
    Term variable = variable_of(place.cells[i], part);
    Term before = current(variable, out);
    Term row = many ? t_.make_select(before, to.object) : before;
    Term old = cell.indexed ? t_.make_select(row, element) : row;
    Term fresh = value;
    if (arithmetic_.ideal() && t_.kind(fresh) == SortKind::Int && cell.type->isIntegerTy() &&
        cell.variable.sign != sign)
      fresh = arithmetic_.read_as(fresh, cell.variable.bits, cell.variable.sign);
    if (t_.sort(fresh) != t_.sort(old)) fresh = with_bits(t_, old, fresh, place.shifts[i]);
    fresh = t_.make_ite(here, fresh, old);
    if (cell.indexed) fresh = t_.make_store(row, element, fresh);
    if (many) fresh = t_.make_store(before, to.object, fresh);
    if (fresh != before) set_write(variable, fresh, out);
  }
}

/// Numbers that are written where addresses are, and the other way round, leave any value there;
/// a 0 of all bytes is null.
void Translator::spoil(const llvm::StoreInst& store, const Place& place, const Pointer& to,
                       Term condition, std::vector<Write>& out) {
  bool many = points_to_[place.object].many, zero = stores_null(store, points_to_.layout());
  for (const auto& [position, id] : place.spoiled) {
    const Cell& cell = cells_[id];
    if (!cell.read) continue;
    Term here = cell.indexed ? condition : t_.make_and(condition, is_at(place, position, to));
    if (t_.is_false(here)) continue;
    Term element = cell.indexed ? element_index(place, to) : Term{};
    for (unsigned part = 0; part < cell.parts(); ++part) {
      Sort sort = scalar_sort(*cell.type, part);
      Term variable = variable_of(id, part);
      Term before = current(variable, out);
      Term row = many ? t_.make_select(before, to.object) : before;
      Term old = cell.indexed ? t_.make_select(row, element) : row;
      Term fresh = zero && cell.type->isPointerTy() ? t_.default_value(sort) : any(sort, store);
      fresh = t_.make_ite(here, fresh, old);
      if (cell.indexed) fresh = t_.make_store(row, element, fresh);
      if (many) fresh = t_.make_store(before, to.object, fresh);
      set_write(variable, fresh, out);
    }
  }
}

/// All at once: what is read in a later one and written in an earlier one is saved first.
void Translator::write_all(std::vector<Write> writes, const llvm::Instruction& writer) {
  for (const Write& write : writes) keep_before_write(write.variable, writer);
  for (std::size_t i = 1; i < writes.size(); ++i) {
    std::vector<Term> read = variables_of(t_, writes[i].value);
    auto is_read = [&](const Write& earlier) {
      return std::find(read.begin(), read.end(), earlier.variable) != read.end();
    };
    auto here = writes.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::none_of(writes.begin(), here, is_read)) continue;
    Term saved = internal(t_.sort(writes[i].value), 0);
    emit(Command::assign(saved, writes[i].value), line_of(writer));
    writes[i].value = saved;
  }
  for (const Write& write : writes)
    emit(Command::assign(write.variable, write.value), line_of(writer));
}

Status Translator::store(const llvm::StoreInst& store) {
  const Access& access = cells_.of(store);
  const llvm::Value& source = *store.getValueOperand();
  Result<Pointer> to = pointer(*store.getPointerOperand(), store);
  if (!to) return to.error();
  if (Status fine = check_access(store, *store.getPointerOperand(), *source.getType()); !fine)
    return fine;
  std::array<Term, 2> values;
  CSign sign =
      access.places.empty() ? CSign::Signed : cells_[access.places[0].cells[0]].variable.sign;
  if (source.getType()->isPointerTy()) {
    Result<Pointer> moved = pointer(source, store);
    if (!moved) return moved.error();
    values = {moved->object, moved->index};
  } else {
    bool unseen = access.plain && !cells_[access.places[0].cells[0]].read &&
                  cells_[access.places[0].cells[0]].variable.origin == COrigin::Internal;
    if (unseen) return Ok{};
    Result<Term> term = value(source, store, sign);
    if (!term) return term.error();
    values = {*term, Term{}};
  }
  only_real(store, access, *to);
  std::vector<Write> writes;
  for (const Place& place : access.places) {
    Term here = is_of(access, place, *to);
    for (unsigned part = 0; part < (source.getType()->isPointerTy() ? 2U : 1U); ++part)
      write(place, part, *to, here, values[part], sign, writes);
    spoil(store, place, *to, here, writes);
    note_given(store, place, *to, here, writes);
  }
  write_all(std::move(writes), store);
  return Ok{};
}

// Objects ---------------------------------------------------------------------------------------

/// What an instruction does with a cell.
Translator::Use Translator::use_of(CellId cell, const llvm::Instruction& instruction,
                                   Copies copies) const {
  if (llvm::isa<llvm::MemIntrinsic>(instruction)) return Use::Read;  // perhaps
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function* callee = called(*call);
    if (callee == nullptr || callee_of(*callee) != Callee::Fresh) return Use::None;
    const llvm::Value* started = call->getArgOperand(call->arg_size() - 1)->stripPointerCasts();
    return points_to_.object_of(started) == cells_[cell].object ? Use::Overwritten : Use::None;
  }
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return Use::None;
  if (cells_.drops(instruction)) return Use::None;
  const Access& access = cells_.of(instruction);
  bool touches = std::any_of(access.places.begin(), access.places.end(), [&](const Place& at) {
    return std::find(at.cells.begin(), at.cells.end(), cell) != at.cells.end();
  });
  if (!touches) return Use::None;
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr) return Use::Read;
  auto* copied = llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand());
  if (copied && copied->hasMetadata(kCopyMark) && copies == Copies::Keep) return Use::None;
  return access.plain ? Use::Overwritten : Use::None;
}

/// Whether the content of the cell is dead: on all paths from here it is written before it is read.
bool Translator::overwritten_unread(CellId cell, const llvm::Instruction& from,
                                    Copies copies) const {
  static constexpr std::size_t kMostBlocks = 100;
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::Instruction*> waiting = {from.getNextNode()};
  while (!waiting.empty()) {
    const llvm::Instruction* at = waiting.back();
    waiting.pop_back();
    const llvm::BasicBlock* block = at->getParent();
    Use use = Use::None;
    for (; at != nullptr && use == Use::None; at = at->getNextNode())
      use = use_of(cell, *at, copies);
    if (use == Use::Read || seen.size() > kMostBlocks) return false;
    if (use == Use::Overwritten) continue;
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (seen.insert(next).second) waiting.push_back(&next->front());
  }
  return true;
}

Status Translator::havoc(CellId id, const llvm::Instruction& at) {
  const Cell& cell = cells_[id];
  if (!cell.read || overwritten_unread(id, at, Copies::Overwrite)) return Ok{};
  for (unsigned part = 0; part < cell.parts(); ++part) {
    Term variable = variable_of(id, part);
    keep_before_write(variable, at);
    emit(Command::havoc(variable), line_of(at));
    if (cell.type->isPointerTy()) continue;
    Term element = cell.indexed ? t_.make_select(variable, index_constant(0)) : variable;
    Term range = arithmetic_.in_range(element, cell.variable.bits, cell.variable.sign);
    if (!t_.is_true(range) && !cell.indexed) emit(Command::assume(range), line_of(at));
  }
  return Ok{};
}

Status Translator::fresh(const llvm::CallBase& call) {
  const llvm::Value* object = call.getArgOperand(call.arg_size() - 1)->stripPointerCasts();
  if (auto id = points_to_.object_of(object)) {
    move_elsewhere(*id, call);
    for (CellId cell : cells_.in(*id)) {
      if (Status done = havoc(cell, call); !done) return done;
      start_given(cell, call, {}, false);
    }
  }
  return Ok{};
}

/// Whether all of the cell is in the object from the start: realloc may make it larger, and what is
/// new then has any value.
bool Translator::is_made_whole(const Cell& cell) const {
  const Object& object = points_to_[cell.object];
  if (!object.resized) return true;
  std::uint64_t end = cell.offset + points_to_.layout().getTypeStoreSize(cell.type).getFixedSize();
  return object.made && !cell.indexed && end <= *object.made;
}

/// The elements of an array that are in the object from the start, if these are few.
void Translator::zero_first(CellId id, const llvm::Instruction& at) {
  static constexpr std::uint64_t kMost = 64;
  const Cell& cell = cells_[id];
  const Object& object = points_to_[cell.object];
  std::uint64_t end = cell.offset + points_to_.layout().getTypeStoreSize(cell.type).getFixedSize();
  std::uint64_t step = points_to_.stride(cell.object);
  if (!object.made || object.many || !cell.indexed || end > *object.made) return;
  std::uint64_t count = (*object.made - end) / step + 1;
  for (unsigned part = 0; count <= kMost && part < cell.parts(); ++part) {
    Term variable = variable_of(id, part), zeros = variable;
    Term zero = t_.default_value(t_.element_sort(t_.sort(variable)));
    for (std::uint64_t i = 0; i < count; ++i)
      zeros = t_.make_store(zeros, index_constant(static_cast<std::int64_t>(i)), zero);
    write_all({{variable, zeros}}, at);
  }
}

/// Never fails. An instance has a number that none had before, and what is there was never written.
Status Translator::allocate(const llvm::CallBase& call) {
  ObjectId object = *points_to_.object_of(&call);
  bool many = points_to_[object].many;
  bool zero = callee_of(*called(call)) == Callee::AllocateZero;
  Pointer made{object_number(object), index_constant(0)};
  if (many) {
    keep_before_write(last_instance_, call);
    Term next = arithmetic_.ideal() ? t_.make_add(last_instance_, object_constant(1))
                                    : t_.make(Op::BvAdd, {last_instance_, object_constant(1)});
    emit(Command::assign(last_instance_, next), line_of(call));
    if (!arithmetic_.ideal())  // all numbers are used up: there is no more memory
      emit(Command::assume(t_.make_not(t_.make_eq(last_instance_, object_constant(0)))),
           line_of(call));
    made.object = last_instance_;
  }
  if (Status done = begin_life(call, object, made); !done) return done;
  for (CellId id : cells_.in(object)) {
    const Cell& cell = cells_[id];
    if (!cell.read) continue;
    start_given(id, call, made, zero);
    bool open = !zero || !is_made_whole(cell);
    if (open && !many)
      if (Status done = havoc(id, call); !done) return done;
    if (open && zero) zero_first(id, call);
    for (unsigned part = 0; !open && part < cell.parts(); ++part) {
      Term variable = variable_of(id, part);
      Sort sort = many ? t_.element_sort(t_.sort(variable)) : t_.sort(variable);
      Term value = t_.default_value(sort);
      if (many) value = t_.make_store(variable, made.object, value);
      write_all({{variable, value}}, call);
    }
  }
  define(call, made.object, values_);
  define(call, made.index, indices_);
  return Ok{};
}

// Copying ---------------------------------------------------------------------------------------

/// Large objects as a whole, or from a constant; small ones were taken apart before.
Status Translator::copy(const llvm::MemTransferInst& copy) {
  Targets to = points_to_(*copy.getRawDest()), from = points_to_(*copy.getRawSource());
  auto whole = [&](const Targets& targets) {
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    if (!targets.single() || length == nullptr) return false;
    const auto& [object, offset] = *targets.objects.begin();
    const Object& at = points_to_[object];
    return offset == Offset{} && !at.many && at.size && *at.size == length->getZExtValue();
  };
  if (!whole(to) || !whole(from) || copy.isVolatile())
    return refuse(copy, "copy of memory of variable or partial size");
  ObjectId target = to.objects.begin()->first, origin = from.objects.begin()->first;
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[origin].site);
  bool constant = global != nullptr && global->isConstant() && global->hasInitializer();
  std::vector<Write> writes;
  for (CellId id : cells_.in(target)) {
    const Cell& cell = cells_[id];
    if (!cell.read && cell.variable.origin == COrigin::Internal) continue;
    for (unsigned part = 0; part < cell.parts(); ++part) {
      Term variable = variable_of(id, part);
      if (constant) {
        Result<Term> value = cell.indexed ? initial_array(cell, part, *global)
                                          : initial_scalar(cell, part, *global, cell.offset);
        if (!value) return refuse(copy, "copy of memory: " + value.error().message);
        writes.push_back({variable, *value});
        continue;
      }
      std::optional<CellId> source = cells_.at(origin, cell.offset, cell.type);
      if (!source || cells_[*source].indexed != cell.indexed ||
          (cell.indexed && points_to_.stride(origin) != points_to_.stride(target)))
        return refuse(copy, "copy of memory of different shape");
      writes.push_back({variable, variable_of(*source, part)});
    }
  }
  write_all(std::move(writes), copy);
  copy_given(copy, target, constant ? std::nullopt : std::optional(origin));
  return Ok{};
}

Status Translator::fill(const llvm::MemSetInst& fill) {
  Targets to = points_to_(*fill.getRawDest());
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(fill.getLength());
  auto* byte = llvm::dyn_cast<llvm::ConstantInt>(fill.getValue());
  bool known = to.single() && length != nullptr && byte != nullptr && !fill.isVolatile();
  if (known) {
    const auto& [object, offset] = *to.objects.begin();
    const Object& whole = points_to_[object];
    known =
        offset == Offset{} && !whole.many && whole.size && *whole.size == length->getZExtValue();
  }
  if (!known) return refuse(fill, "fill of memory of variable or partial size");
  std::vector<Write> writes;
  for (CellId id : cells_.in(to.objects.begin()->first)) {
    const Cell& cell = cells_[id];
    if (!cell.read && cell.variable.origin == COrigin::Internal) continue;
    if (!cell.type->isIntegerTy() && !byte->isZero())
      return refuse(fill, "pointer or float made from bytes");
    for (unsigned part = 0; part < cell.parts(); ++part) {
      Term variable = variable_of(id, part);
      Term value = t_.default_value(scalar_sort(*cell.type, part));
      if (cell.type->isIntegerTy())
        value = arithmetic_.constant(
            llvm::APInt::getSplat(cell.type->getIntegerBitWidth(), byte->getValue()),
            cell.variable.sign);
      if (cell.indexed) value = t_.make_const_array(t_.sort(variable), value);
      writes.push_back({variable, value});
    }
  }
  write_all(std::move(writes), fill);
  copy_given(fill, to.objects.begin()->first, std::nullopt);
  return Ok{};
}

}  // namespace lem::c
