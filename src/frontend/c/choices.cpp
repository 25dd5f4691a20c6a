#include "frontend/c/choices.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/c/assertions.h"
#include "frontend/c/place.h"

namespace lem::c {

// Order of evaluation ---------------------------------------------------------------------------

namespace {

/// A variable, or what a pointer variable points to.
struct Accessed {
  const llvm::Value* variable;
  bool behind = false;
  friend auto operator<=>(const Accessed&, const Accessed&) = default;
};

struct Effects {
  std::set<Accessed> reads, writes;
  bool join(const Effects& other) {
    std::size_t before = reads.size() + writes.size();
    reads.insert(other.reads.begin(), other.reads.end());
    writes.insert(other.writes.begin(), other.writes.end());
    return reads.size() + writes.size() != before;
  }
};

/// What the pointer is of, if that is a variable or what one points to. Of a parameter, which clang
/// keeps in a variable, the parameter.
std::optional<Accessed> memory_at(const llvm::Value& pointer) {
  const llvm::Value* base = &pointer;
  for (;;) {
    if (auto* way = llvm::dyn_cast<llvm::GEPOperator>(base))
      base = way->getPointerOperand();
    else if (auto* same = llvm::dyn_cast<llvm::BitCastOperator>(base))
      base = same->getOperand(0);
    else
      break;
  }
  if (llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(base)) return Accessed{base};
  auto* load = llvm::dyn_cast<llvm::LoadInst>(base);
  if (load == nullptr) return std::nullopt;
  std::optional<Accessed> from = memory_at(*load->getPointerOperand());
  if (!from || from->behind) return std::nullopt;
  for (const llvm::User* user : from->variable->users())
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      if (llvm::isa<llvm::Argument>(store->getValueOperand()))
        return Accessed{store->getValueOperand(), true};
  return Accessed{from->variable, true};
}

class Order {
 public:
  Order(const llvm::Module& module, const std::string& path) : module_(module), path_(path) {}
  std::vector<Warning> run();

 private:
  bool add_body(const llvm::Function& function);
  Effects of_call(const llvm::CallBase& call) const;
  void add_tree(const llvm::Value& value, Effects& out, std::set<const llvm::Value*>& seen) const;
  void look(const llvm::Instruction& instruction);
  void compare(const llvm::Instruction& at, const Effects& one, const Effects& other);

  const llvm::Module& module_;
  const std::string& path_;
  std::map<const llvm::Function*, Effects> bodies_;  // globals, and what parameters point to
  std::vector<Warning> found_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places_;
};

/// In terms of the caller: what a parameter points to is what the argument points to.
Effects Order::of_call(const llvm::CallBase& call) const {
  const llvm::Function* callee = called(call);
  auto found = callee == nullptr ? bodies_.end() : bodies_.find(callee);
  Effects out;
  if (found == bodies_.end()) return out;
  auto translate = [&](const std::set<Accessed>& from, std::set<Accessed>& to) {
    for (const Accessed& one : from) {
      auto* parameter = llvm::dyn_cast<llvm::Argument>(one.variable);
      if (parameter == nullptr) {
        to.insert(one);
      } else if (parameter->getArgNo() < call.arg_size()) {
        if (auto at = memory_at(*call.getArgOperand(parameter->getArgNo()))) to.insert(*at);
      }
    }
  };
  translate(found->second.reads, out.reads);
  translate(found->second.writes, out.writes);
  return out;
}

/// Whether anything is new. Locals of the function itself are left out: no other function has them.
bool Order::add_body(const llvm::Function& function) {
  Effects now;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      if (auto at = memory_at(*load->getPointerOperand())) now.reads.insert(*at);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (auto at = memory_at(*store->getPointerOperand())) now.writes.insert(*at);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) now.join(of_call(*call));
  }
  auto is_local = [](const Accessed& one) { return llvm::isa<llvm::AllocaInst>(one.variable); };
  std::erase_if(now.reads, is_local);
  std::erase_if(now.writes, is_local);
  return bodies_[&function].join(now);
}

/// What is read and called to compute a value, in the expression that it is of.
void Order::add_tree(const llvm::Value& value, Effects& out,
                     std::set<const llvm::Value*>& seen) const {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || llvm::isa<llvm::AllocaInst>(instruction) ||
      !seen.insert(instruction).second)
    return;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
    if (auto at = memory_at(*load->getPointerOperand())) out.reads.insert(*at);
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(instruction)) out.join(of_call(*call));
  for (const llvm::Value* operand : instruction->operands()) add_tree(*operand, out, seen);
}

static std::string name_of(const Accessed& memory) {
  std::string name = memory.variable->getName().str();
  for (llvm::DbgVariableIntrinsic* declared :
       llvm::FindDbgAddrUses(const_cast<llvm::Value*>(memory.variable)))
    name = declared->getVariable()->getName().str();
  if (name.empty()) return memory.behind ? "what a pointer points to" : "a variable";
  return memory.behind ? "what '" + name + "' points to" : "'" + name + "'";
}

/// A variable that one changes and the other reads or changes.
static std::optional<Accessed> shared(const Effects& one, const Effects& other) {
  for (const Accessed& written : one.writes)
    if (other.reads.count(written) != 0 || other.writes.count(written) != 0) return written;
  return std::nullopt;
}

void Order::compare(const llvm::Instruction& at, const Effects& one, const Effects& other) {
  std::optional<Accessed> both = shared(one, other);
  if (!both) both = shared(other, one);
  if (!both) return;
  SourcePos place = place_of(at, path_);
  if (!places_.insert({place.line, place.column}).second) return;
  found_.push_back({std::move(place), "the result may depend on the order in which C evaluates " +
                                          std::string("operands, which is open: ") +
                                          name_of(*both) +
                                          " is changed in one and used in another; clang's order "
                                          "is checked"});
}

/// Operands of operators, arguments, and the two sides of an assignment.
void Order::look(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  bool operates =
      llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::StoreInst, llvm::GetElementPtrInst>(
          instruction);
  if (!operates && (call == nullptr || call->isInlineAsm())) return;
  std::vector<Effects> parts;
  for (const llvm::Use& use :
       call ? call->args() : llvm::make_range(instruction.op_begin(), instruction.op_end())) {
    Effects part;
    std::set<const llvm::Value*> seen;
    add_tree(*use, part, seen);
    for (const Effects& before : parts) compare(instruction, before, part);
    parts.push_back(std::move(part));
  }
}

std::vector<Warning> Order::run() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function& function : module_)
      if (!function.isDeclaration()) changed = add_body(function) || changed;
  }
  for (const llvm::Function& function : module_)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) look(instruction);
  return std::move(found_);
}

}  // namespace

std::vector<Warning> order_of_evaluation(const llvm::Module& module, const std::string& path) {
  return Order(module, path).run();
}

// Others ----------------------------------------------------------------------------------------

std::vector<Warning> excess_precision(const llvm::Module& module, const std::string& path) {
  if (module.getDataLayout().getPointerSizeInBits() != 32) return {};
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      bool narrow = instruction.getType()->isFloatTy() || instruction.getType()->isDoubleTy();
      if (narrow && llvm::isa<llvm::BinaryOperator>(instruction))
        return {{place_of(instruction, path),
                 "results of type float and double are rounded to their type, as clang has it; "
                 "gcc for 32 bits keeps more digits of them"}};
    }
  return {};
}

static bool reports(const llvm::Function& function, std::set<const llvm::Function*>& seen) {
  if (!seen.insert(&function).second) return false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
    if (call != nullptr && is_error_loop(*call)) return true;
    if (callee == nullptr) continue;
    Callee kind = callee_of(*callee);
    if (kind == Callee::Error || kind == Callee::Assert || reports(*callee, seen)) return true;
  }
  return false;
}

std::vector<Warning> silent_assertions(const llvm::Module& module, const std::string& path) {
  std::vector<Warning> out;
  for (const llvm::Function& function : module) {
    std::string name = function.getName().str();
    if (function.isDeclaration() || !is_asserting(name) || is_error_name(name)) continue;
    std::set<const llvm::Function*> seen;
    if (function.use_empty() || reports(function, seen)) continue;
    out.push_back({place_of(function, path), "'" + name +
                                                 "' is a function of the program and reports no "
                                                 "failure: calls of it are no assertions"});
  }
  return out;
}

static bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<Warning> compiler_macros(const std::string& text, const std::string& path) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 6> kMacros = {{
      {"__OPTIMIZE__", "it is not defined here, as without optimisation"},
      {"__OPTIMIZE_SIZE__", "it is not defined here, as without optimisation"},
      {"__NO_INLINE__", "it is defined here, as without optimisation"},
      {"__FAST_MATH__", "it is not defined here"},
      {"FLT_EVAL_METHOD", "it is clang's here"},
      {"__FLT_EVAL_METHOD__", "it is clang's here"},
  }};
  std::vector<Warning> out;
  std::set<std::string_view> seen;
  std::istringstream in(text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::string_view code = std::string_view(line).substr(0, line.find("//"));
    for (const auto& [macro, words] : kMacros) {
      std::size_t at = code.find(macro);
      if (at == std::string_view::npos) continue;
      std::size_t end = at + macro.size();
      bool whole =
          (at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]));
      if (!whole || !seen.insert(macro).second) continue;
      out.push_back(
          {{path, number, static_cast<std::uint32_t>(at) + 1},
           "'" + std::string(macro) + "' depends on how the program is compiled; " + words});
    }
  }
  return out;
}

}  // namespace lem::c
