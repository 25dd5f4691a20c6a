#include "frontend/c/initialised.h"

#include "frontend/c/copy_lowering.h"
#include "frontend/c/dead_cells.h"

namespace lem::c {

// Variables -------------------------------------------------------------------------------------

void Initialised::find() {
  if (!w_.checks(CRule::Uninitialised)) return;
  for (const llvm::Instruction* instruction : w_.chains.instructions()) {
    std::optional<ObjectId> object = started(w_.points_to, *instruction);
    auto* call = llvm::dyn_cast<llvm::CallBase>(instruction);
    const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
    if (callee != nullptr && callee_of(*callee) == Callee::Allocate)
      object = w_.points_to.object_of(call);
    if (!object) continue;
    for (CellId cell : cells_.in(*object))
      if (cells_[cell].read && !overwritten_unread(w_, cell, *instruction, Copies::Keep))
        given_.insert({cell, Term()});
  }
}

/// One truth value, or one for each byte.
Sort Initialised::sort(const Cell& cell) {
  if (!cell.in_parts) return t_.bool_sort();
  return t_.bv_sort(static_cast<std::uint32_t>(w_.bytes(cell.type)));
}

Term Initialised::ones(std::uint32_t width) {
  return t_.number(mpq_class((mpz_class(1) << width) - 1), t_.bv_sort(width));
}

Term Initialised::all(const Cell& cell, bool has_value) {
  if (!cell.in_parts) return t_.boolean(has_value);
  return has_value ? ones(t_.width(sort(cell))) : t_.default_value(sort(cell));
}

/// No term for cells that always have a value.
Term Initialised::variable(CellId cell) {
  auto found = given_.find(cell);
  if (found == given_.end()) return {};
  if (!found->second)
    found->second = w_.automaton.internal(encoding_.in_cell(cells_[cell], sort(cells_[cell])));
  return found->second;
}

/// What is known of the bytes of one place: a truth value, or one for each byte.
Term Initialised::part(const Place& place, std::size_t i, const Pointer& from,
                       std::uint64_t bytes) {
  const Cell& cell = cells_[place.cells[i]];
  Term row = places_.get(variable(place.cells[i]), places_.spot(cell, place, from));
  if (!cell.in_parts) return row;
  std::uint32_t first = place.shifts[i] / 8;
  return t_.make_extract(row, first + static_cast<std::uint32_t>(bytes) - 1, first);
}

Term Initialised::is_given(Term part) {
  if (t_.kind(part) == SortKind::Bool) return part;
  return t_.make_eq(part, ones(t_.width(part)));
}

// Writing ---------------------------------------------------------------------------------------

void Initialised::start(CellId id, const llvm::Instruction& at, const Pointer& made,
                        bool has_value) {
  Term before = variable(id);
  if (!before) return;
  const Cell& cell = cells_[id];
  bool many = w_.points_to[cell.object].many;
  Term value = all(cell, has_value);
  if (cell.indexed)
    value = t_.make_const_array(many ? t_.element_sort(t_.sort(before)) : t_.sort(before), value);
  w_.values.write({{before, encoding_.with_instance(cell.object, before, made, value)}}, at);
}

void Initialised::copy(const llvm::Instruction& at, ObjectId target,
                       std::optional<ObjectId> origin) {
  std::vector<Write> writes;
  for (CellId id : cells_.in(target)) {
    Term before = variable(id);
    if (!before) continue;
    std::optional<CellId> source;
    if (origin) source = cells_.at(*origin, cells_[id].offset, cells_[id].type);
    Term copied = source ? variable(*source) : Term{};
    if (copied && t_.sort(copied) == t_.sort(before))
      writes.push_back({before, copied});
    else
      start(id, at, {}, true);
  }
  w_.values.write(writes, at);
}

void Initialised::store(const llvm::StoreInst& store, const Place& place, const Pointer& to,
                        Term condition, Updates& out) {
  auto copied = copied_.find(store.getValueOperand());
  Term value = copied == copied_.end() ? t_.boolean(true) : copied->second;
  auto bytes = static_cast<std::uint32_t>(w_.bytes(store.getValueOperand()->getType()));
  for (std::size_t i = 0; i < place.cells.size(); ++i) {
    Term before = variable(place.cells[i]);
    if (!before) continue;
    const Cell& cell = cells_[place.cells[i]];
    Term here = t_.make_and(condition, places_.is_at(cell, place, i, to));
    out.update(before, places_.spot(cell, place, to), here, [&](Term old) {
      if (!cell.in_parts) return is_given(value);
      Term each = value;
      if (t_.kind(value) == SortKind::Bool)
        each = t_.make_ite(value, ones(bytes), t_.default_value(t_.bv_sort(bytes)));
      return with_bits(t_, old, each, place.shifts[i] / 8);
    });
  }
}

// Reading ---------------------------------------------------------------------------------------

/// A copy may be of what has no value: then the target has none either.
void Initialised::keep(const llvm::LoadInst& copied, const Access& access, const Pointer& from) {
  if (empty() || access.places.size() != 1 || access.places[0].cells.size() != 1) return;
  const Place& place = access.places[0];
  if (!variable(place.cells[0])) return;
  Term given = part(place, 0, from, w_.bytes(copied.getType()));
  Term& saved = copied_[&copied];
  if (!saved) saved = w_.automaton.internal(t_.sort(given));
  w_.automaton.emit(Command::assign(saved, given), copied);
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

void Initialised::load(const llvm::LoadInst& load, const Access& access, const Pointer& from) {
  if (load.getMetadata(kCopyMark) != nullptr) return keep(load, access, from);
  if (empty() || is_update(load)) return;
  Targets targets = w_.points_to(*load.getPointerOperand());
  std::vector<Term> open;
  for (const Place& place : access.places) {
    Term here = encoding_.is_into(targets, place.object, from);
    for (std::size_t i = 0; i < place.cells.size(); ++i) {
      if (!variable(place.cells[i])) continue;
      Term at = t_.make_and(here, places_.is_at(cells_[place.cells[i]], place, i, from));
      Term given = is_given(part(place, i, from, w_.bytes(load.getType())));
      open.push_back(t_.make_and(at, t_.make_not(given)));
    }
  }
  failures_.check(CRule::Uninitialised, load, t_.make_or(open));
}

}  // namespace lem::c
