#include "frontend/c/translate.h"

#include <llvm/IR/Constants.h>

#include "base/assert.h"
#include "base/try.h"
#include "frontend/c/calls.h"

namespace lem::c {

namespace {

class Translator {
 public:
  Translator(const llvm::Function& main, const std::string& path, const COptions& options)
      : w_(main, path, options), failures_(w_.automaton, path, options) {}
  Result<CProgram> run();

 private:
  struct Jump {
    const llvm::BasicBlock* to;
    Term guard;
  };
  Status chain(const llvm::BasicBlock& head);
  Result<Flow> instruction(const llvm::Instruction& instruction);
  void define_dropped(const llvm::Instruction& instruction);
  Result<Term> compute(const llvm::Instruction& instruction);
  Result<Term> select(const llvm::SelectInst& select);
  Status terminator(const llvm::Instruction& last);
  Result<std::vector<Jump>> jumps(const llvm::Instruction& last);
  Status leave(const llvm::BasicBlock& from, const Jump& jump);
  Result<std::vector<Command>> moves(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  Workspace w_;
  TermStore& t_ = w_.terms;
  Failures failures_;
  Operands operands_{w_};
  Objects objects_{w_, operands_, failures_};
  Memory memory_{w_, operands_, objects_, failures_};
  PointerOperations pointers_{w_, operands_, objects_, memory_};
  IntegerOperations integers_{w_, operands_};
  FloatOperations floats_{w_, operands_};
  Calls calls_{w_, operands_, failures_, objects_, memory_, pointers_, integers_, floats_};
};

Result<CProgram> Translator::run() {
  LEM_TRY(w_.analyse());
  objects_.start_numbers();
  LEM_TRY(memory_.start());
  LEM_TRY(floats_.start());
  objects_.start_lives();
  operands_.addresses().find();
  w_.automaton.end(w_.automaton.location(w_.main.getEntryBlock()), 0);
  for (const llvm::BasicBlock* head : w_.chains.heads()) LEM_TRY(chain(*head));
  Result<CProgram> program = std::move(w_.automaton).finish();
  if (program) program->properties = std::move(failures_).properties();
  return program;
}

Status Translator::chain(const llvm::BasicBlock& head) {
  w_.automaton.begin(head);
  w_.values.begin();
  for (const llvm::BasicBlock* block = &head; block != nullptr; block = Chains::next(*block))
    for (const llvm::Instruction& here : *block) {
      w_.automaton.at(here);
      if (here.isTerminator() && Chains::next(*block) != nullptr) break;
      if (here.isTerminator()) return terminator(here);
      LEM_LET(Flow flow, instruction(here));
      if (flow == Flow::Ended) return Ok{};
    }
  unreachable();
}

// Instructions ----------------------------------------------------------------------------------

/// Only differences of addresses are numbers.
bool is_subtracted(const llvm::Instruction& address) {
  return std::all_of(address.user_begin(), address.user_end(),
                     [](const llvm::User* user) { return is_difference(*user); });
}

Result<Flow> Translator::instruction(const llvm::Instruction& instruction) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return calls_.translate(*call);
  const llvm::Type& type = *instruction.getType();
  if (w_.cells.drops(instruction)) {
    define_dropped(instruction);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    LEM_TRY(memory_.store(*store));
  } else if (llvm::isa<llvm::AllocaInst, llvm::PHINode>(instruction) ||
             (llvm::isa<llvm::PtrToIntInst>(instruction) && is_subtracted(instruction))) {
    return Flow::On;  // its users know what it is
  } else if (type.isPointerTy()) {
    LEM_TRY(pointers_.define(instruction));
  } else {
    if (llvm::isa<llvm::FenceInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
      return w_.refuse(instruction, "atomic access");
    if (!is_scalar(type)) return w_.refuse(instruction, kind_of(type));
    LEM_LET(Term term, compute(instruction));
    w_.values.define(instruction, term);
  }
  return Flow::On;
}

/// A copy of what memory has no cells for: any value.
void Translator::define_dropped(const llvm::Instruction& instruction) {
  const llvm::Type& type = *instruction.getType();
  if (type.isPointerTy())
    w_.values.define(instruction, operands_.any_pointer(instruction));
  else if (!llvm::isa<llvm::StoreInst>(instruction))
    w_.values.define(instruction, w_.automaton.any(w_.encoding.sort(type), instruction));
}

Result<Term> Translator::compute(const llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return memory_.load(*load);
  if (is_float_operation(instruction)) return floats_.compute(instruction);
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    std::optional<Result<Term>> difference = pointers_.difference(*op);
    return difference ? *difference : integers_.binary(*op);
  }
  if (auto* test = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return test->getOperand(0)->getType()->isPointerTy() ? pointers_.compare(*test)
                                                         : integers_.compare(*test);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return integers_.cast(*cast);
  if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction))
    return operands_.value(*freeze->getOperand(0), instruction);
  if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return select(*choice);
  if (llvm::isa<llvm::VAArgInst>(instruction)) return w_.refuse(instruction, "variable arguments");
  return w_.refuse(instruction, std::string("instruction '") + instruction.getOpcodeName() + "'");
}

Result<Term> Translator::select(const llvm::SelectInst& select) {
  LEM_LET(Term condition, operands_.value(*select.getCondition(), select));
  LEM_LET(Term yes, operands_.value(*select.getTrueValue(), select));
  LEM_LET(Term no, operands_.value(*select.getFalseValue(), select));
  return t_.make_ite(condition, yes, no);
}

// Jumps -----------------------------------------------------------------------------------------

/// The values that the phis of `to` have when control comes from `from`, all at once.
Result<std::vector<Command>> Translator::moves(const llvm::BasicBlock& from,
                                               const llvm::BasicBlock& to) {
  std::vector<Write> writes;
  for (const llvm::PHINode& phi : to.phis()) {
    const llvm::Value& incoming = *phi.getIncomingValueForBlock(&from);
    if (phi.getType()->isPointerTy()) {
      LEM_LET(Pointer source, operands_.pointer(incoming, *from.getTerminator()));
      Pointer target = operands_.phi_pointer(phi);
      if (!t_.is_value(target.object)) writes.push_back({target.object, source.object});
      if (!t_.is_value(target.index)) writes.push_back({target.index, source.index});
      continue;
    }
    if (!is_scalar(*phi.getType())) return w_.refuse(phi, "value of this type");
    LEM_LET(Term term, operands_.value(incoming, *from.getTerminator()));
    writes.push_back({operands_.phi(phi), term});
  }
  std::vector<Command> commands = w_.values.at_once(writes);
  std::erase_if(commands, [](const Command& move) { return move.variable() == move.value(); });
  return commands;
}

Status Translator::leave(const llvm::BasicBlock& from, const Jump& jump) {
  if (t_.is_false(jump.guard)) return Ok{};
  LEM_LET(std::vector<Command> commands, moves(from, *jump.to));
  if (!t_.is_true(jump.guard)) commands.insert(commands.begin(), Command::assume(jump.guard));
  w_.automaton.branch(w_.automaton.location(*jump.to), commands, line_of(*from.getTerminator()));
  return Ok{};
}

Result<std::vector<Translator::Jump>> Translator::jumps(const llvm::Instruction& last) {
  if (auto* jump = llvm::dyn_cast<llvm::BranchInst>(&last)) {
    if (jump->isUnconditional())
      return std::vector<Jump>{{jump->getSuccessor(0), t_.boolean(true)}};
    LEM_LET(Term condition, operands_.value(*jump->getCondition(), last));
    return std::vector<Jump>{{jump->getSuccessor(0), condition},
                             {jump->getSuccessor(1), t_.make_not(condition)}};
  }
  auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&last);
  if (choice == nullptr)
    return w_.refuse(
        last, llvm::isa<llvm::IndirectBrInst>(last) ? "computed goto" : last.getOpcodeName());
  LEM_LET(Term on, operands_.value(*choice->getCondition(), last));
  std::vector<Jump> out;
  std::vector<Term> others;
  for (const auto& one : choice->cases()) {
    Term number = w_.encoding.arithmetic.constant(one.getCaseValue()->getValue(), CSign::Signed);
    Term here = t_.make_eq(on, number);
    out.push_back({one.getCaseSuccessor(), here});
    others.push_back(t_.make_not(here));
  }
  out.push_back({choice->getDefaultDest(), t_.make_and(others)});
  return out;
}

Status Translator::terminator(const llvm::Instruction& last) {
  if (llvm::isa<llvm::ReturnInst>(last)) {
    objects_.check_leaks(last);
    w_.automaton.flush_before(line_of(last));
    w_.automaton.end(w_.automaton.exit(), line_of(last));
    return Ok{};
  }
  if (!llvm::isa<llvm::UnreachableInst>(last)) {  // else the program says that no run gets here
    LEM_LET(std::vector<Jump> all, jumps(last));
    if (all.size() > 1) w_.automaton.flush();
    for (const Jump& jump : all) LEM_TRY(leave(*last.getParent(), jump));
  }
  w_.automaton.drop();
  return Ok{};
}

}  // namespace

Result<CProgram> translate(const llvm::Function& main, const std::string& path,
                           const COptions& options) {
  return Translator(main, path, options).run();
}

}  // namespace lem::c
