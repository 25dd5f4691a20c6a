// Whole objects: entered, made, copied, filled.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "base/try.h"
#include "frontend/c/dead_cells.h"
#include "frontend/c/memory.h"

namespace lem::c {

// Making ----------------------------------------------------------------------------------------

void Memory::havoc(CellId id, const llvm::Instruction& at) {
  const Cell& cell = cells_[id];
  if (!cell.read || overwritten_unread(w_, id, at, Copies::Overwrite)) return;
  for (unsigned part = 0; part < cell.parts(); ++part) {
    Term made = variable(id, part);
    w_.values.havoc(made, at);
    if (cell.type->isPointerTy() || cell.indexed) continue;
    Term range = in_range(cell, made);
    if (!t_.is_true(range)) w_.automaton.emit(Command::assume(range), at);
  }
}

void Memory::enter(const llvm::CallBase& call) {
  std::optional<ObjectId> object = started(points_to_, call);
  if (!object) return;
  operands_.addresses().move(*object, call);
  for (CellId cell : cells_.in(*object)) {
    havoc(cell, call);
    initialised_.start(cell, call, {}, false);
  }
}

/// Whether all of the cell is in the object from the start: realloc may make it larger, and what is
/// new then has any value.
bool Memory::is_made_whole(const Cell& cell) const {
  const Object& object = points_to_[cell.object];
  if (!object.resized) return true;
  return object.made && !cell.indexed && cell.offset + w_.bytes(cell.type) <= *object.made;
}

void Memory::zero(CellId id, const Pointer& made, const llvm::Instruction& at) {
  const Cell& cell = cells_[id];
  for (unsigned part = 0; part < cell.parts(); ++part) {
    Term all = variable(id, part);
    bool many = points_to_[cell.object].many;
    Term value = t_.default_value(many ? t_.element_sort(t_.sort(all)) : t_.sort(all));
    w_.values.write({{all, encoding_.with_instance(cell.object, all, made, value)}}, at);
  }
}

/// The elements of an array that are in the object from the start, if these are few.
void Memory::zero_first(CellId id, const llvm::Instruction& at) {
  static constexpr std::uint64_t kMost = 64;
  const Cell& cell = cells_[id];
  const Object& object = points_to_[cell.object];
  std::uint64_t end = cell.offset + w_.bytes(cell.type);
  if (!object.made || object.many || !cell.indexed || end > *object.made) return;
  std::uint64_t count = (*object.made - end) / points_to_.stride(cell.object) + 1;
  for (unsigned part = 0; count <= kMost && part < cell.parts(); ++part) {
    Term all = variable(id, part), zeros = all;
    Term zero = t_.default_value(t_.element_sort(t_.sort(all)));
    for (std::uint64_t i = 0; i < count; ++i)
      zeros = t_.make_store(zeros, encoding_.index_of(static_cast<std::int64_t>(i)), zero);
    w_.values.write({{all, zeros}}, at);
  }
}

/// What is in a new instance was never written: it has any value.
Status Memory::allocate(const llvm::CallBase& call) {
  ObjectId object = *points_to_.object_of(&call);
  bool zeroed = callee_of(*called(call)) == Callee::AllocateZero;
  auto size = filled_.contains(object) ? Objects::Size::Always : Objects::Size::IfChecked;
  LEM_LET(Pointer made, objects_.make(call, object, size));
  for (CellId id : cells_.in(object)) {
    if (!cells_[id].read) continue;
    initialised_.start(id, call, made, zeroed);
    bool open = !zeroed || !is_made_whole(cells_[id]);
    if (open && !points_to_[object].many) havoc(id, call);
    if (open && zeroed) zero_first(id, call);
    if (!open) zero(id, made, call);
  }
  w_.values.define(call, made);
  return Ok{};
}

// Copying ---------------------------------------------------------------------------------------

/// The object that the pointer points to the start of, if all of it is moved.
std::optional<ObjectId> Memory::whole(const llvm::Value& pointer,
                                      const llvm::MemIntrinsic& moves) const {
  Targets targets = points_to_(pointer);
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(moves.getLength());
  std::optional<ObjectId> object = encoding_.only(targets);
  if (!object || length == nullptr || moves.isVolatile()) return std::nullopt;
  bool all = targets.objects.begin()->second == Offset{} &&
             points_to_[*object].size == length->getZExtValue();
  return all ? object : std::nullopt;
}

Status Memory::copy(const llvm::MemTransferInst& copy) {
  std::optional<ObjectId> target = whole(*copy.getRawDest(), copy);
  std::optional<ObjectId> origin = whole(*copy.getRawSource(), copy);
  if (!target || !origin) return w_.refuse(copy, "copy of memory of variable or partial size");
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[*origin].site);
  bool constant = global != nullptr && global->isConstant() && global->hasInitializer();
  std::vector<Write> writes;
  for (CellId id : cells_.in(*target)) {
    const Cell& cell = cells_[id];
    if (is_unseen(cell)) continue;
    for (unsigned part = 0; part < cell.parts(); ++part) {
      Term all = variable(id, part);
      if (constant) {
        Result<Term> value = initial_values_.of(cell, part, *global);
        if (!value) return w_.refuse(copy, "copy of memory: " + value.error().message);
        writes.push_back({all, *value});
        continue;
      }
      std::optional<CellId> source = cells_.at(*origin, cell.offset, cell.type);
      if (!source || cells_[*source].indexed != cell.indexed ||
          (cell.indexed && points_to_.stride(*origin) != points_to_.stride(*target)))
        return w_.refuse(copy, "copy of memory of different shape");
      writes.push_back({all, variable(*source, part)});
    }
  }
  w_.values.write(writes, copy);
  initialised_.copy(copy, *target, constant ? std::nullopt : origin);
  return Ok{};
}

Status Memory::fill(const llvm::MemSetInst& fill) {
  std::optional<ObjectId> target = whole(*fill.getRawDest(), fill);
  auto* byte = llvm::dyn_cast<llvm::ConstantInt>(fill.getValue());
  if (!target || byte == nullptr)
    return w_.refuse(fill, "fill of memory of variable or partial size");
  std::vector<Write> writes;
  for (CellId id : cells_.in(*target)) {
    const Cell& cell = cells_[id];
    if (is_unseen(cell)) continue;
    if (!cell.type->isIntegerTy() && !byte->isZero())
      return w_.refuse(fill, "pointer or float made from bytes");
    for (unsigned part = 0; part < cell.parts(); ++part) {
      Term all = variable(id, part);
      Term value = t_.default_value(encoding_.sort(*cell.type, part));
      if (cell.type->isIntegerTy())
        value = encoding_.arithmetic.constant(
            llvm::APInt::getSplat(cell.type->getIntegerBitWidth(), byte->getValue()),
            cell.variable.sign);
      if (cell.indexed) value = t_.make_const_array(t_.sort(all), value);
      writes.push_back({all, value});
    }
  }
  w_.values.write(writes, fill);
  initialised_.copy(fill, *target, std::nullopt);
  return Ok{};
}

}  // namespace lem::c
