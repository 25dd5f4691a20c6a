// Variable arguments as the ABIs of i386 and x86-64 pass them: on the stack, or in registers that
// the called function saves and, when these are used up, on the stack.
#include "check/llvm/machine.h"

namespace lem::check {

static constexpr std::uint32_t kIntegerRegisters = 6, kFloatRegisters = 8;
static constexpr std::uint32_t kFloatsStart = kIntegerRegisters * 8;
static constexpr std::uint32_t kSaveArea = kFloatsStart + kFloatRegisters * 16;

static Pointer moved(Pointer pointer, std::uint64_t by) {
  pointer.offset += static_cast<std::int64_t>(by);
  return pointer;
}

bool Machine::pass_one(const llvm::CallBase& call, unsigned i, Passed& passed) {
  std::uint64_t word = layout_.getPointerSize();
  llvm::Type& type = *call.getArgOperand(i)->getType();
  bool is_float = type.isFloatTy() || type.isDoubleTy();
  bool is_word = type.isPointerTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= 64);
  bool copied = call.isByValArgument(i);
  if (!(is_float || is_word) || call.getParamAlign(i).valueOrOne().value() > word) {
    undecided("a variable argument of a type that is not supported");
    return false;
  }
  Value value = argument(call, i);
  if (end_) return false;
  std::uint64_t size =
      layout_.getTypeAllocSize(copied ? call.getParamByValType(i) : &type).getFixedSize();
  Pointer at = moved(passed.stack, passed.stack_used);
  if (word == 8 && is_word && !copied && passed.integers < kIntegerRegisters)
    at = moved(passed.saved, 8 * passed.integers++);
  else if (word == 8 && is_float && passed.floats < kFloatRegisters)
    at = moved(passed.saved, kFloatsStart + 16 * passed.floats++);
  else
    passed.stack_used += llvm::alignTo(size, word);
  if (copied) {
    if (!accessible(value, size, Memory::Access::Read)) return false;
    memory_.copy(at, value.pointer, size);
  } else {
    memory_.store(at, value, type);
  }
  return true;
}

/// What va_start of the called function finds.
std::optional<Machine::Passed> Machine::pass_rest(const llvm::CallBase& call,
                                                  const llvm::Function& callee) {
  Passed out;
  unsigned named = callee.getFunctionType()->getNumParams();
  for (const llvm::Argument& parameter : callee.args()) {
    if (parameter.hasByValAttr()) continue;
    bool is_float = parameter.getType()->isFloatingPointTy();
    std::uint32_t& used = is_float ? out.floats : out.integers;
    used = std::min(used + 1, is_float ? kFloatRegisters : kIntegerRegisters);
  }
  out.first_integer = 8 * out.integers;
  out.first_float = kFloatsStart + 16 * out.floats;
  std::uint64_t most = layout_.getPointerSize();
  for (unsigned i = named; i < call.arg_size(); ++i) {
    llvm::Type* type =
        call.isByValArgument(i) ? call.getParamByValType(i) : call.getArgOperand(i)->getType();
    most += llvm::alignTo(layout_.getTypeAllocSize(type).getFixedSize(), 8);
  }
  std::optional<Pointer> saved = memory_.allocate(kSaveArea, Memory::Fill::Undefined);
  std::optional<Pointer> stack = memory_.allocate(most, Memory::Fill::Undefined);
  if (!saved || !stack) {
    undecided("the program needs too much memory");
    return std::nullopt;
  }
  out.saved = *saved;
  out.stack = *stack;
  for (unsigned i = named; i < call.arg_size(); ++i)
    if (!pass_one(call, i, out)) return std::nullopt;
  return out;
}

void Machine::start_list(const llvm::IntrinsicInst& call) {
  const std::optional<Passed>& passed = frames_.back().passed;
  if (!passed) return undecided("va_start in a function without variable arguments");
  Value list = argument(call, 0);
  std::uint64_t word = layout_.getPointerSize();
  if (end_ || !accessible(list, word == 8 ? 24 : 4, Memory::Access::Write)) return;
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type& pointer = *llvm::Type::getInt8PtrTy(context);
  llvm::Type& number = *llvm::Type::getInt32Ty(context);
  if (word != 8) return memory_.store(list.pointer, Value::address(passed->stack), pointer);
  memory_.store(list.pointer, Value::number(passed->first_integer, 32), number);
  memory_.store(moved(list.pointer, 4), Value::number(passed->first_float, 32), number);
  memory_.store(moved(list.pointer, 8), Value::address(passed->stack), pointer);
  memory_.store(moved(list.pointer, 16), Value::address(passed->saved), pointer);
}

void Machine::copy_list(const llvm::IntrinsicInst& call) {
  Value to = argument(call, 0), from = argument(call, 1);
  std::uint64_t size = layout_.getPointerSize() == 8 ? 24 : 4;
  if (end_ || !accessible(from, size, Memory::Access::Read)) return;
  if (accessible(to, size, Memory::Access::Write)) memory_.copy(to.pointer, from.pointer, size);
}

}  // namespace lem::check
