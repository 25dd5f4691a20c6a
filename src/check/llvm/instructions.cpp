// Instructions other than calls and jumps.
#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "check/llvm/machine.h"
#include "check/llvm/operations.h"
#include "check/llvm/variable_place.h"

namespace lem::check {

using llvm::Instruction;

Value Machine::compute(const llvm::Instruction& instruction) {
  llvm::Type& type = *instruction.getType();
  if (!type.isSized() || !is_movable(type)) {
    undecided("a value of a type that is not supported");
    return {};
  }
  if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return allocate(*local);
  if (auto* loads = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load(*loads);
  switch (instruction.getOpcode()) {
    case Instruction::ExtractValue:
    case Instruction::InsertValue:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
      return element(instruction);
    case Instruction::Freeze:
      return operand(*instruction.getOperand(0));
    default:
      break;
  }
  std::vector<Value> args;
  for (const llvm::Use& use : instruction.operands()) args.push_back(operand(*use));
  if (end_) return {};
  auto* test = llvm::dyn_cast<llvm::CmpInst>(&instruction);
  return operate(instruction, instruction.getOpcode(), std::move(args),
                 test != nullptr ? test->getPredicate() : llvm::CmpInst::BAD_ICMP_PREDICATE);
}

static bool is_vector(const llvm::User& user) {
  if (user.getType()->isVectorTy()) return true;
  for (const llvm::Use& use : user.operands())
    if (use->getType()->isVectorTy()) return true;
  return false;
}

Value Machine::operate(const llvm::User& user, unsigned opcode, std::vector<Value> args,
                       llvm::CmpInst::Predicate predicate) {
  llvm::Type& type = *user.getType();
  llvm::Type& first = *user.getOperand(0)->getType();
  bool scalar = !is_vector(user);
  if (scalar && Instruction::isBinaryOp(opcode)) return binary(opcode, args[0], args[1], type);
  if (scalar && Instruction::isCast(opcode)) {
    if (std::optional<Value> value = convert(opcode, args[0], first, type, layout_, rounding_))
      return *std::move(value);
  } else if (scalar && opcode == Instruction::ICmp) {
    return integer_compare(predicate, args[0], args[1]);
  } else if (scalar && opcode == Instruction::FCmp) {
    if (!args[0].is_known() || !args[1].is_known()) return Value::undefined(1);
    return float_compare(predicate, args[0], args[1], first);
  } else if (scalar && opcode == Instruction::FNeg) {
    if (!args[0].is_known()) return undefined(type);
    llvm::APFloat number = float_of(args[0], type);
    number.changeSign();
    return float_value(number);
  } else if (scalar && opcode == Instruction::GetElementPtr) {
    return address(llvm::cast<llvm::GEPOperator>(user), args);
  } else if (opcode == Instruction::Select && !first.isVectorTy()) {
    return chosen(args[0], std::move(args[1]), std::move(args[2]), type);
  }
  undecided(fmt::format("the instruction '{}'{}", Instruction::getOpcodeName(opcode),
                        scalar ? "" : " on vectors"));
  return undefined(type);
}

Value Machine::binary(unsigned opcode, const Value& a, const Value& b, llvm::Type& type) {
  if (type.isIntegerTy()) {
    std::optional<Value> value = integer_binary(opcode, a, b, type.getIntegerBitWidth());
    if (value) return *std::move(value);
    end(How::Ended, "a division by zero");
    return undefined(type);
  }
  if (!a.is_known() || !b.is_known()) return undefined(type);
  return float_binary(opcode, a, b, type, rounding_);
}

Value Machine::chosen(const Value& condition, Value yes, Value no, llvm::Type& type) {
  if (condition.is_known()) return condition.bits.isZero() ? no : yes;
  bool same = (yes.is_known() && no.is_known() && yes.bits == no.bits) ||
              (yes.is_address() && no.is_address() && yes.pointer == no.pointer);
  return same ? yes : undefined(type);
}

Value Machine::address(const llvm::GEPOperator& way, const std::vector<Value>& args) {
  llvm::Type& type = *way.getType();
  if (!args[0].is_address()) return undefined(type);
  Pointer pointer = args[0].pointer;
  auto offset = static_cast<std::uint64_t>(pointer.offset);
  std::size_t i = 1;
  for (auto at = llvm::gep_type_begin(way); at != llvm::gep_type_end(way); ++at, ++i) {
    if (!args[i].is_known()) return undefined(type);
    if (llvm::StructType* fields = at.getStructTypeOrNull()) {
      auto field = static_cast<unsigned>(args[i].bits.getZExtValue());
      offset += layout_.getStructLayout(fields)->getElementOffset(field);
      continue;
    }
    if (llvm::isa<llvm::ScalableVectorType>(at.getIndexedType())) {
      undecided("a vector of unknown length");
      return undefined(type);
    }
    std::uint64_t step = layout_.getTypeAllocSize(at.getIndexedType()).getFixedSize();
    offset += step * static_cast<std::uint64_t>(args[i].bits.sextOrTrunc(64).getSExtValue());
  }
  if (pointer_bits() == 32) offset = static_cast<std::uint64_t>(static_cast<std::int32_t>(offset));
  pointer.offset = static_cast<std::int64_t>(offset);
  return Value::address(pointer);
}

/// Parts of structs and of vectors.
Value Machine::element(const llvm::Instruction& instruction) {
  Value whole = operand(*instruction.getOperand(0));
  if (end_) return {};
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    for (unsigned index : extract->indices()) {
      Value part = whole.parts[index];
      whole = std::move(part);
    }
    return whole;
  }
  if (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    Value* place = &whole;
    for (unsigned index : insert->indices()) place = &place->parts[index];
    *place = operand(*insert->getInsertedValueOperand());
    return whole;
  }
  bool reads = instruction.getOpcode() == Instruction::ExtractElement;
  Value index = operand(*instruction.getOperand(reads ? 1 : 2));
  if (!index.is_known() || index.bits.uge(whole.parts.size()))
    return undefined(*instruction.getType());
  auto i = static_cast<std::size_t>(index.bits.getZExtValue());
  if (reads) return whole.parts[i];
  whole.parts[i] = operand(*instruction.getOperand(1));
  return whole;
}

// Memory ------------------------------------------------------------------------------------------

bool Machine::accessible(const Value& pointer, std::uint64_t size, Memory::Access access) {
  if (!pointer.is_address()) {
    if (is_wanted(CRule::Uninitialised)) end(How::Reached, "");
    undecided("an access through a pointer that was never set");
    return false;
  }
  std::optional<std::string> fault = memory_.fault(pointer.pointer, size, access);
  if (fault) this->fault(pointer.pointer, *std::move(fault));
  return !fault;
}

Value Machine::load(const llvm::LoadInst& load) {
  llvm::Type& type = *load.getType();
  Value pointer = operand(*load.getPointerOperand());
  std::uint64_t size = layout_.getTypeStoreSize(&type).getFixedSize();
  if (end_ || !accessible(pointer, size, Memory::Access::Read)) return undefined(type);
  std::optional<Value> value = memory_.load(pointer.pointer, type);
  if (value && value->is_number() && !value->open.isZero() && is_wanted(CRule::Uninitialised))
    end(How::Reached, "");
  if (value) return *std::move(value);
  undecided("a part of an address is read as a number");
  return {};
}

void Machine::store(const llvm::StoreInst& store) {
  llvm::Type& type = *store.getValueOperand()->getType();
  if (!is_movable(type)) return undecided("a value of a type that is not supported");
  Value value = operand(*store.getValueOperand());
  Value pointer = operand(*store.getPointerOperand());
  std::uint64_t size = layout_.getTypeStoreSize(&type).getFixedSize();
  if (end_ || !accessible(pointer, size, Memory::Access::Write)) return;
  memory_.store(pointer.pointer, value, type);
}

Value Machine::allocate(const llvm::AllocaInst& local) {
  if (!local.getAllocatedType()->isSized() ||
      llvm::isa<llvm::ScalableVectorType>(local.getAllocatedType())) {
    undecided("a local of a type that is not supported");
    return {};
  }
  std::optional<llvm::APInt> count = decided(operand(*local.getArraySize()), "the size of a local");
  if (!count) return {};
  std::uint64_t size = layout_.getTypeAllocSize(local.getAllocatedType()).getFixedSize();
  bool large = size != 0 && count->ugt(limits_.memory / size);
  std::optional<Pointer> object =
      large ? std::nullopt
            : memory_.allocate(size * count->getZExtValue(), Memory::Fill::Undefined);
  if (!object) {
    undecided("the program needs too much memory");
    return {};
  }
  frames_.back().locals.push_back(*object);
  if (!layout_of(*frames_.back().function).starts_later.count(&local)) start_local(local, *object);
  return Value::address(*object);
}

// Values that the run has chosen ------------------------------------------------------------------

void Machine::start_local(const llvm::AllocaInst& local, const Pointer& object) {
  memory_.forget(object, memory_.size_of(object));
  const Layout& layout = layout_of(*frames_.back().function);
  auto found = layout.declared.find(&local);
  if (found == layout.declared.end()) return;
  const llvm::DISubprogram* function = found->second->getScope()->getSubprogram();
  if (function != nullptr) supply(function->getName().str(), *found->second, object);
}

/// The next value of each part of the variable; parts without one stay open.
void Machine::supply(const std::string& function, const llvm::DIVariable& variable,
                     const Pointer& object) {
  std::vector<std::string> done;
  for (std::size_t i = 0; i < values_.starts.size(); ++i) {
    const StartBits& start = values_.starts[i];
    if (start_taken_[i] || start.function != function || start.line != variable.getLine()) continue;
    if (std::find(done.begin(), done.end(), start.name) != done.end()) continue;
    std::optional<VariablePlace> place = find_place(variable, start.name);
    if (!place) continue;
    done.push_back(start.name);
    start_taken_[i] = true;
    auto width = start.bits == 0 ? 8U : (start.bits + 7) / 8 * 8;
    std::uint64_t size = memory_.size_of(object), bytes = width / 8;
    std::uint64_t count = place->step == 0 ? 1 : size / place->step + 1;
    llvm::Type& type = *llvm::IntegerType::get(module_.getContext(), width);
    for (std::uint64_t k = 0; k < count; ++k) {
      std::uint64_t offset = place->offset + k * place->step;
      if (offset > size || bytes > size - offset) break;
      auto other = start.elements.find(k);
      const mpz_class& value = other == start.elements.end() ? start.value : other->second;
      Pointer at = object;
      at.offset += static_cast<std::int64_t>(offset);
      memory_.store(at, Value::number(bits_of(value, width)), type);
    }
  }
}

}  // namespace lem::check
