#include "frontend/c/cells.h"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "base/assert.h"
#include "base/try.h"
#include "frontend/c/floats.h"
#include "frontend/c/place.h"

namespace lem::c {

Cells::Cells(const llvm::Function& main, const std::string& path, const COptions& options,
             const PointsTo& points_to)
    : layout_(main.getParent()->getDataLayout()),
      path_(path),
      options_(options),
      points_to_(points_to),
      names_(main) {}

std::uint64_t Cells::bytes(llvm::Type* type) const {
  return layout_.getTypeStoreSize(type).getFixedSize();
}

bool Cells::apart(ObjectId object) const {
  std::uint64_t stride = points_to_.stride(object);
  if (stride == 0) return true;
  const Object& whole = points_to_[object];
  if (whole.many || !whole.size || *whole.size == 0) return false;
  return (*whole.size + stride - 1) / stride <= options_.expanded_elements;
}

// Accesses --------------------------------------------------------------------------------------

void Cells::add_slot(const llvm::Instruction& access, ObjectId object, std::uint64_t offset,
                     llvm::Type* type) {
  slots_.push_back({object, offset, type, &access});
}

/// The access for one object that the pointer may point to. Places beyond its end are left out.
Status Cells::target(const llvm::Instruction& access, ObjectId object, Offset offset,
                     llvm::Type* type, Access& out) {
  const Object& whole = points_to_[object];
  if (whole.kind == Object::Kind::Function) return Ok{};
  std::uint64_t stride = points_to_.stride(object), size = bytes(type);
  auto fits = [&](std::uint64_t at) {
    return at + size >= at && (!whole.size || at + size <= *whole.size);
  };
  Place place{object, {}, {}, {}, {}};
  if (offset.step == 0 && apart(object)) {
    if (offset.rest < 0 || !fits(static_cast<std::uint64_t>(offset.rest))) return Ok{};
    place.offsets = {static_cast<std::uint64_t>(offset.rest)};
  } else {
    bool single = apart(object);
    auto by = static_cast<std::int64_t>(single ? offset.step : stride);
    auto first = static_cast<std::uint64_t>(((offset.rest % by) + by) % by);
    if (!single && first + size > stride) {
      mix(object, access);
      return Ok{};
    }
    for (std::uint64_t at = first; fits(at); at += static_cast<std::uint64_t>(by)) {
      place.offsets.push_back(at);
      if (!single) break;
    }
    if (place.offsets.empty()) return Ok{};
  }
  for (std::uint64_t at : place.offsets) add_slot(access, object, at, type);
  out.places.push_back(std::move(place));
  return Ok{};
}

Status Cells::look_at(const llvm::Instruction& access, const llvm::Value* pointer,
                      llvm::Type* type) {
  if (type->isFloatingPointTy() && !float_format(*type))
    return unsupported(access, path_, "floating-point number of this type");
  if (!is_scalar(*type) && !type->isPointerTy())
    return unsupported(access, path_, "struct as a value");
  if (type->isPointerTy()) type = llvm::Type::getInt8PtrTy(type->getContext());
  Targets targets = points_to_(*pointer);
  if (targets.unknown != nullptr) return unsupported(access, path_, origin(*targets.unknown));
  Access out;
  out.null = targets.null || targets.wild || targets.objects.empty();
  for (const auto& [object, offset] : targets.objects) {
    auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[object].site);
    if (global != nullptr && global->isThreadLocal())
      return unsupported(access, path_, "thread-local variable");
    LEM_TRY(target(access, object, offset, type, out));
  }
  out.elsewhere = targets.wild || out.places.size() < targets.objects.size();
  std::stable_sort(out.places.begin(), out.places.end(), [&](const Place& a, const Place& b) {
    return points_to_[a.object].many < points_to_[b.object].many;
  });
  accesses_[&access] = std::move(out);
  return Ok{};
}

/// What is copied is at the same places in both; large copies only, small ones are taken apart.
void Cells::copy_slots(const std::vector<const llvm::BasicBlock*>& blocks) {
  std::vector<const llvm::MemTransferInst*> copies;
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block)
      if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) copies.push_back(copy);
  for (std::size_t round = 0; round < copies.size(); ++round)
    for (const llvm::MemTransferInst* copy : copies) {
      Targets to = points_to_(*copy->getRawDest()), from = points_to_(*copy->getRawSource());
      if (!to.single() || !from.single()) continue;  // refused
      ObjectId source = from.objects.begin()->first;
      std::size_t known = slots_.size();
      for (std::size_t i = 0; i < known; ++i) {
        Slot slot = slots_[i];
        if (slot.object != to.objects.begin()->first) continue;
        slot.object = source;
        bool there = std::any_of(slots_.begin(), slots_.end(), [&](const Slot& other) {
          return other.object == source && other.offset == slot.offset && other.type == slot.type;
        });
        if (!there) slots_.push_back(slot);
      }
    }
}

Status Cells::look_at(const llvm::Instruction& instruction) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (load == nullptr && store == nullptr) return Ok{};
  bool is_volatile = load ? load->isVolatile() : store->isVolatile();
  bool is_atomic = load ? load->isAtomic() : store->isAtomic();
  if (is_volatile) return unsupported(instruction, path_, "volatile");
  if (is_atomic) return unsupported(instruction, path_, "atomic access");
  return load ? look_at(*load, load->getPointerOperand(), load->getType())
              : look_at(*store, store->getPointerOperand(), store->getValueOperand()->getType());
}

/// Whether something else reads or writes what is stored here, as the same kind of value.
bool Cells::has_slot(const llvm::StoreInst& store) const {
  bool pointer = store.getValueOperand()->getType()->isPointerTy();
  for (const auto& [object, offset] : points_to_(*store.getPointerOperand()).objects)
    for (const Slot& slot : slots_)
      if (slot.object == object && slot.type->isPointerTy() == pointer) return true;
  return false;
}

/// The loads that a value is made of.
static void find_loads(const llvm::Value& value, std::vector<const llvm::Instruction*>& out) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr) return;
  if (llvm::isa<llvm::LoadInst>(instruction)) {
    if (instruction->hasMetadata(kAlso)) out.push_back(instruction);
    return;
  }
  for (const llvm::Value* operand : instruction->operands()) find_loads(*operand, out);
}

/// Copies of numbers where addresses are, and of addresses where numbers are, matter if there is
/// something that reads them.
Status Cells::revive(const std::vector<const llvm::BasicBlock*>& blocks) {
  std::vector<const llvm::StoreInst*> stores;
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block) {
      if (!instruction.hasMetadata(kAlso)) continue;
      dropped_.insert(&instruction);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) stores.push_back(store);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::StoreInst* store : stores) {
      if (dropped_.count(store) == 0 || !has_slot(*store)) continue;
      std::vector<const llvm::Instruction*> all = {store};
      find_loads(*store->getValueOperand(), all);
      for (const llvm::Instruction* one : all) {
        if (dropped_.erase(one) == 0) continue;
        LEM_TRY(look_at(*one));
      }
      changed = true;
    }
  }
  return Ok{};
}

Status Cells::collect(const std::vector<const llvm::BasicBlock*>& blocks) {
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block)
      if (!instruction.hasMetadata(kAlso)) LEM_TRY(look_at(instruction));
  LEM_TRY(revive(blocks));
  copy_slots(blocks);
  make_cells();
  if (mixing_ != nullptr) return unsupported(*mixing_, path_, how_mixed_);
  find_unlike(blocks);
  if (!unlike_.empty()) return unsupported(*unlike_[0], path_, "copy of memory of different shape");
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block) {
      auto found = accesses_.find(&instruction);
      if (found != accesses_.end()) find_cells(instruction, found->second);
      if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
        for (const auto& [object, offset] : points_to_(*copy->getRawSource()).objects)
          for (CellId id : in(object)) {
            Cell& cell = cells_[index(id)];
            cell.read = true;
            cell.index_read = cell.type->isPointerTy();
          }
    }
  return Ok{};
}

// Cells -----------------------------------------------------------------------------------------

/// The widest of what overlaps is the cell, and the others are bits of it.
void Cells::make_cells() {
  std::stable_sort(slots_.begin(), slots_.end(), [&](const Slot& a, const Slot& b) {
    if (a.object != b.object) return a.object < b.object;
    if (a.offset != b.offset) return a.offset < b.offset;
    return bytes(a.type) > bytes(b.type);
  });
  for (const Slot& slot : slots_) make_cell(slot);
}

void Cells::mix(ObjectId object, const llvm::Instruction& access) {
  mixed_.insert(object);
  if (mixing_ != nullptr) return;
  mixing_ = &access;
  std::string name = names_.describe(points_to_[object].site, 0, 8, 0).name;
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  bool pointer = (store ? store->getValueOperand()->getType() : access.getType())->isPointerTy();
  how_mixed_ = pointer ? "address in memory that is accessed byte by byte"
                       : "memory read or written with several types";
  if (!name.empty()) how_mixed_ += " ('" + name.substr(0, name.find_first_of(".[")) + "')";
}

void Cells::make_cell(const Slot& slot) {
  auto& cells = among(*slot.type)[slot.object];
  std::uint64_t size = bytes(slot.type);
  if (!cells.empty()) {
    const Cell& last = cells_[index(cells.rbegin()->second)];
    std::uint64_t end = last.offset + bytes(last.type);
    if (slot.offset == last.offset && slot.type == last.type) return;
    auto whole_bytes = [](llvm::Type* type) {
      return type->isIntegerTy() && type->getIntegerBitWidth() % 8 == 0;
    };
    bool part = slot.offset + size <= end && whole_bytes(slot.type) && whole_bytes(last.type) &&
                options_.arith == COptions::Arith::Bits && !layout_.isBigEndian();
    if (part) return;
    if (slot.offset < end) return mix(slot.object, *slot.access);
  }
  Cell cell{slot.object, slot.offset, slot.type, false, {}};
  std::uint64_t stride = points_to_.stride(slot.object);
  cell.indexed = !apart(slot.object);
  const Object& whole = points_to_[slot.object];
  if (is_scalar(*slot.type) && !whole.many)
    cell.variable = names_.describe(whole.site, slot.offset, scalar_bits(*slot.type),
                                    cell.indexed ? stride : 0);
  if (is_scalar(*slot.type)) cell.variable.bits = scalar_bits(*slot.type);
  cells.insert({slot.offset, CellId{static_cast<std::uint32_t>(cells_.size())}});
  cells_.push_back(std::move(cell));
}

/// Whether the translator can do it array by array.
bool Cells::alike(const llvm::MemIntrinsic& moves) const {
  Targets to = points_to_(*moves.getRawDest());
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(moves.getLength());
  auto whole = [&](const Targets& targets) {
    if (!targets.single() || length == nullptr || moves.isVolatile()) return false;
    const auto& [object, offset] = *targets.objects.begin();
    const Object& at = points_to_[object];
    return offset == Offset{} && !at.many && at.size && *at.size == length->getZExtValue();
  };
  if (!whole(to)) return false;
  ObjectId target = to.objects.begin()->first;
  auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&moves);
  if (copy == nullptr) {
    auto* byte = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::MemSetInst>(moves).getValue());
    std::vector<CellId> all = in(target);
    return byte && (byte->isZero() || std::all_of(all.begin(), all.end(), [&](CellId id) {
                      return (*this)[id].type->isIntegerTy();
                    }));
  }
  Targets from = points_to_(*copy->getRawSource());
  if (!whole(from)) return false;
  ObjectId origin = from.objects.begin()->first;
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[origin].site);
  if (global != nullptr && global->isConstant() && global->hasInitializer()) return true;
  for (CellId id : in(target)) {
    const Cell& cell = (*this)[id];
    std::optional<CellId> source = at(origin, cell.offset, cell.type);
    if (!source || (*this)[*source].indexed != cell.indexed ||
        (cell.indexed && points_to_.stride(origin) != points_to_.stride(target)))
      return false;
  }
  return true;
}

void Cells::find_unlike(const std::vector<const llvm::BasicBlock*>& blocks) {
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block)
      if (auto* moves = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        if (!alike(*moves)) unlike_.push_back(moves);
}

/// The cells of the other kind that overlap with a place that is written.
void Cells::spoil(Place& place, std::uint64_t size, bool pointer) const {
  const std::map<ObjectId, ByOffset>& others = pointer ? numbers_ : pointers_;
  auto found = others.find(place.object);
  if (found == others.end()) return;
  for (std::size_t i = 0; i < place.offsets.size(); ++i)
    for (const auto& [offset, id] : found->second)
      if (offset < place.offsets[i] + size &&
          place.offsets[i] < offset + bytes(cells_[index(id)].type))
        place.spoiled.push_back({i, id});
}

void Cells::find_cells(const llvm::Instruction& access, Access& out) {
  llvm::Type* type = access.getType();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access))
    type = store->getValueOperand()->getType();
  bool whole = true, wants_index = false;
  if (llvm::isa<llvm::LoadInst>(access) && type->isPointerTy())
    for (const auto& [object, offset] : points_to_(access).objects)
      wants_index = wants_index || points_to_.step(object) != 0;
  for (Place& place : out.places) {
    const auto& cells = among(*type).find(place.object)->second;
    for (std::uint64_t at : place.offsets) {
      CellId id = std::prev(cells.upper_bound(at))->second;
      Cell& cell = cells_[index(id)];
      place.cells.push_back(id);
      place.shifts.push_back(static_cast<std::uint32_t>(at - cell.offset) * 8);
      cell.read = cell.read || llvm::isa<llvm::LoadInst>(access);
      cell.index_read = cell.index_read || wants_index;
      whole = whole && (type->isPointerTy() || cell.type == type);
      cell.in_parts = cell.in_parts || bytes(type) < bytes(cell.type);
    }
    if (llvm::isa<llvm::StoreInst>(access) && !access.hasMetadata(kAlso))
      spoil(place, bytes(type), type->isPointerTy());
    whole = whole && place.spoiled.empty();
  }
  out.plain = whole && is_scalar(*type) && out.places.size() == 1 && !out.null && !out.elsewhere &&
              out.places[0].cells.size() == 1 && points_to_.stride(out.places[0].object) == 0 &&
              !points_to_[out.places[0].object].many;
}

const Access& Cells::of(const llvm::Instruction& access) const {
  auto found = accesses_.find(&access);
  LEM_CHECKED(found != accesses_.end(), "all accesses were collected");
  return found->second;
}

std::vector<CellId> Cells::in(ObjectId object) const {
  std::vector<CellId> out;
  for (const auto* all : {&numbers_, &pointers_}) {
    auto found = all->find(object);
    if (found == all->end()) continue;
    for (const auto& [offset, cell] : found->second) out.push_back(cell);
  }
  return out;
}

std::optional<CellId> Cells::at(ObjectId object, std::uint64_t offset,
                                const llvm::Type* type) const {
  auto found = among(*type).find(object);
  if (found == among(*type).end()) return std::nullopt;
  auto cell = found->second.find(offset);
  if (cell == found->second.end() || (*this)[cell->second].type != type) return std::nullopt;
  return cell->second;
}

}  // namespace lem::c
