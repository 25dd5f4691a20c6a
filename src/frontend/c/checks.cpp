#include "frontend/c/checks.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/near_names.h"
#include "frontend/c/place.h"

namespace lem::c {

// Names -----------------------------------------------------------------------------------------

static constexpr std::array kMemory = {CRule::Bounds,       CRule::Null,       CRule::Uninitialised,
                                       CRule::UseAfterFree, CRule::DoubleFree, CRule::Leak};
static constexpr std::array kArithmetic = {CRule::Division, CRule::Overflow, CRule::Shift,
                                           CRule::Conversion};

Status parse_checks(const std::string& text, std::set<CRule>& checks) {
  std::vector<std::string> known = {"memory", "arithmetic", "all"};
  for (CRule rule : kMemory) known.emplace_back(name(rule));
  for (CRule rule : kArithmetic) known.emplace_back(name(rule));
  known.emplace_back(name(CRule::Unreachable));
  for (std::size_t from = 0; from <= text.size();) {
    std::size_t comma = std::min(text.find(',', from), text.size());
    std::string one = text.substr(from, comma - from);
    from = comma + 1;
    if (std::find(known.begin(), known.end(), one) == known.end())
      return Error{{},
                   "--check: no check is called '" + one + "'" + near_names(one, known),
                   ErrorKind::Usage};
    auto add = [&](CRule rule, std::string_view group) {
      if (one == group || one == "all" || one == name(rule)) checks.insert(rule);
    };
    for (CRule rule : kMemory) add(rule, "memory");
    for (CRule rule : kArithmetic) add(rule, "arithmetic");
    add(CRule::Unreachable, "all");
  }
  return Ok{};
}

/// Clang has INT_MIN / -1 in the group of overflow, and checks for it, and for lost bits of a
/// shift, only where overflow is undefined. take_in_checks drops what was not asked for.
std::vector<std::string> sanitizer_flags(const std::set<CRule>& checks) {
  static constexpr std::pair<CRule, const char*> kGroups[] = {
      {CRule::Bounds, "array-bounds"},
      {CRule::Division, "integer-divide-by-zero,signed-integer-overflow"},
      {CRule::Overflow, "signed-integer-overflow"},
      {CRule::Shift, "shift"},
      {CRule::Conversion, "implicit-conversion,float-cast-overflow"},
      {CRule::Unreachable, "unreachable"}};
  std::string groups;
  for (const auto& [rule, group] : kGroups)
    if (checks.contains(rule)) groups += (groups.empty() ? "" : ",") + std::string(group);
  if (groups.empty()) return {};
  std::vector<std::string> out = {"-fsanitize=" + groups};
  if (checks.contains(CRule::Overflow) || checks.contains(CRule::Division) ||
      checks.contains(CRule::Shift))
    out.emplace_back("-fno-wrapv");
  return out;
}

// Code ------------------------------------------------------------------------------------------

static constexpr llvm::StringLiteral kPrefix = "lemmata.fails.";

/// Whether a + b or a - b leaves the signed numbers of its width, by comparison with what is left
/// of them: engines that reason about words see ranges, not bits.
static llvm::Value* sum_overflows(llvm::IRBuilder<>& build, llvm::WithOverflowInst& call) {
  llvm::Value *a = call.getLHS(), *b = call.getRHS();
  unsigned width = a->getType()->getIntegerBitWidth();
  llvm::Value* most = build.getInt(llvm::APInt::getSignedMaxValue(width));
  llvm::Value* least = build.getInt(llvm::APInt::getSignedMinValue(width));
  llvm::Value* zero = llvm::ConstantInt::get(a->getType(), 0);
  bool adds = call.getBinaryOp() == llvm::Instruction::Add;
  llvm::Value* upper = adds ? build.CreateSub(most, b) : build.CreateAdd(most, b);
  llvm::Value* lower = adds ? build.CreateSub(least, b) : build.CreateAdd(least, b);
  llvm::Value* up = adds ? build.CreateICmpSGT(b, zero) : build.CreateICmpSLT(b, zero);
  llvm::Value* above = build.CreateICmpSGT(a, upper);
  llvm::Value* below = build.CreateICmpSLT(a, lower);
  return build.CreateSelect(up, above, below);
}

/// The product with twice the bits is another one; or, for a constant, the other is out of range.
static llvm::Value* product_overflows(llvm::IRBuilder<>& build, llvm::WithOverflowInst& call,
                                      llvm::Value* product) {
  unsigned width = product->getType()->getIntegerBitWidth();
  llvm::Value* other = call.getLHS();
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getRHS());
  if (constant == nullptr) {
    constant = llvm::dyn_cast<llvm::ConstantInt>(call.getLHS());
    other = call.getRHS();
  }
  if (constant != nullptr && constant->getValue().isStrictlyPositive()) {
    llvm::APInt most = llvm::APInt::getSignedMaxValue(width).sdiv(constant->getValue());
    llvm::APInt least = llvm::APInt::getSignedMinValue(width).sdiv(constant->getValue());
    return build.CreateOr(build.CreateICmpSGT(other, build.getInt(most)),
                          build.CreateICmpSLT(other, build.getInt(least)));
  }
  llvm::Type* wide = build.getIntNTy(2 * width);
  llvm::Value* exact =
      build.CreateMul(build.CreateSExt(call.getLHS(), wide), build.CreateSExt(call.getRHS(), wide));
  return build.CreateICmpNE(exact, build.CreateSExt(product, wide));
}

static void lower(llvm::WithOverflowInst& call) {
  llvm::IRBuilder<> build(&call);
  llvm::Value* result = build.CreateBinOp(call.getBinaryOp(), call.getLHS(), call.getRHS());
  llvm::Value* flag = call.getBinaryOp() == llvm::Instruction::Mul
                          ? product_overflows(build, call, result)
                          : sum_overflows(build, call);
  std::vector<llvm::ExtractValueInst*> parts;
  for (llvm::User* user : call.users())
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user)) parts.push_back(part);
  for (llvm::ExtractValueInst* part : parts) {
    part->replaceAllUsesWith(part->getIndices()[0] == 0 ? result : flag);
    part->eraseFromParent();
  }
  if (call.use_empty()) call.eraseFromParent();
}

static void replace_handler(llvm::CallBase& call, llvm::Function& handler) {
  llvm::Module& module = *handler.getParent();
  llvm::Value* data = call.getArgOperand(0);
  llvm::FunctionCallee own =
      module.getOrInsertFunction((kPrefix + handler.getName()).str(),
                                 llvm::Type::getVoidTy(module.getContext()), data->getType());
  llvm::CallInst::Create(own, {data}, "", &call)->setDebugLoc(call.getDebugLoc());
  std::vector<llvm::WeakTrackingVH> values(call.arg_begin(), call.arg_end());
  call.eraseFromParent();
  for (llvm::WeakTrackingVH& value : values)
    if (value.pointsToAliveValue()) llvm::RecursivelyDeleteTriviallyDeadInstructions(value);
}

/// A check of a group that was not asked for: it holds. Models of the library call handlers, too,
/// in conditions of their own.
static void drop_check(llvm::CallBase& handler) {
  llvm::BasicBlock* fails = handler.getParent();
  for (llvm::BasicBlock* before :
       std::vector<llvm::BasicBlock*>(llvm::pred_begin(fails), llvm::pred_end(fails))) {
    auto* jump = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (jump == nullptr || !jump->isConditional() || !jump->hasMetadata("nosanitize")) continue;
    unsigned other = jump->getSuccessor(0) == fails ? 1 : 0;
    jump->setCondition(llvm::ConstantInt::getBool(jump->getContext(), other == 0));
  }
  handler.eraseFromParent();
}

/// Clang checks constants, too.
static void drop_decided(llvm::BranchInst& jump) {
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(jump.getCondition());
  if (known == nullptr) return;
  llvm::BasicBlock* to = jump.getSuccessor(known->isZero() ? 1 : 0);
  llvm::BasicBlock* other = jump.getSuccessor(known->isZero() ? 0 : 1);
  if (to == other) return;
  other->removePredecessor(jump.getParent());
  llvm::BranchInst::Create(to, &jump)->setDebugLoc(jump.getDebugLoc());
  jump.eraseFromParent();
}

void take_in_checks(llvm::Function& function, const std::set<CRule>& checks) {
  std::vector<llvm::WithOverflowInst*> sums;
  std::vector<llvm::CallBase*> handlers, others;
  std::vector<llvm::BranchInst*> decided;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* sum = llvm::dyn_cast<llvm::WithOverflowInst>(&instruction);
    if (sum != nullptr && sum->isSigned() && sum->getLHS()->getType()->isIntegerTy())
      sums.push_back(sum);
    auto* jump = llvm::dyn_cast<llvm::BranchInst>(&instruction);
    bool added = instruction.getMetadata("nosanitize") != nullptr;
    if (jump != nullptr && jump->isConditional() && added) decided.push_back(jump);
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration() || call->arg_size() == 0) continue;
    std::optional<CRule> rule =
        rule_of_handler({callee->getName().data(), callee->getName().size()});
    if (rule) (checks.contains(*rule) ? handlers : others).push_back(call);
  }
  for (llvm::CallBase* call : others) drop_check(*call);
  for (llvm::CallBase* call : handlers) replace_handler(*call, *call->getCalledFunction());
  for (llvm::WithOverflowInst* sum : sums) lower(*sum);
  for (llvm::BranchInst* jump : decided) drop_decided(*jump);
}

std::optional<CheckCall> check_of(const llvm::CallBase& call) {
  const llvm::Function* callee = called(call);
  llvm::StringRef handler = callee == nullptr ? llvm::StringRef() : callee->getName();
  if (!handler.consume_front(kPrefix)) return {};
  std::optional<CRule> rule = rule_of_handler({handler.data(), handler.size()});
  if (!rule) return {};
  CheckCall out{*rule};
  auto* data = llvm::dyn_cast<llvm::GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  if (data == nullptr || !data->hasInitializer()) return out;
  const llvm::Constant* place = data->getInitializer()->getAggregateElement(0U);
  if (place == nullptr) return out;
  auto number = [&](unsigned i) {
    auto* found = llvm::dyn_cast_or_null<llvm::ConstantInt>(place->getAggregateElement(i));
    return found == nullptr ? 0U : static_cast<std::uint32_t>(found->getZExtValue());
  };
  out.line = number(1);
  out.column = number(2);
  return out;
}

}  // namespace lem::c
