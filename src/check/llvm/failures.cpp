// Failures that a program reports by calls, and undefined behaviour that is looked for: a run ends
// in the failure that is wanted, and nowhere else.
#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>

#include "check/llvm/machine.h"

namespace lem::check {

static bool is_named_assert(llvm::StringRef name) {
  return name.contains_insensitive("assert");
}

bool Machine::is_at(const llvm::Instruction* instruction) const {
  const llvm::DILocation* at = instruction == nullptr ? nullptr : instruction->getDebugLoc().get();
  return at != nullptr && at->getLine() == values_.wanted->line &&
         at->getColumn() == values_.wanted->column;
}

/// What a function of the library does is at its call: the models of these functions have no
/// places of their own.
const llvm::Instruction* Machine::placed() const {
  const llvm::Instruction* at = current_;
  for (auto frame = frames_.rbegin(); frame != frames_.rend() && frame->call != nullptr; ++frame) {
    if (frame->function->getSubprogram() != nullptr) break;
    at = frame->call;
  }
  return at;
}

bool Machine::is_wanted(CRule rule) const {
  return values_.wanted && values_.wanted->rule == rule && is_at(placed());
}

/// An assertion is at the call of the function that reports it, or of one around that; a call of
/// reach_error is none if the function around it is an assertion.
void Machine::report(llvm::StringRef callee) {
  bool wanted = !values_.wanted;
  if (values_.wanted && values_.wanted->rule == CRule::Assertion) {
    wanted = is_at(current_);
    for (const Frame& frame : frames_) wanted = wanted || is_at(frame.call);
  } else if (values_.wanted && values_.wanted->rule == CRule::ErrorCall) {
    wanted = !is_named_assert(callee) && !is_named_assert(frames_.back().function->getName());
  }
  if (wanted) return end(How::Reached, "");
  end(How::Ended, "another assertion fails before");
}

/// The place that clang gives to what its checks call.
static std::pair<std::uint32_t, std::uint32_t> place_in(const llvm::CallBase& call) {
  auto* data = llvm::dyn_cast<llvm::GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  const llvm::Constant* place = data != nullptr && data->hasInitializer()
                                    ? data->getInitializer()->getAggregateElement(0U)
                                    : nullptr;
  auto number = [&](unsigned i) {
    auto* found = llvm::dyn_cast_or_null<llvm::ConstantInt>(
        place == nullptr ? nullptr : place->getAggregateElement(i));
    return found == nullptr ? 0U : static_cast<std::uint32_t>(found->getZExtValue());
  };
  return {number(1), number(2)};
}

/// Only wanted failures end the run, and what cannot go on. Models of library functions give no
/// place: it is that of the call.
void Machine::handle(const llvm::CallBase& call, CRule rule) {
  bool placed = call.arg_size() > 0 && !llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(0));
  bool here = placed && values_.wanted && values_.wanted->rule == rule &&
              place_in(call) == std::pair(values_.wanted->line, values_.wanted->column);
  if (here || (!placed && is_wanted(rule))) return end(How::Reached, "");
  if (rule == CRule::Unreachable) return end(How::Ended, "__builtin_unreachable is reached");
  set(call, Value());
}

// Memory -----------------------------------------------------------------------------------------

/// An access that ends the run, unless it is what was looked for.
void Machine::fault(const Pointer& at, std::string reason) {
  bool gone = !at.is_number() && !memory_.is_live(at);
  CRule rule = at.is_number() ? CRule::Null : gone ? CRule::UseAfterFree : CRule::Bounds;
  if (rule == CRule::Bounds && memory_.function_at(at) != nullptr) rule = CRule::Null;
  if (is_wanted(rule)) return end(How::Reached, "");
  // Where undefined behaviour is looked for, a place outside of an object is separate memory, as in
  // the automaton: the run goes on to other places.
  bool goes_on = values_.wanted && values_.wanted->rule != CRule::Assertion &&
                 values_.wanted->rule != CRule::ErrorCall && rule == CRule::Bounds;
  if (!goes_on) end(How::Ended, std::move(reason));
}

/// Memory is given back only where that is looked for: elsewhere free does nothing, as in the
/// automaton.
bool Machine::tracks_life() const {
  if (!values_.wanted) return false;
  CRule rule = values_.wanted->rule;
  return rule == CRule::UseAfterFree || rule == CRule::DoubleFree || rule == CRule::Leak;
}

void Machine::note_made(const Pointer& object) {
  if (tracks_life()) made_.emplace_back(object, placed());
}

void Machine::release(const llvm::CallBase& call) {
  if (!tracks_life() || call.arg_size() != 1) return;
  Value given = argument(call, 0);
  if (end_) return;
  if (!given.is_address()) {
    if (is_wanted(CRule::DoubleFree)) return end(How::Reached, "");
    return undecided("free of a pointer that was never set");
  }
  if (given.pointer == Pointer{}) return;
  auto found = std::find_if(made_.begin(), made_.end(),
                            [&](const auto& one) { return one.first == given.pointer; });
  if (found != made_.end()) {
    memory_.release(found->first);
    made_.erase(found);
  } else if (is_wanted(CRule::DoubleFree)) {
    end(How::Reached, "");
  } else {
    end(How::Ended, "free of what is not on the heap any more");
  }
}

/// When the program ends.
void Machine::check_leaks() {
  if (!values_.wanted || values_.wanted->rule != CRule::Leak) return;
  for (const auto& [object, at] : made_)
    if (is_at(at)) return end(How::Reached, "");
}

}  // namespace lem::check
