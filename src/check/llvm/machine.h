// The machine that an interpreted program runs on: calls, registers, the next instruction. Once the
// run has an end, what is still computed has no effect.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <deque>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "check/llvm/interpreter.h"
#include "check/llvm/memory.h"
#include "check/llvm/value.h"

namespace lem::check {

class Machine {
 public:
  Machine(const llvm::Module& module, const RunValues& values, const InterpreterLimits& limits,
          std::stop_token stop);
  Interpretation run();

 private:
  using How = Interpretation::How;
  struct Passed {  // variable arguments of a call
    Pointer saved{}, stack{};
    std::uint64_t stack_used = 0;
    std::uint32_t integers = 0, floats = 0;            // registers in use
    std::uint32_t first_integer = 0, first_float = 0;  // offsets behind the named arguments
  };
  struct Frame {
    const llvm::Function* function;
    const llvm::CallBase* call;  // of the caller; null at the bottom
    const llvm::BasicBlock* block;
    llvm::BasicBlock::const_iterator next;
    std::vector<Value> registers;
    std::vector<Pointer> locals;
    std::optional<Passed> passed{};
  };
  struct Layout {  // what is the same in all calls of a function
    llvm::DenseMap<const llvm::Value*, unsigned> registers;
    llvm::DenseMap<const llvm::Value*, const llvm::DILocalVariable*> declared;
    llvm::DenseMap<const llvm::Value*, bool> starts_later;  // locals with a lifetime
  };

  // machine.cpp: the run
  // ---------------------------------------------------------------------------
  void end(How how, std::string reason);
  void undecided(std::string reason) { end(How::Undecided, std::move(reason)); }
  void make_globals();
  void write_initial(const Pointer& at, const llvm::Constant& value);
  std::vector<const llvm::Function*> listed(const char* name) const;
  void begin_next_function();
  void begin_exit(std::uint32_t code);
  void enter(const llvm::Function& function, const llvm::CallBase* call, std::vector<Value> args);
  void leave(const Value* result);
  void jump(const llvm::BasicBlock& to);
  void step();
  void terminator(const llvm::Instruction& instruction);
  const Layout& layout_of(const llvm::Function& function);

  // machine.cpp: values
  // ----------------------------------------------------------------------------
  Value operand(const llvm::Value& value);
  Value constant(const llvm::Constant& value, unsigned depth);
  Value expression(const llvm::ConstantExpr& value, unsigned depth);
  Value undefined(llvm::Type& type);
  bool is_movable(llvm::Type& type);
  void set(const llvm::Instruction& instruction, Value value);
  /// The value of a branch condition or switch; ends the run if it is undefined.
  std::optional<llvm::APInt> decided(const Value& value, const char* what);

  // instructions.cpp
  // -------------------------------------------------------------------------------
  Value compute(const llvm::Instruction& instruction);
  Value operate(const llvm::User& user, unsigned opcode, std::vector<Value> args,
                llvm::CmpInst::Predicate predicate);
  Value binary(unsigned opcode, const Value& a, const Value& b, llvm::Type& type);
  Value address(const llvm::GEPOperator& way, const std::vector<Value>& args);
  Value chosen(const Value& condition, Value yes, Value no, llvm::Type& type);
  Value allocate(const llvm::AllocaInst& local);
  Value load(const llvm::LoadInst& load);
  void store(const llvm::StoreInst& store);
  Value element(const llvm::Instruction& instruction);
  bool accessible(const Value& pointer, std::uint64_t size, Memory::Access access);
  void start_local(const llvm::AllocaInst& local, const Pointer& object);
  void supply(const std::string& function, const llvm::DIVariable& variable, const Pointer& object);
  std::uint64_t pointer_bits() const { return layout_.getPointerSizeInBits(); }

  // calls.cpp
  // --------------------------------------------------------------------------------------
  void call(const llvm::CallBase& call);
  void call_defined(const llvm::CallBase& call, const llvm::Function& callee);
  bool call_convention(const llvm::CallBase& call, llvm::StringRef name);
  bool call_library(const llvm::CallBase& call, llvm::StringRef name);
  bool call_intrinsic(const llvm::IntrinsicInst& call);
  bool call_integer_intrinsic(const llvm::IntrinsicInst& call);
  bool call_float(const llvm::CallBase& call, llvm::StringRef name);
  void input(const llvm::CallBase& call, llvm::StringRef name);
  void copy(const llvm::CallBase& call);
  void fill(const llvm::CallBase& call);
  void make_object(const llvm::CallBase& call, const std::optional<llvm::APInt>& size,
                   Memory::Fill fill);
  void resize(const llvm::CallBase& call);
  void copy_what_fits(const llvm::CallBase& call);
  void reallocate(const llvm::CallBase& call);
  void lifetime(const llvm::IntrinsicInst& call);
  Value argument(const llvm::CallBase& call, unsigned i) { return operand(*call.getArgOperand(i)); }

  // variable_arguments.cpp
  // -------------------------------------------------------------------------
  bool pass_one(const llvm::CallBase& call, unsigned i, Passed& passed);
  std::optional<Passed> pass_rest(const llvm::CallBase& call, const llvm::Function& callee);
  void start_list(const llvm::IntrinsicInst& call);
  void copy_list(const llvm::IntrinsicInst& call);

  // failures.cpp
  // -----------------------------------------------------------------------------------
  void report(llvm::StringRef callee);
  void handle(const llvm::CallBase& call, CRule rule);
  bool is_at(const llvm::Instruction* instruction) const;
  bool is_wanted(CRule rule) const;
  bool tracks_life() const;
  const llvm::Instruction* placed() const;
  void note_made(const Pointer& object);
  void make_given(const llvm::CallBase& call);
  void shrink_given(const llvm::CallBase& call);
  void release(const llvm::CallBase& call);
  void fault(const Pointer& at, std::string reason);
  void check_leaks();

  const llvm::Module& module_;
  const llvm::DataLayout& layout_;
  const RunValues& values_;
  InterpreterLimits limits_;
  std::stop_token stop_;
  Memory memory_;
  std::vector<Frame> frames_;
  llvm::DenseMap<const llvm::Value*, Pointer> globals_;  // variables and functions
  std::map<const llvm::Function*, Layout> layouts_;
  std::deque<const llvm::Function*> waiting_;  // constructors, main; then destructors
  bool exiting_ = false;
  std::uint32_t code_ = 0;
  std::size_t taken_ = 0;          // inputs
  std::vector<bool> start_taken_;  // by values_.starts
  std::uint64_t steps_ = 0;
  std::uint32_t line_ = 0;
  const llvm::Instruction* current_ = nullptr;
  std::vector<std::pair<Pointer, const llvm::Instruction*>> made_;  // on the heap, and where
  llvm::RoundingMode rounding_ = llvm::RoundingMode::NearestTiesToEven;
  std::optional<Interpretation> end_;
};

}  // namespace lem::check
