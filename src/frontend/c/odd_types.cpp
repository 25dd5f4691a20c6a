#include "frontend/c/odd_types.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <optional>
#include <sstream>
#include <vector>

#include "frontend/c/place.h"

namespace lem::c {

namespace {

struct OddType {
  const char* words;
  const char* written;  // in code that is text
};

}  // namespace

/// Of the type or of a part of it; what a pointer points to is no part.
static std::optional<OddType> odd_part(const llvm::Type& type) {
  if (llvm::isa<llvm::ScalableVectorType>(type))
    return OddType{"vector of unknown length (vscale)", "vscale"};
  if (type.isX86_AMXTy()) return OddType{"tile of a matrix (x86_amx)", "x86_amx"};
  if (type.isX86_MMXTy()) return OddType{"register of MMX (x86_mmx)", "x86_mmx"};
  if (type.isTokenTy()) return OddType{"token", "token"};
  if (type.isPointerTy()) return std::nullopt;
  for (const llvm::Type* part : type.subtypes())
    if (std::optional<OddType> odd = odd_part(*part)) return odd;
  return std::nullopt;
}

/// Of what the instruction computes, takes, makes room for or walks over.
static std::optional<OddType> odd_part(const llvm::Instruction& instruction) {
  std::vector<const llvm::Type*> types = {instruction.getType()};
  for (const llvm::Value* operand : instruction.operands()) {
    types.push_back(operand->getType());
    if (auto* way = llvm::dyn_cast<llvm::GEPOperator>(operand))
      types.push_back(way->getSourceElementType());
  }
  if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    types.push_back(local->getAllocatedType());
  if (auto* way = llvm::dyn_cast<llvm::GEPOperator>(&instruction))
    types.push_back(way->getSourceElementType());
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    types.push_back(call->getFunctionType());
  for (const llvm::Type* type : types)
    if (std::optional<OddType> odd = odd_part(*type)) return odd;
  return std::nullopt;
}

/// Code without debug information has no places: the first line with the word for the type.
static SourcePos line_with(const char* word, const std::string& path, const std::string& text) {
  std::istringstream in(text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = line.substr(0, line.find(';'));
    std::size_t at = line.find(word);
    if (at != std::string::npos) return {path, number, static_cast<std::uint32_t>(at) + 1};
  }
  return {path};
}

Status refuse_odd_types(const llvm::Module& module, const std::string& path,
                        const std::string& text) {
  auto refused = [&](const OddType& odd, SourcePos at) {
    if (at.line == 0) at = line_with(odd.written, path, text);
    return Error{std::move(at), std::string("unsupported: ") + odd.words};
  };
  for (const llvm::GlobalVariable& global : module.globals())
    if (std::optional<OddType> odd = odd_part(*global.getValueType()))
      return refused(*odd, place_of(global, path));
  for (const llvm::Function& function : module) {
    std::optional<OddType> odd = odd_part(*function.getFunctionType());
    if (odd && !function.isIntrinsic()) return refused(*odd, place_of(function, path));
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (std::optional<OddType> here = odd_part(instruction))
        return refused(*here, place_of(instruction, path));
  }
  return Ok{};
}

}  // namespace lem::c
