#include "frontend/c/assumptions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "frontend/c/place.h"

namespace lem::c {

// Types in C ------------------------------------------------------------------------------------

static std::optional<std::string> declaration(const llvm::DIType* type, const std::string& inner);

static std::optional<std::string> parameters(const llvm::DISubroutineType& function) {
  llvm::DITypeRefArray types = function.getTypeArray();
  std::string out;
  for (unsigned i = 1; i < types.size(); ++i) {
    bool more = types[i] == nullptr && i + 1 == types.size();  // variable arguments
    std::optional<std::string> one = more ? "..." : declaration(types[i], "");
    if (!one) return {};
    out += (i == 1 ? "" : ", ") + *one;
  }
  return out.empty() ? "void" : out;
}

static std::optional<std::string> of_composite(const llvm::DICompositeType& type,
                                               const std::string& inner) {
  using namespace llvm::dwarf;
  if (type.getTag() == DW_TAG_array_type) {
    std::string dimensions = inner;
    for (const llvm::DINode* node : type.getElements()) {
      auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
      auto* count = range ? range->getCount().dyn_cast<llvm::ConstantInt*>() : nullptr;
      dimensions += count ? '[' + std::to_string(count->getZExtValue()) + ']' : "[]";
    }
    return declaration(type.getBaseType(), dimensions);
  }
  if (type.getName().empty()) return {};
  const char* kind = type.getTag() == DW_TAG_structure_type ? "struct "
                     : type.getTag() == DW_TAG_union_type   ? "union "
                                                            : "enum ";
  return kind + type.getName().str() + ' ' + inner;
}

/// As C declares it, from the name outwards; nothing for types without a name.
static std::optional<std::string> declaration(const llvm::DIType* type, const std::string& inner) {
  using namespace llvm::dwarf;
  if (type == nullptr) return "void " + inner;
  if (auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type))
    return basic->getName().str() + ' ' + inner;
  if (auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type))
    return of_composite(*composite, inner);
  if (auto* function = llvm::dyn_cast<llvm::DISubroutineType>(type)) {
    std::optional<std::string> list = parameters(*function);
    llvm::DITypeRefArray types = function->getTypeArray();
    if (!list) return {};
    return declaration(types.size() == 0 ? nullptr : types[0], inner + '(' + *list + ')');
  }
  auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type);
  if (derived == nullptr) return {};
  const llvm::DIType* base = derived->getBaseType();
  switch (derived->getTag()) {
    case DW_TAG_typedef:
      return derived->getName().str() + ' ' + inner;
    case DW_TAG_const_type:
      return declaration(base, "const " + inner);
    case DW_TAG_volatile_type:
      return declaration(base, "volatile " + inner);
    case DW_TAG_restrict_type:
      return declaration(base, "__restrict " + inner);
    case DW_TAG_pointer_type: {
      bool binds = llvm::isa_and_nonnull<llvm::DISubroutineType>(base) ||
                   (base != nullptr && base->getTag() == DW_TAG_array_type);
      return declaration(base, binds ? "(*" + inner + ')' : '*' + inner);
    }
    default:
      return {};
  }
}

// Text ------------------------------------------------------------------------------------------

/// Functions that conditions may call. They are about the objects that the run has made.
static constexpr const char* kHelpers = R"(
__SIZE_TYPE__ lemmata_object_size(const void *);
#define lemmata_length(pointer) (lemmata_object_size(pointer) / sizeof *(pointer))
#undef __CPROVER_OBJECT_SIZE
#define __CPROVER_OBJECT_SIZE(pointer) lemmata_object_size(pointer)
static int lemmata_is_string(const char *text) {
  for (__SIZE_TYPE__ i = 0; i < lemmata_object_size(text); ++i)
    if (text[i] == 0) return 1;
  return 0;
}
)";

std::string assumption_name(std::size_t i) {
  return "lemmata_assumption_" + std::to_string(i + 1);
}

static std::string line_of_option() {
  return "\n#line 1 \"" + kAssumeFile.str() + "\"\n";
}

Result<std::string> assumption_text(const llvm::Function& entry, const std::string& path,
                                    const COptions& options) {
  const llvm::DISubprogram* known = entry.getSubprogram();
  if (known == nullptr)
    return Error{{}, "--assume needs the debug information of the entry", ErrorKind::Usage};
  std::map<unsigned, std::string> names;
  for (const llvm::Instruction& instruction : llvm::instructions(entry))
    if (auto* declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
      if (declare->getVariable()->getScope() == known && declare->getVariable()->getArg() != 0)
        names[declare->getVariable()->getArg()] = declare->getVariable()->getName().str();
  std::string list;
  llvm::DITypeRefArray types = known->getType()->getTypeArray();
  for (unsigned i = 1; i < types.size(); ++i) {
    std::string name = names.count(i) != 0 ? names[i] : "lemmata_unused_" + std::to_string(i);
    std::optional<std::string> one = declaration(types[i], name);
    if (!one)
      return Error{place_of(entry, path),
                   "unsupported: --assume where the type of '" + name + "' has no name"};
    list += (i == 1 ? "" : ", ") + *one;
  }
  std::string out = line_of_option() + kHelpers;
  for (std::size_t i = 0; i < options.assumptions.size(); ++i)
    out += line_of_option() + "__attribute__((no_sanitize(\"undefined\"))) int " +
           assumption_name(i) + '(' + (list.empty() ? "void" : list) + ") { return !!(" +
           line_of_option() + options.assumptions[i] + "\n); }\n";
  return out;
}

bool is_identifier(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string keeping_text(const std::string& entry) {
  return "\n__attribute__((used)) static void *lemmata_keep(void) { return (void *)" + entry +
         "; }\n";
}

// Effects ---------------------------------------------------------------------------------------

/// A condition may call functions of the program, which may have variables of their own.
Status only_reads(const llvm::Function& assumption) {
  Error changes{
      {kAssumeFile.str(), 1, 0}, "the condition of --assume changes something", ErrorKind::Usage};
  std::vector<const llvm::Function*> waiting = {&assumption};
  std::set<const llvm::Function*> seen = {&assumption};
  while (!waiting.empty()) {
    const llvm::Function* one = waiting.back();
    waiting.pop_back();
    for (const llvm::Instruction& instruction : llvm::instructions(*one)) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        auto* to = llvm::getUnderlyingObject(store->getPointerOperand());
        bool given = llvm::isa<llvm::Argument>(store->getValueOperand());
        if (!llvm::isa<llvm::AllocaInst>(to) || (one == &assumption && !given)) return changes;
      }
      if (auto* moves = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(moves->getRawDest())))
          return changes;
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function* callee = called(*call); callee && seen.insert(callee).second)
          waiting.push_back(callee);
    }
  }
  return Ok{};
}

}  // namespace lem::c
