#include "frontend/c/cells.h"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "base/assert.h"
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

/// Describes a pointer of unknown origin for an error message.
std::string Cells::why_not(const llvm::Value* base) const {
  if (llvm::isa<llvm::Argument>(base)) return "arguments of main";
  if (llvm::isa<llvm::GlobalVariable>(base)) return "pointer that is defined elsewhere";
  if (llvm::isa<llvm::MemIntrinsic>(base)) return "pointer made from bytes";
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(base)) {
    const llvm::Function* callee = called(*call);
    if (callee == nullptr) return "indirect call";
    return "call of '" + callee->getName().str() + "'";
  }
  return "pointer made from a number";
}

std::uint64_t Cells::bytes(llvm::Type* type) const {
  return layout_.getTypeStoreSize(type).getFixedSize();
}

std::uint64_t Cells::elements_apart(ObjectId object) const {
  std::uint64_t step = points_to_.step(object);
  const Object& whole = points_to_[object];
  if (step == 0 || whole.many || !whole.size || *whole.size == 0) return 0;
  std::uint64_t count = (*whole.size + step - 1) / step;
  return count <= options_.expanded_elements ? count : 0;
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
  std::uint64_t step = points_to_.step(object), size = bytes(type);
  auto fits = [&](std::uint64_t at) {
    return at + size >= at && (!whole.size || at + size <= *whole.size);
  };
  Place place{object, {}, {}};
  if (step == 0) {
    if (offset.rest < 0 || !fits(static_cast<std::uint64_t>(offset.rest))) return Ok{};
    place.offsets = {static_cast<std::uint64_t>(offset.rest)};
  } else {
    auto signed_step = static_cast<std::int64_t>(step);
    std::int64_t rest = ((offset.rest % signed_step) + signed_step) % signed_step;
    auto first = static_cast<std::uint64_t>(rest);
    if (first + size > step)
      return unsupported(access, path_, "memory read or written with several types");
    std::uint64_t apart = elements_apart(object);
    for (std::uint64_t i = 0; i < std::max<std::uint64_t>(apart, 1); ++i)
      if (fits(first + i * step)) place.offsets.push_back(first + i * step);
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
  if (targets.unknown != nullptr) return unsupported(access, path_, why_not(targets.unknown));
  Access out;
  out.null = targets.null || targets.wild || targets.objects.empty();
  for (const auto& [object, offset] : targets.objects) {
    auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[object].site);
    if (global != nullptr && global->isThreadLocal())
      return unsupported(access, path_, "thread-local variable");
    if (Status done = target(access, object, offset, type, out); !done) return done;
  }
  if (out.places.empty() && !targets.objects.empty())
    return unsupported(access, path_, "access outside of its object");
  if (out.places.empty() && targets.wild)
    return unsupported(access, path_, "uninitialised pointer");
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

Status Cells::collect(const std::vector<const llvm::BasicBlock*>& blocks) {
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (load == nullptr && store == nullptr) continue;
      bool is_volatile = load ? load->isVolatile() : store->isVolatile();
      bool is_atomic = load ? load->isAtomic() : store->isAtomic();
      if (is_volatile) return unsupported(instruction, path_, "volatile");
      if (is_atomic) return unsupported(instruction, path_, "atomic access");
      Status added =
          load ? look_at(*load, load->getPointerOperand(), load->getType())
               : look_at(*store, store->getPointerOperand(), store->getValueOperand()->getType());
      if (!added) return added;
    }
  copy_slots(blocks);
  if (Status made = make_cells(); !made) return made;
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
Status Cells::make_cells() {
  std::stable_sort(slots_.begin(), slots_.end(), [&](const Slot& a, const Slot& b) {
    if (a.object != b.object) return a.object < b.object;
    if (a.offset != b.offset) return a.offset < b.offset;
    return bytes(a.type) > bytes(b.type);
  });
  for (const Slot& slot : slots_)
    if (Status made = make_cell(slot); !made) return made;
  return Ok{};
}

Status Cells::make_cell(const Slot& slot) {
  auto& cells = by_object_[slot.object];
  std::uint64_t size = bytes(slot.type);
  if (!cells.empty()) {
    const Cell& last = cells_[index(cells.rbegin()->second)];
    std::uint64_t end = last.offset + bytes(last.type);
    if (slot.offset == last.offset && slot.type == last.type) return Ok{};
    auto whole_bytes = [](llvm::Type* type) {
      return type->isIntegerTy() && type->getIntegerBitWidth() % 8 == 0;
    };
    bool part = slot.offset + size <= end && whole_bytes(slot.type) && whole_bytes(last.type) &&
                options_.arith == COptions::Arith::Bits && !layout_.isBigEndian();
    if (part) return Ok{};
    if (slot.offset < end)
      return unsupported(*slot.access, path_, "memory read or written with several types");
  }
  Cell cell{slot.object, slot.offset, slot.type, false, {}};
  std::uint64_t step = points_to_.step(slot.object);
  cell.indexed = step != 0 && elements_apart(slot.object) == 0;
  const Object& whole = points_to_[slot.object];
  if (is_scalar(*slot.type) && !whole.many)
    cell.variable =
        names_.describe(whole.site, slot.offset, scalar_bits(*slot.type), cell.indexed ? step : 0);
  if (is_scalar(*slot.type)) cell.variable.bits = scalar_bits(*slot.type);
  cells.insert({slot.offset, CellId{static_cast<std::uint32_t>(cells_.size())}});
  cells_.push_back(std::move(cell));
  return Ok{};
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
    const auto& cells = by_object_.find(place.object)->second;
    for (std::uint64_t at : place.offsets) {
      CellId id = std::prev(cells.upper_bound(at))->second;
      Cell& cell = cells_[index(id)];
      place.cells.push_back(id);
      place.shift = static_cast<std::uint32_t>(at - cell.offset) * 8;
      cell.read = cell.read || llvm::isa<llvm::LoadInst>(access);
      cell.index_read = cell.index_read || wants_index;
      whole = whole && (type->isPointerTy() || cell.type == type);
    }
  }
  out.plain = whole && is_scalar(*type) && out.places.size() == 1 && !out.null && !out.elsewhere &&
              out.places[0].cells.size() == 1 && points_to_.step(out.places[0].object) == 0 &&
              !points_to_[out.places[0].object].many;
}

const Access& Cells::of(const llvm::Instruction& access) const {
  auto found = accesses_.find(&access);
  LEM_CHECKED(found != accesses_.end(), "all accesses were collected");
  return found->second;
}

std::vector<CellId> Cells::in(ObjectId object) const {
  std::vector<CellId> out;
  auto found = by_object_.find(object);
  if (found == by_object_.end()) return out;
  for (const auto& [offset, cell] : found->second) out.push_back(cell);
  return out;
}

std::optional<CellId> Cells::at(ObjectId object, std::uint64_t offset,
                                const llvm::Type* type) const {
  auto found = by_object_.find(object);
  if (found == by_object_.end()) return std::nullopt;
  auto cell = found->second.find(offset);
  if (cell == found->second.end() || (*this)[cell->second].type != type) return std::nullopt;
  return cell->second;
}

}  // namespace lem::c
