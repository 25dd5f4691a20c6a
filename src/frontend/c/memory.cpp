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
  if (access.places.empty()) real = t_.boolean(false);
  if (!t_.is_true(real)) emit(Command::assume(real), line_of(at));
}

/// The value in one object. Small arrays have a variable for each element; beyond is anything.
Term Translator::read(const llvm::Instruction& at, const Place& place, unsigned part,
                      const Pointer& from) {
  const Cell& cell = cells_[place.cells[0]];
  Term out = variable_of(place.cells[0], part);
  if (points_to_[place.object].many) out = t_.make_select(out, from.object);
  if (cell.indexed) return t_.make_select(out, from.index);
  if (points_to_.step(place.object) == 0) return out;
  Term found;
  for (std::size_t i = place.cells.size(); i-- > 0;) {
    Term here = t_.make_eq(from.index, index_constant(static_cast<std::int64_t>(i)));
    if (t_.is_false(here)) continue;
    Term element = variable_of(place.cells[i], part);
    if (t_.is_true(here)) return element;
    if (!found) found = any(t_.sort(element), at);
    found = t_.make_ite(here, element, found);
  }
  return found ? found : any(scalar_sort(*cell.type, part), at);
}

Result<Term> Translator::load(const llvm::LoadInst& load, unsigned part) {
  const Access& access = cells_.of(load);
  if (access.plain && part == 0) return variable_of(access.places[0].cells[0]);
  Result<Pointer> from = pointer(*load.getPointerOperand(), load);
  if (!from) return from.error();
  if (part == 0) only_real(load, access, *from);
  if (part == 1 && !indexed(points_to_(load))) return index_constant(0);
  Sort sort = scalar_sort(*load.getType(), part);
  Term out;
  for (std::size_t i = access.places.size(); i-- > 0;) {
    const Place& place = access.places[i];
    bool last = i + 1 == access.places.size() && !access.elsewhere;  // it must be of one of them
    Term here = last ? t_.boolean(true) : is_of(access, place, *from);
    if (t_.is_false(here)) continue;
    Term element = read(load, place, part, *from);
    if (t_.sort(element) != sort)  // a part of a wider cell
      element = t_.make_extract(element, place.shift + t_.width(sort) - 1, place.shift);
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

/// The bits of a wide cell with some of them replaced.
static Term with_bits(TermStore& t, Term whole, Term bits, std::uint32_t shift) {
  std::uint32_t end = shift + t.width(bits);
  if (end < t.width(whole))
    bits = t.make_concat(t.make_extract(whole, t.width(whole) - 1, end), bits);
  return shift == 0 ? bits : t.make_concat(bits, t.make_extract(whole, shift - 1, 0));
}

void Translator::write(const Place& place, unsigned part, const Pointer& to, Term condition,
                       Term value, std::vector<Write>& out) {
  bool many = points_to_[place.object].many;
  bool apart = points_to_.step(place.object) != 0 && !cells_[place.cells[0]].indexed;
  for (std::size_t i = 0; i < place.cells.size(); ++i) {
    const Cell& cell = cells_[place.cells[i]];
    bool unseen = cell.variable.origin == COrigin::Internal && !cell.read;
    if (unseen || part >= cell.parts()) continue;
    Term here = condition;
    if (apart)
      here = t_.make_and(here, t_.make_eq(to.index, index_constant(static_cast<std::int64_t>(i))));
    if (t_.is_false(here)) continue;
    Term variable = variable_of(place.cells[i], part);
    Term row = many ? t_.make_select(variable, to.object) : variable;
    Term old = cell.indexed ? t_.make_select(row, to.index) : row;
    Term fresh = value;
    if (t_.sort(fresh) != t_.sort(old)) fresh = with_bits(t_, old, fresh, place.shift);
    fresh = t_.make_ite(here, fresh, old);
    if (cell.indexed) fresh = t_.make_store(row, to.index, fresh);
    if (many) fresh = t_.make_store(variable, to.object, fresh);
    if (fresh != variable) out.push_back({variable, fresh});
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
  std::array<Term, 2> values;
  if (source.getType()->isPointerTy()) {
    Result<Pointer> moved = pointer(source, store);
    if (!moved) return moved.error();
    values = {moved->object, moved->index};
  } else {
    CSign sign =
        access.places.empty() ? CSign::Signed : cells_[access.places[0].cells[0]].variable.sign;
    bool unseen = access.plain && !cells_[access.places[0].cells[0]].read &&
                  cells_[access.places[0].cells[0]].variable.origin == COrigin::Internal;
    if (unseen) return Ok{};
    Result<Term> term = value(source, store, sign);
    if (!term) return term.error();
    values = {*term, Term{}};
  }
  only_real(store, access, *to);
  std::vector<Write> writes;
  for (const Place& place : access.places)
    for (unsigned part = 0; part < (source.getType()->isPointerTy() ? 2U : 1U); ++part)
      write(place, part, *to, is_of(access, place, *to), values[part], writes);
  write_all(std::move(writes), store);
  return Ok{};
}

// Objects ---------------------------------------------------------------------------------------

/// What an instruction does with a cell.
Translator::Use Translator::use_of(CellId cell, const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::MemIntrinsic>(instruction)) return Use::Read;  // perhaps
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function* callee = called(*call);
    if (callee == nullptr || callee_of(*callee) != Callee::Fresh) return Use::None;
    const llvm::Value* started = call->getArgOperand(call->arg_size() - 1)->stripPointerCasts();
    return points_to_.object_of(started) == cells_[cell].object ? Use::Overwritten : Use::None;
  }
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return Use::None;
  const Access& access = cells_.of(instruction);
  bool touches = std::any_of(access.places.begin(), access.places.end(), [&](const Place& at) {
    return std::find(at.cells.begin(), at.cells.end(), cell) != at.cells.end();
  });
  if (!touches) return Use::None;
  if (llvm::isa<llvm::LoadInst>(instruction)) return Use::Read;
  return access.plain ? Use::Overwritten : Use::None;
}

/// Whether the content of the cell is dead: on all paths from here it is written before it is read.
bool Translator::overwritten_unread(CellId cell, const llvm::Instruction& from) const {
  static constexpr std::size_t kMostBlocks = 100;
  std::set<const llvm::BasicBlock*> seen;
  std::vector<const llvm::Instruction*> waiting = {from.getNextNode()};
  while (!waiting.empty()) {
    const llvm::Instruction* at = waiting.back();
    waiting.pop_back();
    const llvm::BasicBlock* block = at->getParent();
    Use use = Use::None;
    for (; at != nullptr && use == Use::None; at = at->getNextNode()) use = use_of(cell, *at);
    if (use == Use::Read || seen.size() > kMostBlocks) return false;
    if (use == Use::Overwritten) continue;
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (seen.insert(next).second) waiting.push_back(&next->front());
  }
  return true;
}

Status Translator::havoc(CellId id, const llvm::Instruction& at) {
  const Cell& cell = cells_[id];
  if (!cell.read || overwritten_unread(id, at)) return Ok{};
  for (unsigned part = 0; part < cell.parts(); ++part) {
    Term variable = variable_of(id, part);
    keep_before_write(variable, at);
    emit(Command::havoc(variable), line_of(at));
    if (cell.type->isPointerTy()) continue;
    Term element = cell.indexed ? t_.make_select(variable, index_constant(0)) : variable;
    Term range = arithmetic_.in_range(element, cell.variable.bits, cell.variable.sign);
    if (t_.is_true(range)) continue;
    if (cell.indexed)
      return refuse(at, "uninitialised array of a bounded type over integers (--arith int)");
    emit(Command::assume(range), line_of(at));
  }
  return Ok{};
}

Status Translator::fresh(const llvm::CallBase& call) {
  const llvm::Value* object = call.getArgOperand(call.arg_size() - 1)->stripPointerCasts();
  if (auto id = points_to_.object_of(object))
    for (CellId cell : cells_.in(*id))
      if (Status done = havoc(cell, call); !done) return done;
  return Ok{};
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
  for (CellId id : cells_.in(object)) {
    const Cell& cell = cells_[id];
    if (!cell.read) continue;
    if (!zero && !many)
      if (Status done = havoc(id, call); !done) return done;
    for (unsigned part = 0; zero && part < cell.parts(); ++part) {
      Term variable = variable_of(id, part);
      Sort sort = many ? t_.element_sort(t_.sort(variable)) : t_.sort(variable);
      Term value = t_.default_value(sort);
      if (many) value = t_.make_store(variable, made.object, value);
      write_all({{variable, value}}, call);
    }
    if (!zero && many && arithmetic_.ideal() && cell.type->isIntegerTy())
      if (!t_.is_true(arithmetic_.in_range(t_.fresh("range", t_.int_sort()), cell.variable.bits,
                                           cell.variable.sign)))
        return refuse(call, "uninitialised heap of a bounded type over integers (--arith int)");
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
        Result<Term> value =
            cell.indexed ? initial_array(cell, part, *global->getInitializer())
                         : initial_scalar(cell, part, *global->getInitializer(), cell.offset);
        if (!value) return refuse(copy, "copy of memory: " + value.error().message);
        writes.push_back({variable, *value});
        continue;
      }
      std::optional<CellId> source = cells_.at(origin, cell.offset, cell.type);
      if (!source || cells_[*source].indexed != cell.indexed ||
          (cell.indexed && points_to_.step(origin) != points_to_.step(target)))
        return refuse(copy, "copy of memory of different shape");
      writes.push_back({variable, variable_of(*source, part)});
    }
  }
  write_all(std::move(writes), copy);
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
  return Ok{};
}

}  // namespace lem::c
