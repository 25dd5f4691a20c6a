#include "check/llvm/machine.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <cassert>

#include "base/assert.h"

namespace lem::check {

static constexpr std::uint64_t kPollEvery = 4096;      // steps
static constexpr std::uint64_t kMostScalars = 4096;    // of a value in a register
static constexpr unsigned kDeepestConstant = 256;      // expressions inside each other
static constexpr std::uint64_t kFrameOverhead = 4096;  // bytes of our own, about

Machine::Machine(const llvm::Module& module, const RunValues& values,
                 const InterpreterLimits& limits, std::stop_token stop)
    : module_(module),
      layout_(module.getDataLayout()),
      values_(values),
      limits_(limits),
      stop_(std::move(stop)),
      memory_(layout_, limits.memory),
      start_taken_(values.starts.size(), false) {}

void Machine::end(How how, std::string reason) {
  if (end_) return;
  end_ = Interpretation{how, std::move(reason), code_, line_, taken_};
}

Interpretation Machine::run() {
  if (!layout_.isLittleEndian()) undecided("the module is for a big-endian machine");
  if (!module_.getModuleInlineAsm().empty()) undecided("the module has assembly code");
  make_globals();
  const llvm::Function* main = module_.getFunction("main");
  if (main == nullptr || main->isDeclaration()) undecided("there is no function 'main'");
  std::vector<const llvm::Function*> first = listed("llvm.global_ctors");
  waiting_.assign(first.begin(), first.end());
  waiting_.push_back(main);
  while (!end_) {
    if (++steps_ > limits_.steps) undecided(fmt::format("more than {} steps", limits_.steps));
    if (steps_ % kPollEvery == 0 && stop_.stop_requested()) end(How::Stopped, "stopped");
    if (memory_.is_full()) undecided("the program needs too much memory");
    if (end_) break;
    if (frames_.empty())
      begin_next_function();
    else
      step();
  }
  end_->inputs_taken = taken_;
  return *std::move(end_);
}

// Start and end -----------------------------------------------------------------------------------

void Machine::make_globals() {
  for (const llvm::Function& function : module_) globals_[&function] = memory_.place(function);
  for (const llvm::GlobalVariable& global : module_.globals()) {
    if (end_ || global.getName().startswith("llvm.")) continue;
    if (!global.getValueType()->isSized()) {
      globals_[&global] = Pointer{};  // declared elsewhere, of unknown type
      continue;
    }
    std::uint64_t size = layout_.getTypeAllocSize(global.getValueType()).getFixedSize();
    bool known = global.hasInitializer();
    std::optional<Pointer> object =
        memory_.allocate(size, known ? Memory::Fill::Zero : Memory::Fill::Undefined);
    if (!object) return undecided("the program needs too much memory");
    globals_[&global] = *object;
  }
  for (const llvm::GlobalVariable& global : module_.globals()) {
    if (end_ || global.getName().startswith("llvm.")) continue;
    const Pointer& object = globals_[&global];
    if (global.hasInitializer()) write_initial(object, *global.getInitializer());
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
    global.getDebugInfo(described);
    if (!global.hasInitializer() && !described.empty())
      supply("", *described[0]->getVariable(), object);
    if (global.isConstant() && object.slot != 0) memory_.make_constant(object);
  }
}

/// Into an object of zeros.
void Machine::write_initial(const Pointer& at, const llvm::Constant& value) {
  if (end_ || value.isNullValue()) return;
  llvm::Type& type = *value.getType();
  auto part = [&](const llvm::Constant& element, std::uint64_t offset) {
    Pointer place = at;
    place.offset += static_cast<std::int64_t>(offset);
    write_initial(place, element);
  };
  std::uint64_t size = layout_.getTypeAllocSize(&type).getFixedSize();
  if (llvm::isa<llvm::UndefValue>(value)) return memory_.forget(at, size);
  if (auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
    llvm::StringRef raw = data->getRawDataValues();
    return memory_.write(at, raw.data(), std::min<std::uint64_t>(raw.size(), size));
  }
  if (auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
    const llvm::StructLayout* places = layout_.getStructLayout(fields->getType());
    for (unsigned i = 0; i < fields->getNumOperands(); ++i)
      part(*fields->getOperand(i), places->getElementOffset(i));
    return;
  }
  if (auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
    std::uint64_t step = layout_.getTypeAllocSize(type.getArrayElementType()).getFixedSize();
    for (unsigned i = 0; i < array->getNumOperands(); ++i) part(*array->getOperand(i), i * step);
    return;
  }
  Value scalar = constant(value, 0);
  if (!end_) memory_.store(at, scalar, type);
}

/// The functions of llvm.global_ctors or llvm.global_dtors, lowest priority number first.
std::vector<const llvm::Function*> Machine::listed(const char* name) const {
  std::vector<std::pair<std::uint64_t, const llvm::Function*>> found;
  const llvm::GlobalVariable* list = module_.getNamedGlobal(name);
  auto* entries = list != nullptr && list->hasInitializer()
                      ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer())
                      : nullptr;
  for (unsigned i = 0; entries != nullptr && i < entries->getNumOperands(); ++i) {
    auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(entries->getOperand(i));
    if (entry == nullptr || entry->getNumOperands() < 2) continue;
    auto* priority = llvm::dyn_cast<llvm::ConstantInt>(entry->getOperand(0));
    auto* function = llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts());
    if (priority != nullptr && function != nullptr && !function->isDeclaration())
      found.push_back({priority->getZExtValue(), function});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const llvm::Function*> out;
  out.reserve(found.size());
  for (const auto& [priority, function] : found) out.push_back(function);
  return out;
}

/// main is called as `run`, with one argument and without an environment.
void Machine::begin_next_function() {
  if (waiting_.empty()) {
    check_leaks();  // destructors may have given back what main left
    return end(How::Exited, "");
  }
  const llvm::Function* function = waiting_.front();
  waiting_.pop_front();
  std::vector<Value> args;
  for (const llvm::Argument& argument : function->args()) {
    bool count = args.empty() && argument.getType()->isIntegerTy();
    args.push_back(count ? Value::number(1, argument.getType()->getIntegerBitWidth())
                         : undefined(*argument.getType()));
  }
  enter(*function, nullptr, std::move(args));
}

/// Destructors run last to first, as the C library calls them.
void Machine::begin_exit(std::uint32_t code) {
  frames_.clear();
  waiting_.clear();
  if (exiting_) return;
  exiting_ = true;
  code_ = code;
  std::vector<const llvm::Function*> last = listed("llvm.global_dtors");
  waiting_.assign(last.rbegin(), last.rend());
}

// Calls -------------------------------------------------------------------------------------------

const Machine::Layout& Machine::layout_of(const llvm::Function& function) {
  auto [found, is_new] = layouts_.try_emplace(&function);
  Layout& layout = found->second;
  if (!is_new) return layout;
  for (const llvm::Argument& argument : function.args()) {
    unsigned next = layout.registers.size();
    layout.registers[&argument] = next;
  }
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* note = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
      if (const llvm::Value* local = note->getAddress())
        layout.declared[local->stripPointerCasts()] = note->getVariable();
    if (auto* mark = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        mark != nullptr && mark->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      layout.starts_later[mark->getArgOperand(1)->stripPointerCasts()] = true;
    if (instruction.getType()->isVoidTy()) continue;
    unsigned next = layout.registers.size();
    layout.registers[&instruction] = next;
  }
  return layout;
}

void Machine::enter(const llvm::Function& function, const llvm::CallBase* call,
                    std::vector<Value> args) {
  if (frames_.size() >= limits_.calls)
    return undecided(fmt::format("more than {} calls inside each other", limits_.calls));
  const Layout& layout = layout_of(function);
  Frame frame{&function, call, &function.getEntryBlock(), function.getEntryBlock().begin(), {}, {}};
  frame.registers.resize(std::max<std::size_t>(layout.registers.size(), args.size()));
  if (frames_.size() * (frame.registers.size() * sizeof(Value) + kFrameOverhead) > limits_.memory)
    return undecided("the program needs too much memory");
  std::move(args.begin(), args.end(), frame.registers.begin());
  frames_.push_back(std::move(frame));
}

void Machine::leave(const Value* result) {
  Frame done = std::move(frames_.back());
  frames_.pop_back();
  for (const Pointer& local : done.locals) memory_.release(local);
  if (frames_.empty()) {
    bool is_main = done.function->getName() == "main";
    if (!is_main || exiting_) return;
    std::uint32_t code = 0;
    if (result != nullptr && result->is_known())
      code = static_cast<std::uint32_t>(result->bits.zextOrTrunc(32).getZExtValue());
    return begin_exit(code);
  }
  llvm::Type& wanted = *done.call->getType();
  if (wanted.isVoidTy()) return;
  bool fits = result != nullptr && done.function->getReturnType() == &wanted;
  set(*done.call, fits ? *result : undefined(wanted));
}

/// The phis of a block change all at once.
void Machine::jump(const llvm::BasicBlock& to) {
  Frame& frame = frames_.back();
  std::vector<Value> values;
  for (const llvm::PHINode& phi : to.phis())
    values.push_back(operand(*phi.getIncomingValueForBlock(frame.block)));
  auto next = values.begin();
  for (const llvm::PHINode& phi : to.phis()) set(phi, std::move(*next++));
  frame.block = &to;
  frame.next = to.getFirstNonPHI()->getIterator();
}

void Machine::step() {
  Frame& frame = frames_.back();
  const llvm::Instruction& instruction = *frame.next;
  current_ = &instruction;
  if (const llvm::DILocation* at = instruction.getDebugLoc().get(); at && at->getLine() != 0)
    line_ = at->getLine();
  if (instruction.isTerminator()) return terminator(instruction);
  ++frame.next;
  if (auto* calls = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call(*calls);
  if (auto* stores = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store(*stores);
  if (llvm::isa<llvm::FenceInst>(instruction)) return;
  Value value = compute(instruction);
  if (!end_) set(instruction, std::move(value));
}

void Machine::terminator(const llvm::Instruction& instruction) {
  if (auto* back = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    if (back->getReturnValue() == nullptr) return leave(nullptr);
    Value result = operand(*back->getReturnValue());
    return leave(&result);
  }
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (branch->isUnconditional()) return jump(*branch->getSuccessor(0));
    std::optional<llvm::APInt> holds = decided(operand(*branch->getCondition()), "a branch");
    if (holds) jump(*branch->getSuccessor(holds->isZero() ? 1 : 0));
    return;
  }
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    std::optional<llvm::APInt> on = decided(operand(*choice->getCondition()), "a switch");
    if (!on) return;
    for (const auto& one : choice->cases())
      if (one.getCaseValue()->getValue() == *on) return jump(*one.getCaseSuccessor());
    return jump(*choice->getDefaultDest());
  }
  if (llvm::isa<llvm::UnreachableInst>(instruction))
    return end(How::Ended, "the program gets where it never gets by what it says");
  undecided(fmt::format("the instruction '{}'", instruction.getOpcodeName()));
}

// Values ------------------------------------------------------------------------------------------

void Machine::set(const llvm::Instruction& instruction, Value value) {
  if (instruction.getType()->isVoidTy()) return;
  Frame& frame = frames_.back();
  const Layout& layout = layout_of(*frame.function);
  auto found = layout.registers.find(&instruction);
  assert(found != layout.registers.end() && "a frame runs instructions of its function");
  frame.registers[found->second] = std::move(value);
}

std::optional<llvm::APInt> Machine::decided(const Value& value, const char* what) {
  if (value.is_known()) return value.bits;
  undecided(fmt::format("{} depends on a value that was never set or that C leaves open", what));
  return {};
}

/// Rejects types whose size a hostile module could choose freely.
bool Machine::is_movable(llvm::Type& type) {
  if (type.isIntegerTy() || type.isPointerTy()) return true;
  std::uint64_t scalars = 0;
  std::vector<std::pair<llvm::Type*, std::uint64_t>> waiting = {{&type, 1}};
  while (!waiting.empty() && scalars <= kMostScalars) {
    auto [next, times] = waiting.back();
    waiting.pop_back();
    if (auto* fields = llvm::dyn_cast<llvm::StructType>(next)) {
      if (fields->isOpaque() || fields->getNumElements() > kMostScalars) return false;
      scalars += times;
      for (llvm::Type* field : fields->elements()) waiting.push_back({field, times});
    } else if (next->isArrayTy()) {
      std::uint64_t count = next->getArrayNumElements();
      if (count > kMostScalars) return false;
      scalars += times;
      waiting.push_back({next->getArrayElementType(), times * count});
    } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(next)) {
      if (vector->getNumElements() > kMostScalars) return false;
      waiting.push_back({vector->getElementType(), times * vector->getNumElements()});
    } else {
      bool known = next->isIntegerTy() || next->isPointerTy() || next->isFloatTy() ||
                   next->isDoubleTy() || next->isX86_FP80Ty();
      if (!known || times > kMostScalars) return false;
      scalars += times;
    }
  }
  return scalars <= kMostScalars;
}

Value Machine::undefined(llvm::Type& type) {
  if (type.isVoidTy()) return {};
  if (type.isSingleValueType() && !type.isVectorTy() && type.isSized())
    return Value::undefined(static_cast<unsigned>(layout_.getTypeSizeInBits(&type).getFixedSize()));
  if (!is_movable(type)) {
    undecided("a value of a type that is not supported");
    return Value::undefined(1);
  }
  std::vector<Value> parts;
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(&type)) {
    for (llvm::Type* field : fields->elements()) parts.push_back(undefined(*field));
  } else if (type.isArrayTy()) {
    for (std::uint64_t i = 0; i < type.getArrayNumElements(); ++i)
      parts.push_back(undefined(*type.getArrayElementType()));
  } else {
    auto& vector = llvm::cast<llvm::FixedVectorType>(type);
    for (unsigned i = 0; i < vector.getNumElements(); ++i)
      parts.push_back(undefined(*vector.getElementType()));
  }
  return Value::aggregate(std::move(parts));
}

Value Machine::operand(const llvm::Value& value) {
  if (auto* known = llvm::dyn_cast<llvm::Constant>(&value)) return constant(*known, 0);
  const Frame& frame = frames_.back();
  const Layout& layout = layout_of(*frame.function);
  auto found = layout.registers.find(&value);
  if (found != layout.registers.end()) return frame.registers[found->second];
  undecided("an operand that is no value");
  return undefined(*value.getType());
}

Value Machine::constant(const llvm::Constant& value, unsigned depth) {
  llvm::Type& type = *value.getType();
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return Value::number(number->getValue());
  if (depth > kDeepestConstant || !is_movable(type)) {
    undecided("a constant that is not supported");
    return Value::undefined(1);
  }
  if (auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value))
    return Value::number(number->getValueAPF().bitcastToAPInt());
  if (llvm::isa<llvm::ConstantPointerNull>(value)) return Value::address({});
  if (llvm::isa<llvm::UndefValue>(value)) return undefined(type);
  if (auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&value))
    return constant(*alias->getAliasee(), depth + 1);
  if (llvm::isa<llvm::Function, llvm::GlobalVariable>(value)) {
    auto found = globals_.find(&value);
    if (found != globals_.end()) return Value::address(found->second);
  }
  if (auto* expr = llvm::dyn_cast<llvm::ConstantExpr>(&value)) return expression(*expr, depth);
  if (llvm::isa<llvm::ConstantAggregate, llvm::ConstantAggregateZero, llvm::ConstantDataSequential>(
          value)) {
    std::vector<Value> parts;
    for (unsigned i = 0; const llvm::Constant* part = value.getAggregateElement(i); ++i)
      parts.push_back(constant(*part, depth + 1));
    return Value::aggregate(std::move(parts));
  }
  undecided("a constant that is not supported");
  return undefined(type);
}

Value Machine::expression(const llvm::ConstantExpr& value, unsigned depth) {
  std::vector<Value> args;
  for (const llvm::Use& use : value.operands())
    args.push_back(constant(*llvm::cast<llvm::Constant>(use.get()), depth + 1));
  auto predicate = value.isCompare() ? static_cast<llvm::CmpInst::Predicate>(value.getPredicate())
                                     : llvm::CmpInst::BAD_ICMP_PREDICATE;
  if (end_) return undefined(*value.getType());
  return operate(value, value.getOpcode(), std::move(args), predicate);
}

}  // namespace lem::check
