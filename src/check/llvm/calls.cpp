// Calls: of functions with a body, of those that the conventions of SV-COMP give a meaning, of
// LLVM's intrinsics and of the few functions of the C library that C programs are checked with.
#include <fmt/format.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalAlias.h>

#include "check/llvm/machine.h"
#include "check/llvm/operations.h"
#include "check/llvm/variable_place.h"
#include "ctext/entry_calls.h"

namespace lem::check {

using llvm::Intrinsic::ID;

/// `ERROR: goto ERROR;`: a block that has this label and does nothing else.
static bool is_error_loop(const llvm::CallBase& call) {
  auto* label = llvm::dyn_cast<llvm::DbgLabelInst>(&call);
  if (label == nullptr || label->getLabel()->getName() != "ERROR") return false;
  const llvm::BasicBlock& block = *call.getParent();
  auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return jump != nullptr && jump->isUnconditional() && jump->getSuccessor(0) == &block &&
         block.getFirstNonPHIOrDbg() == jump;
}

/// Functions without a body that return an arbitrary value.
static bool is_input(llvm::StringRef name) {
  if (name.startswith("__VERIFIER_nondet_") || name.startswith("nondet_")) return true;
  return name.consume_front("unknown") &&
         name.find_first_not_of("0123456789") == llvm::StringRef::npos;
}

void Machine::call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return undecided("inline assembly");
  if (is_error_loop(call)) return report("ERROR");
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    llvm::StringRef name = call.getCalledFunction()->getName();
    if (!call_intrinsic(*intrinsic) && !call_integer_intrinsic(*intrinsic) &&
        !call_float(call, name))
      undecided(fmt::format("a call of '{}'", name.str()));
    return;
  }
  Value target = operand(*call.getCalledOperand());
  if (end_) return;
  if (!target.is_address()) return undecided("a call through a pointer that was never set");
  const llvm::Function* callee = memory_.function_at(target.pointer);
  if (callee == nullptr)
    return end(How::Ended, target.pointer.is_number() ? "a call through null"
                                                      : "a call of what is no function");
  llvm::StringRef name = callee->getName();
  if (name == "reach_error" || name == "__VERIFIER_error") return report(name);
  if (!callee->isDeclaration()) return call_defined(call, *callee);
  if (is_input(name)) return input(call, name);
  if (std::optional<CRule> rule = rule_of_handler({name.data(), name.size()}))
    return handle(call, *rule);
  if (name == "lemmata_resize" && call.arg_size() == 2) return resize(call);
  if (name == "lemmata_copy" && call.arg_size() == 3) return copy_what_fits(call);
  if (call_convention(call, name) || call_library(call, name) || call_float(call, name)) return;
  undecided(fmt::format("a call of '{}', which is not defined", name.str()));
}

/// Arguments of another type than the parameter's are open, surplus ones are dropped. What is
/// passed by value is a copy.
void Machine::call_defined(const llvm::CallBase& call, const llvm::Function& callee) {
  std::vector<Value> args;
  std::vector<Pointer> copies;
  for (const llvm::Argument& parameter : callee.args()) {
    unsigned i = parameter.getArgNo();
    llvm::Type& type = *parameter.getType();
    bool given = i < call.arg_size();
    llvm::Type* found = given ? call.getArgOperand(i)->getType() : nullptr;
    bool fits = given && (found == &type || (found->isPointerTy() && type.isPointerTy()));
    args.push_back(fits ? argument(call, i) : undefined(type));
    if (end_) return;
    if (!parameter.hasByValAttr()) continue;
    std::uint64_t size = layout_.getTypeAllocSize(parameter.getParamByValType()).getFixedSize();
    if (!accessible(args.back(), size, Memory::Access::Read)) return;
    std::optional<Pointer> copy = memory_.allocate(size, Memory::Fill::Undefined);
    if (!copy) return undecided("the program needs too much memory");
    memory_.copy(*copy, args.back().pointer, size);
    args.back() = Value::address(*copy);
    copies.push_back(*copy);
  }
  std::optional<Passed> passed;
  if (callee.isVarArg()) {
    passed = pass_rest(call, callee);
    if (!passed) return;
    copies.insert(copies.end(), {passed->saved, passed->stack});
  }
  enter(callee, &call, std::move(args));
  if (end_) return;
  frames_.back().locals = std::move(copies);
  frames_.back().passed = passed;
}

void Machine::input(const llvm::CallBase& call, llvm::StringRef name) {
  if (call.getType()->isVoidTy()) return;
  if (taken_ == values_.inputs.size()) return end(How::Ended, "more inputs than the run has");
  const InputBits& next = values_.inputs[taken_];
  if (next.function != name)
    return end(How::Ended, fmt::format("'{}' is called where the run has an input of '{}'",
                                       name.str(), next.function));
  llvm::Type& type = *call.getType();
  if (!type.isIntegerTy() && !type.isFloatingPointTy())
    return undecided(fmt::format("'{}' returns no number", name.str()));
  ++taken_;
  auto width = static_cast<unsigned>(layout_.getTypeSizeInBits(&type).getFixedSize());
  set(call, Value::number(bits_of(next.bits, width)));
}

bool Machine::call_convention(const llvm::CallBase& call, llvm::StringRef name) {
  enum class Meaning : std::uint8_t { None, Error, Exit, Quit, Abort, Assume, Assert, Print };
  auto meaning = llvm::StringSwitch<Meaning>(name)
                     .Cases("__assert_fail", "__assert", Meaning::Error)
                     .Cases("__assert_perror_fail", "__assert_rtn", Meaning::Error)
                     .Case("exit", Meaning::Exit)
                     .Cases("_exit", "_Exit", Meaning::Quit)  // without destructors
                     .Cases("abort", "__builtin_trap", Meaning::Abort)
                     .Cases("__VERIFIER_assume", "assume", Meaning::Assume)
                     .Cases("__VERIFIER_assert", "assert", "sassert", Meaning::Assert)
                     .Cases("__CPROVER_assume", "__ESBMC_assume", Meaning::Assume)
                     .Cases("__CPROVER_assert", "__ESBMC_assert", Meaning::Assert)
                     .Cases("printf", "puts", "putchar", Meaning::Print)
                     .Cases("vprintf", "vfprintf", Meaning::Print)
                     .Cases("fopen", "fclose", "tmpl", Meaning::Print)
                     .Cases("fprintf", "fputs", "fputc", "putc", "fflush", "perror", Meaning::Print)
                     .Default(Meaning::None);
  std::optional<llvm::APInt> first;
  bool tests = meaning == Meaning::Assume || meaning == Meaning::Assert;
  bool exits = meaning == Meaning::Exit || meaning == Meaning::Quit;
  if (tests || exits) {
    if (call.arg_size() < 1 || !call.getArgOperand(0)->getType()->isIntegerTy()) return false;
    Value value = argument(call, 0);
    if (exits && !value.is_known()) value = Value::number(0, 32);
    first = decided(value, "an assumption or assertion");
    if (!first) return true;
  }
  switch (meaning) {
    case Meaning::None:
      return false;
    case Meaning::Error:
      report(name);
      return true;
    case Meaning::Exit:
    case Meaning::Quit: {
      auto code = static_cast<std::uint32_t>(first->zextOrTrunc(32).getZExtValue());
      if (meaning == Meaning::Exit) {
        begin_exit(code);
      } else {
        code_ = code;
        end(How::Exited, "");
      }
      return true;
    }
    case Meaning::Abort:
      end(How::Ended, fmt::format("the program calls '{}'", name.str()));
      return true;
    case Meaning::Assume:
      if (first->isZero()) end(How::Ended, "an assumption does not hold");
      break;
    case Meaning::Assert:
      if (first->isZero()) report(name);
      break;
    case Meaning::Print:
      break;
  }
  if (!end_) set(call, undefined(*call.getType()));
  return true;
}

// The C library -----------------------------------------------------------------------------------

/// Copies and fills whose size, and the bytes that they touch, are as the call says.
void Machine::copy(const llvm::CallBase& call) {
  Value to = argument(call, 0), from = argument(call, 1);
  std::optional<llvm::APInt> size = decided(argument(call, 2), "the size of a copy");
  if (!size || end_ || size->isZero()) return;
  std::uint64_t bytes = size->getLimitedValue();
  if (!accessible(from, bytes, Memory::Access::Read)) return;
  if (!accessible(to, bytes, Memory::Access::Write)) return;
  memory_.copy(to.pointer, from.pointer, bytes);
}

void Machine::fill(const llvm::CallBase& call) {
  Value to = argument(call, 0), byte = argument(call, 1);
  std::optional<llvm::APInt> size = decided(argument(call, 2), "the size of a fill");
  if (!size || end_ || size->isZero()) return;
  std::uint64_t bytes = size->getLimitedValue();
  if (!byte.is_number()) return undecided("a fill with a part of an address");
  if (accessible(to, bytes, Memory::Access::Write)) memory_.fill(to.pointer, bytes, byte);
}

void Machine::make_object(const llvm::CallBase& call, const std::optional<llvm::APInt>& size,
                          Memory::Fill fill) {
  if (!size || end_) return;
  std::optional<Pointer> object = memory_.allocate(size->getLimitedValue(), fill);
  if (!object) return undecided("the program needs too much memory");
  note_made(*object);
  set(call, Value::address(*object));
}

/// By the model of realloc: an object that stays where it is. Beyond what there was, nothing was
/// written.
void Machine::resize(const llvm::CallBase& call) {
  Value object = argument(call, 0);
  std::optional<llvm::APInt> size = decided(argument(call, 1), "the size of an object");
  if (!size || end_) return;
  if (!object.is_address() || !memory_.is_live(object.pointer) || object.pointer.offset != 0)
    return undecided("realloc of what is not on the heap");
  if (!memory_.resize(object.pointer, size->getLimitedValue()))
    undecided("the program needs too much memory");
}

/// By the model of realloc: what fits of one object into another.
void Machine::copy_what_fits(const llvm::CallBase& call) {
  Value to = argument(call, 0), from = argument(call, 1);
  if (end_) return;
  if (!to.is_address() || !from.is_address()) return undecided("realloc of a pointer never set");
  std::uint64_t both = std::min(memory_.size_of(to.pointer), memory_.size_of(from.pointer));
  if (accessible(from, both, Memory::Access::Read)) memory_.copy(to.pointer, from.pointer, both);
}

void Machine::reallocate(const llvm::CallBase& call) {
  Value old = argument(call, 0);
  std::optional<llvm::APInt> size = decided(argument(call, 1), "the size of an object");
  if (!size || end_) return;
  if (!old.is_address()) return undecided("realloc of a pointer that was never set");
  make_object(call, size, Memory::Fill::Undefined);
  if (end_ || old.pointer.is_number()) return;
  std::uint64_t both = std::min(memory_.size_of(old.pointer), size->getLimitedValue());
  Value made = operand(call);
  if (accessible(old, both, Memory::Access::Read)) memory_.copy(made.pointer, old.pointer, both);
}

bool Machine::call_library(const llvm::CallBase& call, llvm::StringRef name) {
  enum class Known : std::uint8_t {
    None,
    Copy,
    Fill,
    Malloc,
    Calloc,
    Realloc,
    Free,
    Object,
    Shrink
  };
  auto known = llvm::StringSwitch<Known>(name)
                   .Cases("memcpy", "memmove", Known::Copy)
                   .Case("memset", Known::Fill)
                   .Case("malloc", Known::Malloc)
                   .Case("calloc", Known::Calloc)
                   .Case("realloc", Known::Realloc)
                   .Case("free", Known::Free)
                   .Case(ctext::kEntryObject, Known::Object)
                   .Case(ctext::kEntryShrink, Known::Shrink)
                   .Default(Known::None);
  if (known == Known::None) return false;
  if (known == Known::Free || known == Known::Object || known == Known::Shrink) {
    if (known == Known::Free) release(call);
    if (known == Known::Object) make_given(call);
    if (known == Known::Shrink) shrink_given(call);
    return true;
  }
  unsigned wanted = known == Known::Malloc                              ? 1
                    : known == Known::Calloc || known == Known::Realloc ? 2
                                                                        : 3;
  if (call.arg_size() != wanted || !call.getType()->isPointerTy()) return false;
  auto is_size = [&](unsigned i) { return call.getArgOperand(i)->getType()->isIntegerTy(); };
  auto is_place = [&](unsigned i) { return call.getArgOperand(i)->getType()->isPointerTy(); };
  bool fits = is_size(wanted - 1);
  if (known != Known::Malloc) fits = fits && (known == Known::Calloc ? is_size(0) : is_place(0));
  if (wanted == 3) fits = fits && (known == Known::Copy ? is_place(1) : is_size(1));
  if (!fits) return false;
  switch (known) {
    case Known::Copy:
    case Known::Fill:
      known == Known::Copy ? copy(call) : fill(call);
      if (!end_) set(call, argument(call, 0));
      break;
    case Known::Malloc:
      make_object(call, decided(argument(call, 0), "the size of an object"),
                  Memory::Fill::Undefined);
      break;
    case Known::Calloc: {
      std::optional<llvm::APInt> count = decided(argument(call, 0), "the size of an object");
      std::optional<llvm::APInt> each = decided(argument(call, 1), "the size of an object");
      if (count && each) make_object(call, count->zext(128) * each->zext(128), Memory::Fill::Zero);
      break;
    }
    case Known::Realloc:
      reallocate(call);
      break;
    case Known::Free:
    case Known::Object:
    case Known::Shrink:
    case Known::None:
      break;
  }
  return true;
}

/// On the heap before the program begins: it may be given back, and is no leak if it is not.
void Machine::make_given(const llvm::CallBase& call) {
  std::optional<llvm::APInt> size = decided(argument(call, 0), "the size of an object");
  if (!size || end_) return;
  std::optional<Pointer> object =
      memory_.allocate(size->getLimitedValue(), Memory::Fill::Undefined);
  if (!object) return undecided("the program needs too much memory");
  if (tracks_life()) made_.emplace_back(*object, nullptr);
  set(call, Value::address(*object));
}

void Machine::shrink_given(const llvm::CallBase& call) {
  Value object = argument(call, 0);
  std::optional<llvm::APInt> size = decided(argument(call, 1), "the size of an object");
  if (!size || end_ || !object.is_address()) return;
  if (memory_.is_live(object.pointer) && !memory_.resize(object.pointer, size->getLimitedValue()))
    undecided("the program needs too much memory");
}

// Intrinsics --------------------------------------------------------------------------------------

/// A local has no value when its lifetime starts, however often.
void Machine::lifetime(const llvm::IntrinsicInst& call) {
  Value object = argument(call, 1);
  auto* local = llvm::dyn_cast<llvm::AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
  if (local == nullptr || !object.is_address() || end_) return;
  if (accessible(object, 0, Memory::Access::Write)) start_local(*local, object.pointer);
}

bool Machine::call_intrinsic(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
      lifetime(call);
      return true;
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_addr:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::prefetch:
      return true;
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
    case llvm::Intrinsic::memmove:
      copy(call);
      return true;
    case llvm::Intrinsic::memset:
      fill(call);
      return true;
    case llvm::Intrinsic::vastart:
      start_list(call);
      return true;
    case llvm::Intrinsic::vacopy:
      copy_list(call);
      return true;
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
      set(call, argument(call, 0));
      return true;
    case llvm::Intrinsic::is_constant:
      set(call, Value::number(0, 1));
      return true;
    case llvm::Intrinsic::trap:
      end(How::Ended, "the program calls '__builtin_trap'");
      return true;
    case llvm::Intrinsic::stacksave:  // as many locals as there are
      set(call, Value::address({0, 0, static_cast<std::int64_t>(frames_.back().locals.size())}));
      return true;
    case llvm::Intrinsic::stackrestore: {
      Value mark = argument(call, 0);
      std::vector<Pointer>& locals = frames_.back().locals;
      if (!mark.is_address() || !mark.pointer.is_number() || mark.pointer.offset < 0) return false;
      while (locals.size() > static_cast<std::uint64_t>(mark.pointer.offset)) {
        memory_.release(locals.back());
        locals.pop_back();
      }
      return true;
    }
    default:
      return false;
  }
}

/// The operation of llvm.OP.with.overflow, and whether the exact result needs more bits.
static Value with_overflow(ID id, const llvm::APInt& a, const llvm::APInt& b) {
  bool over = false;
  llvm::APInt result;
  switch (id) {
    case llvm::Intrinsic::sadd_with_overflow:
      result = a.sadd_ov(b, over);
      break;
    case llvm::Intrinsic::uadd_with_overflow:
      result = a.uadd_ov(b, over);
      break;
    case llvm::Intrinsic::ssub_with_overflow:
      result = a.ssub_ov(b, over);
      break;
    case llvm::Intrinsic::usub_with_overflow:
      result = a.usub_ov(b, over);
      break;
    case llvm::Intrinsic::smul_with_overflow:
      result = a.smul_ov(b, over);
      break;
    default:
      result = a.umul_ov(b, over);
      break;
  }
  return Value::aggregate({Value::number(result), Value::number(over ? 1 : 0, 1)});
}

/// Of one or two known integers; nothing for other intrinsics.
static std::optional<llvm::APInt> of_integers(ID id, const llvm::APInt& a, const llvm::APInt& b) {
  unsigned width = a.getBitWidth();
  switch (id) {
    case llvm::Intrinsic::abs:
      return a.abs();
    case llvm::Intrinsic::bswap:
      return a.byteSwap();
    case llvm::Intrinsic::bitreverse:
      return a.reverseBits();
    case llvm::Intrinsic::ctpop:
      return llvm::APInt(width, a.countPopulation());
    case llvm::Intrinsic::ctlz:
      return llvm::APInt(width, a.countLeadingZeros());
    case llvm::Intrinsic::cttz:
      return llvm::APInt(width, a.countTrailingZeros());
    case llvm::Intrinsic::smax:
      return llvm::APIntOps::smax(a, b);
    case llvm::Intrinsic::smin:
      return llvm::APIntOps::smin(a, b);
    case llvm::Intrinsic::umax:
      return llvm::APIntOps::umax(a, b);
    case llvm::Intrinsic::umin:
      return llvm::APIntOps::umin(a, b);
    default:
      return {};
  }
}

bool Machine::call_integer_intrinsic(const llvm::IntrinsicInst& call) {
  ID id = call.getIntrinsicID();
  bool overflow = llvm::isa<llvm::WithOverflowInst>(call);
  llvm::APInt probe(8, 1);
  if (call.arg_size() == 0 || !call.getArgOperand(0)->getType()->isIntegerTy()) return false;
  bool shift = id == llvm::Intrinsic::fshl || id == llvm::Intrinsic::fshr;
  bool same = !overflow && !shift;
  if (same && id != llvm::Intrinsic::bswap && !of_integers(id, probe, probe)) return false;
  std::vector<Value> args;
  for (const llvm::Use& use : call.args()) {
    args.push_back(operand(*use));
    if (end_) return true;
    if (!args.back().is_known()) {
      set(call, undefined(*call.getType()));
      return true;
    }
  }
  const llvm::APInt& a = args[0].bits;
  if (overflow) {
    set(call, with_overflow(id, a, args[1].bits));
  } else if (shift) {
    unsigned width = a.getBitWidth();
    auto by = static_cast<unsigned>(args[2].bits.urem(width));
    if (id == llvm::Intrinsic::fshr) by = width - by;
    llvm::APInt both = a.zext(2 * width).shl(width) | args[1].bits.zext(2 * width);
    set(call, Value::number(both.shl(by).lshr(width).trunc(width)));
  } else {
    set(call, Value::number(*of_integers(
                  id, a, args.size() > 1 ? args[1].bits.zextOrTrunc(a.getBitWidth()) : a)));
  }
  return true;
}

}  // namespace lem::check
