#include "frontend/c/memory.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "base/try.h"

namespace lem::c {

Memory::Memory(Workspace& w, Operands& operands, Objects& objects, Failures& failures)
    : w_(w),
      operands_(operands),
      objects_(objects),
      places_(w),
      initialised_(w, places_, failures),
      initial_values_(w, operands) {}

// Variables -------------------------------------------------------------------------------------

Status Memory::start() {
  variables_.resize(cells_.size());
  find_filled();
  initialised_.find();
  for (std::uint32_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[CellId{i}];
    auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[cell.object].site);
    for (unsigned part = 0; global != nullptr && part < cell.parts(); ++part) {
      Term made = variable(CellId{i}, part);
      if (global->hasInitializer()) {
        LEM_LET(Term value, initial_values_.of(cell, part, *global));
        w_.automaton.emit_first(Command::assign(made, value));
        continue;
      }
      w_.automaton.emit_first(Command::havoc(made));  // defined elsewhere
      if (!cell.type->isPointerTy() && !cell.indexed)
        w_.automaton.emit_first(Command::assume(in_range(cell, made)));
    }
  }
  return Ok{};
}

void Memory::find_filled() {
  for (std::uint32_t i = 0; i < points_to_.objects().size(); ++i) {
    auto* global = llvm::dyn_cast<llvm::GlobalVariable>(points_to_[ObjectId{i}].site);
    if (global != nullptr && global->hasInitializer()) filled_.insert(ObjectId{i});
  }
  for (const llvm::Instruction* instruction : w_.chains.instructions()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(instruction);
    const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
    if (callee == nullptr) continue;
    if (callee_of(*callee) == Callee::AllocateZero)
      if (auto made = points_to_.object_of(call)) filled_.insert(*made);
    if (llvm::isa<llvm::MemIntrinsic>(call))
      for (const auto& [object, offset] : points_to_(*call->getArgOperand(0)).objects)
        filled_.insert(object);
  }
}

Term Memory::variable(CellId id, unsigned part) {
  Term& variable = variables_[index(id)][part];
  const Cell& cell = cells_[id];
  if (!variable)
    variable = w_.automaton.declare(cell.variable, encoding_.sort(cell, part),
                                    cells_.names().declaration(points_to_[cell.object].site));
  return variable;
}

/// Neither the program nor the user reads it.
bool Memory::is_unseen(const Cell& cell) const {
  return !cell.read && cell.variable.origin == COrigin::Internal;
}

Term Memory::in_range(const Cell& cell, Term variable) const {
  return encoding_.arithmetic.in_range(variable, cell.variable.bits, cell.variable.sign);
}

// Reading ---------------------------------------------------------------------------------------

/// An access through null ends the run, as the processor does.
void Memory::only_real(const llvm::Instruction& at, const Access& access, const Pointer& pointer) {
  if (!access.null) return;
  Term real = t_.make_not(encoding_.is_null(pointer));
  if (access.places.empty() && !access.elsewhere) real = t_.boolean(false);
  if (!t_.is_true(real)) w_.automaton.emit(Command::assume(real), at);
}

Term Memory::scalar(const llvm::LoadInst& load, const Place& place, std::size_t i, unsigned part,
                    const Pointer& from, Sort sort) {
  const Cell& cell = cells_[place.cells[i]];
  Term all = variable(place.cells[i], part);
  Term out = places_.get(all, places_.spot(cell, place, from));
  if (encoding_.ideal() && t_.kind(out) == SortKind::Int && cell.type->isIntegerTy()) {
    // What was never written to an array may be out of the range of unsigned numbers.
    bool open = cell.indexed || points_to_[place.object].many;
    CSign sign = operands_.sign_of(load);
    if (open && cell.variable.sign == CSign::Unsigned)
      out = encoding_.arithmetic.read_as(out, cell.variable.bits, CSign::Unsigned);
    if (cell.variable.sign != sign)
      out = encoding_.arithmetic.read_as(out, cell.variable.bits, sign);
  }
  if (t_.sort(out) == sort) return out;  // else a part of a wider cell
  return t_.make_extract(out, place.shifts[i] + t_.width(sort) - 1, place.shifts[i]);
}

/// The value in one object. Small arrays have a variable for each element; beyond is anything.
Term Memory::read(const llvm::LoadInst& load, const Place& place, unsigned part,
                  const Pointer& from, Sort sort) {
  if (cells_[place.cells[0]].indexed) return scalar(load, place, 0, part, from, sort);
  Term found;
  for (std::size_t i = place.cells.size(); i-- > 0;) {
    Term here = places_.is_at(place, i, from);
    if (t_.is_false(here)) continue;
    Term one = scalar(load, place, i, part, from, sort);
    if (t_.is_true(here)) return one;
    if (!found) found = w_.automaton.any(sort, load);
    found = t_.make_ite(here, one, found);
  }
  return found ? found : w_.automaton.any(sort, load);
}

/// The element, if it is within the object.
Term Memory::within(const Place& place, unsigned part, const Offset& offset, const Pointer& from,
                    Term element) {
  CellId cell = place.cells[0];
  const Object& object = points_to_[place.object];
  // What is made with a size that varies keeps it.
  bool known = object.size || (object.kind == Object::Kind::Heap && !object.resized);
  if (!cells_[cell].indexed || !filled_.contains(place.object) || !known) return element;
  Term inside = objects_.is_inside(place.object, offset, w_.bytes(cells_[cell].type), from);
  if (t_.is_true(inside)) return element;
  Term& beyond = beyond_[{cell, part}];
  if (!beyond)
    beyond = w_.automaton.internal(t_.array_sort(encoding_.index_sort(), t_.sort(element)));
  return t_.make_ite(inside, element, t_.make_select(beyond, from.index));
}

Result<Pointer> Memory::load_pointer(const llvm::LoadInst& load) {
  LEM_LET(Term object, this->load(load, 0));
  LEM_LET(Term index, this->load(load, 1));
  return Pointer{object, index};
}

Result<Term> Memory::load(const llvm::LoadInst& load, unsigned part) {
  const llvm::Value& through = *load.getPointerOperand();
  const Access& access = cells_.of(load);
  if (part == 0) LEM_TRY(objects_.check_access(load, through, *load.getType()));
  if (access.plain && part == 0 && initialised_.empty()) return variable(access.places[0].cells[0]);
  LEM_LET(Pointer from, operands_.pointer(through, load));
  if (part == 0) {
    initialised_.load(load, access, from);
    only_real(load, access, from);
  } else if (!encoding_.indexed(points_to_(load))) {
    return encoding_.index_of(0);
  }
  Sort sort = encoding_.sort(*load.getType(), part);
  Term out;
  Targets targets = points_to_(through);
  for (std::size_t i = access.places.size(); i-- > 0;) {
    const Place& place = access.places[i];
    bool last = i + 1 == access.places.size() && !access.elsewhere;  // it must be of one of them
    Term here = last ? t_.boolean(true) : places_.is_of(access, place, from);
    if (t_.is_false(here)) continue;
    Term element = read(load, place, part, from, sort);
    if (auto of = targets.objects.find(place.object); of != targets.objects.end())
      element = within(place, part, of->second, from, element);
    if (t_.is_true(here)) {
      out = element;
      continue;
    }
    if (!out) out = w_.automaton.any(sort, load);
    out = t_.make_ite(here, element, out);
  }
  return out ? out : w_.automaton.any(sort, load);
}

// Writing ---------------------------------------------------------------------------------------

void Memory::write(const Place& place, unsigned part, const Pointer& to, Term condition, Term value,
                   CSign sign, Updates& out) {
  for (std::size_t i = 0; i < place.cells.size(); ++i) {
    const Cell& cell = cells_[place.cells[i]];
    if (is_unseen(cell) || part >= cell.parts()) continue;
    Term here = t_.make_and(condition, places_.is_at(cell, place, i, to));
    if (t_.is_false(here)) continue;
    Spot spot = places_.spot(cell, place, to);
    out.update(variable(place.cells[i], part), spot, here, [&](Term old) {
      Term fresh = value;
      if (encoding_.ideal() && t_.kind(fresh) == SortKind::Int && cell.type->isIntegerTy() &&
          cell.variable.sign != sign)
        fresh = encoding_.arithmetic.read_as(fresh, cell.variable.bits, cell.variable.sign);
      return t_.sort(fresh) == t_.sort(old) ? fresh : with_bits(t_, old, fresh, place.shifts[i]);
    });
  }
}

/// Numbers that are written where addresses are, and the other way round, leave any value there;
/// a 0 of all bytes is null.
void Memory::spoil(const llvm::StoreInst& store, const Place& place, const Pointer& to,
                   Term condition, Updates& out) {
  bool zero = stores_null(store, points_to_.layout());
  for (const auto& [position, id] : place.spoiled) {
    const Cell& cell = cells_[id];
    if (!cell.read) continue;
    Term here = t_.make_and(condition, places_.is_at(cell, place, position, to));
    if (t_.is_false(here)) continue;
    Spot spot = places_.spot(cell, place, to);
    for (unsigned part = 0; part < cell.parts(); ++part) {
      Sort sort = encoding_.sort(*cell.type, part);
      out.update(variable(id, part), spot, here, [&](Term) {
        return zero && cell.type->isPointerTy() ? t_.default_value(sort)
                                                : w_.automaton.any(sort, store);
      });
    }
  }
}

Status Memory::store(const llvm::StoreInst& store) {
  const Access& access = cells_.of(store);
  const llvm::Value& source = *store.getValueOperand();
  bool is_pointer = source.getType()->isPointerTy();
  LEM_LET(Pointer to, operands_.pointer(*store.getPointerOperand(), store));
  LEM_TRY(objects_.check_access(store, *store.getPointerOperand(), *source.getType()));
  std::array<Term, 2> values;
  CSign sign = cells_.sign_of(access);
  if (is_pointer) {
    LEM_LET(Pointer moved, operands_.pointer(source, store));
    values = {moved.object, moved.index};
  } else {
    if (access.plain && is_unseen(cells_[access.places[0].cells[0]])) return Ok{};
    LEM_LET(Term term, operands_.value(source, store, sign));
    values = {term, Term{}};
  }
  only_real(store, access, to);
  Updates updates(places_, t_);
  for (const Place& place : access.places) {
    Term here = places_.is_of(access, place, to);
    for (unsigned part = 0; part < (is_pointer ? 2U : 1U); ++part)
      write(place, part, to, here, values[part], sign, updates);
    spoil(store, place, to, here, updates);
    initialised_.store(store, place, to, here, updates);
  }
  w_.values.write(updates.all(), store);
  return Ok{};
}

std::optional<Term> Memory::sole_target(const llvm::StoreInst& store, CSign sign) {
  const Access& access = cells_.of(store);
  if (access.places.size() != 1 || access.places[0].cells.size() != 1) return std::nullopt;
  const Place& place = access.places[0];
  const Cell& cell = cells_[place.cells[0]];
  if (!access.plain) {  // one element of a small array, which is known here
    bool part = place.shifts[0] != 0 || cell.type != store.getValueOperand()->getType();
    if (access.null || access.elsewhere || part || !place.spoiled.empty() || cell.indexed ||
        points_to_[place.object].many)
      return std::nullopt;
    Result<Pointer> to = operands_.pointer(*store.getPointerOperand(), store);
    if (!to || !t_.is_true(places_.is_at(place, 0, *to))) return std::nullopt;
  }
  bool fits = !is_unseen(cell) && (!encoding_.ideal() || cell.variable.sign == sign);
  return fits ? std::optional(variable(place.cells[0])) : std::nullopt;
}

}  // namespace lem::c
