#include "frontend/c/operands.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "base/try.h"

namespace lem::c {

std::string kind_of(const llvm::Type& type) {
  if (type.isFloatingPointTy()) return "floating-point number of this type";
  if (type.isPointerTy()) return "pointer as a value";
  if (type.isVectorTy()) return "vector";
  return "struct as a value";
}

// Numbers ---------------------------------------------------------------------------------------

Result<Term> Operands::value(const llvm::Value& value, const llvm::Instruction& user, CSign sign) {
  if (!is_scalar(*value.getType())) return w_.refuse(user, kind_of(*value.getType()));
  if (std::optional<Term> number = encoding_.constant(value, sign)) return *number;
  if (llvm::isa<llvm::PHINode, llvm::Argument>(value))  // of main: any value, as at the start
    return read_as(variable(value), value, sign);
  if (Term found = w_.values.of(value)) return read_as(found, value, sign);
  if (auto* number = llvm::dyn_cast<llvm::PtrToIntOperator>(&value))
    return address(*number->getPointerOperand(), *value.getType(), user);
  return w_.refuse(user, "address as a number");
}

Result<std::vector<Term>> Operands::values(const llvm::Instruction& user) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
  std::vector<Term> out;
  for (const llvm::Use& use : call != nullptr ? call->args() : user.operands()) {
    LEM_LET(Term term, value(*use, user));
    out.push_back(term);
  }
  return out;
}

/// Of a value that has one variable in the whole run.
Term Operands::variable(const llvm::Value& value) {
  if (Term known = w_.values.of(value)) return known;
  const llvm::Type& type = *value.getType();
  Term made = w_.automaton.internal(encoding_.sort(type), scalar_bits(type));
  w_.values.set(value, made);
  return made;
}

Result<Term> Operands::address(const llvm::Value& value, const llvm::Type& type,
                               const llvm::Instruction& user) {
  if (encoding_.ideal()) return w_.refuse(user, "address as a number over integers (--arith int)");
  LEM_LET(Pointer at, pointer(value, user));
  return addresses_.number(value, at, type, user);
}

// Signs -----------------------------------------------------------------------------------------

bool wraps(const llvm::BinaryOperator& op) {
  switch (op.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
      return !op.hasMetadata(kSigned) && !llvm::isa<llvm::PtrToIntOperator>(op.getOperand(0));
    case llvm::Instruction::Shl:
      return true;
    default:
      return false;
  }
}

bool is_unsigned(const llvm::BinaryOperator& op) {
  switch (op.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::LShr:
    case llvm::Instruction::And:
      return true;
    default:
      return wraps(op);
  }
}

CSign Operands::sign_of(const llvm::Value& value) const {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value); load && !w_.cells.drops(*load))
    return w_.cells.sign_of(w_.cells.of(*load));
  if (llvm::isa<llvm::ZExtInst>(value)) return CSign::Unsigned;
  if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(&value)) {
    auto* before = llvm::dyn_cast<llvm::SExtInst>(cut->getOperand(0));
    bool undone = before && before->getSrcTy()->getIntegerBitWidth() <=
                                cut->getDestTy()->getIntegerBitWidth();
    return undone ? CSign::Signed : CSign::Unsigned;
  }
  auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (op != nullptr && is_unsigned(*op)) return CSign::Unsigned;
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&value))
    if (const llvm::Function* callee = called(*call); callee && is_input(*callee))
      return nondet_sign(callee->getName());
  return CSign::Signed;
}

/// The highest number that an unsigned value can be, where that is less than its type allows.
static std::optional<mpz_class> most_of(const llvm::Value& value) {
  if (auto* wider = llvm::dyn_cast<llvm::ZExtInst>(&value))
    return (mpz_class(1) << wider->getSrcTy()->getIntegerBitWidth()) - 1;
  auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  auto* by = op ? llvm::dyn_cast<llvm::ConstantInt>(op->getOperand(1)) : nullptr;
  if (by == nullptr || by->getValue().getActiveBits() > 62) return std::nullopt;
  auto number = mpz_class(static_cast<unsigned long>(by->getZExtValue()));
  if (op->getOpcode() == llvm::Instruction::And) return number;
  if (op->getOpcode() == llvm::Instruction::URem && number > 0) return number - 1;
  return std::nullopt;
}

/// Over Int, the value as a number of this sign.
Term Operands::read_as(Term term, const llvm::Value& value, CSign sign) const {
  if (!encoding_.ideal() || t_.kind(term) != SortKind::Int || !value.getType()->isIntegerTy())
    return term;
  std::uint32_t bits = value.getType()->getIntegerBitWidth();
  if (sign_of(value) == sign) return term;
  if (sign == CSign::Signed)
    if (std::optional<mpz_class> most = most_of(value);
        most && *most < (mpz_class(1) << (bits - 1)))
      return term;
  return encoding_.arithmetic.read_as(term, bits, sign);
}

// Pointers --------------------------------------------------------------------------------------

Pointer Operands::any_pointer(const llvm::Instruction& at) {
  return {w_.automaton.any(encoding_.object_sort(), at), encoding_.index_of(0)};
}

Pointer Operands::phi_pointer(const llvm::PHINode& phi) {
  if (std::optional<Pointer> known = w_.values.pointer(phi)) return *known;
  Targets targets = points_to_(phi);
  std::optional<ObjectId> only = encoding_.only(targets);
  Pointer made;
  made.object = only ? encoding_.object(*only) : w_.automaton.internal(encoding_.object_sort());
  made.index = encoding_.indexed(targets) ? w_.automaton.internal(encoding_.index_sort())
                                          : encoding_.index_of(0);
  w_.values.set(phi, made);
  return made;
}

Result<Pointer> Operands::pointer(const llvm::Value& value, const llvm::Instruction& user) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return phi_pointer(*phi);
  if (std::optional<Pointer> known = w_.values.pointer(value)) return *known;
  if (auto site = points_to_.object_of(&value); site && !llvm::isa<llvm::CallBase>(value))
    return Pointer{encoding_.object(*site), encoding_.index_of(0)};
  if (llvm::isa<llvm::ConstantPointerNull>(value)) return encoding_.null();
  if (auto* access = llvm::dyn_cast<llvm::GEPOperator>(&value)) return element(*access, user);
  if (auto* same = llvm::dyn_cast<llvm::BitCastOperator>(&value))
    return pointer(*same->getOperand(0), user);
  if (llvm::isa<llvm::UndefValue, llvm::Argument>(value)) return any_pointer(user);
  return w_.refuse(user, "pointer made from a number");
}

Result<Pointer> Operands::element(const llvm::GEPOperator& element, const llvm::Instruction& user) {
  LEM_LET(Pointer base, pointer(*element.getPointerOperand(), user));
  Targets targets = points_to_(*element.getPointerOperand());
  if (!encoding_.indexed(targets)) return base;
  Displacement by = displacement(element, points_to_.layout());
  const auto& [first, offset] = *targets.objects.begin();  // with the rest that all have
  auto step = static_cast<std::int64_t>(points_to_.step(first));
  auto width = points_to_.layout().getIndexSizeInBits(0);
  // (rest + constant) / step without overflow of the sum
  std::int64_t whole = by.constant / step - (by.constant % step < 0 ? 1 : 0);
  std::int64_t left = by.constant - whole * step;
  if (rest_of(offset, points_to_.step(first)) >= step - left) ++whole;
  Term sum = encoding_.add(base.index, encoding_.index_of(whole));
  for (const auto& [factor_of, factor] : by.terms) {
    LEM_LET(Term count, value(*factor_of, user));
    if (t_.kind(count) == SortKind::BitVec && t_.width(count) < width)
      count = t_.make(Op::BvSignExtend, {count}, width - t_.width(count));
    if (t_.kind(count) == SortKind::BitVec && t_.width(count) > width)
      count = t_.make_extract(count, width - 1, 0);
    if (t_.kind(count) == SortKind::Bool) return w_.refuse(user, "truth value as an index");
    sum = encoding_.add(sum, encoding_.multiply(encoding_.index_of(factor / step), count));
  }
  return Pointer{base.object, sum};
}

}  // namespace lem::c
