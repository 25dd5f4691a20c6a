#include "frontend/c/calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include "base/assert.h"
#include "base/try.h"
#include "frontend/c/checks.h"
#include "frontend/c/promotion.h"

namespace lem::c {

Result<Flow> Calls::translate(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return w_.refuse(call, "inline assembly");
  const llvm::Function* callee = called(call);
  if (callee == nullptr) return w_.refuse(call, "indirect call");
  std::uint32_t line = line_of(call);
  Callee kind = is_error_loop(call) ? Callee::Error : callee_of(*callee);
  switch (kind) {
    case Callee::Error:
      w_.automaton.flush_before(line);
      w_.automaton.end(failures_.at_report(call), line);
      return Flow::Ended;
    case Callee::Fails:
      return failed_check(call);
    case Callee::Exit:
      if (callee->getName() == "exit") objects_.check_leaks(call);
      w_.automaton.flush_before(line);
      w_.automaton.end(w_.automaton.exit(), line);
      return Flow::Ended;
    default:
      LEM_TRY(effect(call, *callee, kind));
      return Flow::On;
  }
}

Status Calls::effect(const llvm::CallBase& call, const llvm::Function& callee, Callee kind) {
  switch (kind) {
    case Callee::Assume:
    case Callee::Assert:
      return assume(call, callee, kind);
    case Callee::Printing:
      LEM_TRY(only_prints(call));
      return nondet(call, callee);
    case Callee::Nondet:
      return nondet(call, callee);
    case Callee::Fresh:
      memory_.enter(call);
      return Ok{};
    case Callee::Allocate:
    case Callee::AllocateZero:
    case Callee::Object:
      return memory_.allocate(call);
    case Callee::Shrink:
      return objects_.shrink(call);
    case Callee::Resize:  // memory is not checked where it is called
      return Ok{};
    case Callee::Nothing:
      return callee.getName() == "free" ? objects_.release(call) : Status(Ok{});
    case Callee::First: {
      if (call.getType()->isPointerTy()) break;
      LEM_LET(Term first, operands_.value(*call.getArgOperand(0), call));
      w_.values.define(call, first);
      return Ok{};
    }
    case Callee::Defined:
    case Callee::Undefined:
      break;
    case Callee::Error:
    case Callee::Fails:
    case Callee::Exit:
      unreachable();
  }
  return builtin(call, callee);
}

/// Functions that are known by their name alone.
Status Calls::builtin(const llvm::CallBase& call, const llvm::Function& callee) {
  if (callee.getName() == kOwnGiven) {
    LEM_LET(Term given, operands_.value(*call.getArgOperand(0), call));
    failures_.check(CRule::Uninitialised, call, t_.make_not(given));
    return Ok{};
  }
  if (callee.getName() == kOwnEnd)
    return w_.refuse(call, "the end of a function that never returns");
  if (auto function = float_function(callee.getName())) {
    LEM_LET(Term result, floats_.call(call, *function));
    w_.values.define(call, result);
    return Ok{};
  }
  if (is_integer_function(callee) && is_scalar(*call.getType())) {
    LEM_LET(Term result, integers_.call(call));
    w_.values.define(call, result);
    return Ok{};
  }
  if (auto* moves = llvm::dyn_cast<llvm::MemTransferInst>(&call)) return memory_.copy(*moves);
  if (auto* fills = llvm::dyn_cast<llvm::MemSetInst>(&call)) return memory_.fill(*fills);
  if (const llvm::MDNode* why = call.getMetadata(kRefused))
    return w_.refuse(call, llvm::cast<llvm::MDString>(why->getOperand(0))->getString().str());
  return w_.refuse(call, "call of '" + callee.getName().str() + "', which is not defined");
}

// Assumptions and failures ----------------------------------------------------------------------

/// Those of CBMC and ESBMC have a second argument: words for the report.
static bool has_words(llvm::StringRef assertion) {
  return assertion == "__CPROVER_assert" || assertion.startswith("__ESBMC_");
}

Status Calls::assume(const llvm::CallBase& call, const llvm::Function& callee, Callee kind) {
  if (call.arg_size() != 1 && (call.arg_size() != 2 || !has_words(callee.getName())))
    return w_.refuse(call, "call of '" + callee.getName().str() + "'");
  LEM_LET(Term holds, operands_.value(*call.getArgOperand(0), call));
  if (t_.kind(holds) != SortKind::Bool)
    holds = t_.make_not(t_.make_eq(holds, t_.default_value(t_.sort(holds))));
  if (kind == Callee::Assert) {
    w_.automaton.flush();
    w_.automaton.edge(failures_.at_report(call), {Command::assume(t_.make_not(holds))},
                      line_of(call));
  }
  if (!t_.is_true(holds)) w_.automaton.emit(Command::assume(holds), call);
  return Ok{};
}

/// The run may end here as a failure; else it goes on, as it would without the check.
Result<Flow> Calls::failed_check(const llvm::CallBase& call) {
  if (in_assumption(call)) {  // an assumption without a meaning does not hold
    w_.automaton.drop();
    return Flow::Ended;
  }
  std::optional<CheckCall> check = check_of(call);
  if (!check) return w_.refuse(call, "check of an unknown kind");
  SourcePos at = place_of(call, w_.path);
  if (check->line != 0) at = {at.file, check->line, check->column};
  w_.automaton.flush();
  w_.automaton.edge(failures_.at_check(check->rule, at), {}, at.line);
  return check->rule == CRule::Unreachable ? Flow::Ended : Flow::On;
}

// Any values ------------------------------------------------------------------------------------

/// The letter that ends the conversion at this place of a format, which is behind its %.
static char conversion(llvm::StringRef format, std::size_t at) {
  std::size_t end = format.find_first_not_of("-+ #0123456789'I*.$hljztLqZw", at);
  return end == llvm::StringRef::npos ? '\0' : format[end];
}

/// printf writes to memory by %n.
Status Calls::only_prints(const llvm::CallBase& call) const {
  llvm::StringRef name = called(call)->getName();
  if (!name.endswith("printf")) return Ok{};
  unsigned at_format = name.endswith("fprintf") ? 1 : 0;
  llvm::StringRef format;
  if (call.arg_size() <= at_format || !call.getArgOperand(at_format)->getType()->isPointerTy() ||
      !llvm::getConstantStringInfo(call.getArgOperand(at_format), format))
    return w_.refuse(call, name.str() + " with a format that is not constant");
  for (std::size_t at = format.find('%'); at != llvm::StringRef::npos;
       at = format.find('%', at + (conversion(format, at + 1) == '%' ? 2 : 1)))
    if (conversion(format, at + 1) == 'n') return w_.refuse(call, name.str() + " with %n");
  return Ok{};
}

/// Any value of its type. An input goes straight into the variable that it is stored to.
Status Calls::nondet(const llvm::CallBase& call, const llvm::Function& callee) {
  bool input = is_input(callee);
  std::string name = callee.getName().str();
  auto is_pointer = [](const llvm::Value* value) { return value->getType()->isPointerTy(); };
  if (input && (call.getType()->isVoidTy() || llvm::any_of(call.args(), is_pointer)))
    return w_.refuse(call, "call of '" + name + "', which may write to memory");
  if (call.getType()->isVoidTy()) return Ok{};
  if (call.use_empty() && !input) return Ok{};
  if (call.getType()->isPointerTy() && !input) return pointers_.define(call);
  if (!is_scalar(*call.getType()))
    return w_.refuse(call, kind_of(*call.getType()) + " from '" + name + "'");
  std::uint32_t bits = scalar_bits(*call.getType());
  CSign sign = nondet_sign(name);
  auto* store = call.hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(call.user_back()) : nullptr;
  std::optional<Term> target;
  if (store != nullptr && store == call.getNextNonDebugInstruction())
    target = memory_.sole_target(*store, sign);
  if (target) w_.values.keep_before_write(*target, *store);
  Term variable = target ? *target : w_.automaton.internal(w_.encoding.sort(*call.getType()), bits);
  if (input) w_.automaton.flush();
  w_.automaton.emit(Command::havoc(variable), call);
  Term range = w_.encoding.arithmetic.in_range(variable, bits, sign);
  if (!t_.is_true(range)) w_.automaton.emit(Command::assume(range), call);
  w_.values.set(call, variable);
  if (!input) return Ok{};
  w_.automaton.flush();
  w_.automaton.add_input(variable, name, sign, place_of(call, w_.path));
  return Ok{};
}

}  // namespace lem::c
