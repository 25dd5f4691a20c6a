#include "frontend/c/failures.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "ctext/expression.h"
#include "frontend/c/place.h"

namespace lem::c {

static constexpr std::size_t kLongestText = 60;  // in a name

LocationId Failures::find(CProperty property) {
  if (together()) return automaton_.error();
  Key key{property.rule, property.at.file, property.at.line, property.at.column};
  if (property.rule == CRule::ErrorCall) key = {property.rule, "", 0, 0};  // all are one
  auto [known, is_new] = known_.insert({key, LocationId{}});
  if (!is_new) return known->second;
  std::string name = "error" + std::to_string(found_.size() + 1);
  known->second =
      found_.empty() ? automaton_.error() : automaton_.add_location(name, property.at.line);
  property.error = known->second;
  found_.push_back(std::move(property));
  return known->second;
}

static bool is_named_assert(llvm::StringRef name) {
  return name.contains_insensitive("assert");
}

static llvm::StringRef function_of(const llvm::DILocation& at) {
  const llvm::DISubprogram* function = at.getScope()->getSubprogram();
  return function == nullptr ? llvm::StringRef() : function->getName();
}

/// Of a call in a function that is itself an assertion: where that function is called.
static const llvm::DILocation* outside_assertions(const llvm::DILocation* at) {
  while (at != nullptr && at->getInlinedAt() != nullptr && is_named_assert(function_of(*at)))
    at = at->getInlinedAt();
  return at;
}

const ctext::CText* Failures::text_of(const std::string& file) {
  auto [known, is_new] = texts_.insert({file, nullptr});
  if (is_new)
    if (Result<ctext::CText> read = ctext::CText::read(file); read)
      known->second = std::make_unique<ctext::CText>(*std::move(read));
  return known->second.get();
}

/// __assert_fail has the text as its first argument, other calls have it in the program.
std::string Failures::asserted(const llvm::CallBase& call, const SourcePos& at) {
  llvm::StringRef words;
  if (call.arg_size() > 1 && call.getArgOperand(0)->getType()->isPointerTy() &&
      llvm::getConstantStringInfo(call.getArgOperand(0), words))
    return words.str();
  const ctext::CText* text = text_of(at.file);
  if (text == nullptr) return {};
  std::optional<std::size_t> token = ctext::token_at(*text, at.line, at.column);
  return token ? ctext::arguments_text(*text, *token) : std::string();
}

LocationId Failures::at_report(const llvm::CallBase& call) {
  if (together()) return automaton_.error();
  const llvm::Function* callee = called(call);
  const llvm::DILocation* here = call.getDebugLoc().get();
  const llvm::DILocation* stated = outside_assertions(here);
  bool error_function = callee != nullptr && !is_named_assert(callee->getName());
  CProperty one;
  one.reporter = callee == nullptr ? "" : callee->getName().str();
  one.rule = error_function && stated == here ? CRule::ErrorCall : CRule::Assertion;
  one.at = stated == nullptr ? SourcePos{path_} : place_of(*stated, *call.getFunction(), path_);
  if (one.rule == CRule::Assertion) one.text = asserted(call, one.at);
  return find(std::move(one));
}

LocationId Failures::at_check(CRule rule, const SourcePos& at) {
  CProperty one{{}, rule, {}, at, {}};
  if (const ctext::CText* text = text_of(at.file))
    if (std::optional<std::size_t> token = ctext::token_at(*text, at.line, at.column))
      one.text = ctext::expression_text(*text, *token);
  return find(std::move(one));
}

/// Of the main that --entry makes, not of what it calls.
static bool in_new_main(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  const llvm::DISubprogram* function = at == nullptr ? nullptr : at->getScope()->getSubprogram();
  return function != nullptr && function->isArtificial() && at->getInlinedAt() == nullptr;
}

void Failures::check(CRule rule, const llvm::Instruction& at, const llvm::Instruction& stated,
                     Term wrong) {
  TermStore& t = automaton_.terms();
  if (!options_.checks.contains(rule) || t.is_false(wrong) || in_new_main(stated)) return;
  if (in_assumption(at)) return automaton_.emit(Command::assume(t.make_not(wrong)), at);
  automaton_.flush();
  std::vector<Command> guard;
  if (!t.is_true(wrong)) guard.push_back(Command::assume(wrong));
  automaton_.edge(at_check(rule, place_of(stated, path_)), std::move(guard), line_of(at));
}

static std::string one_line(const std::string& text) {
  std::string out;
  for (char c : text) {
    bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
  }
  return out.size() <= kLongestText ? out : out.substr(0, kLongestText - 3) + "...";
}

static std::string name_of(const CProperty& one) {
  if (one.rule == CRule::ErrorCall) return std::string(name(one.rule));
  std::string out(name(one.rule));
  out += ' ' + std::filesystem::path(one.at.file).filename().string();
  if (one.at.line != 0) out += ':' + std::to_string(one.at.line);
  std::string words = one_line(one.text);
  return words.empty() ? out : out + ' ' + words;
}

std::vector<CProperty> Failures::properties() && {
  std::stable_sort(found_.begin(), found_.end(), [this](const CProperty& a, const CProperty& b) {
    auto order = [this](const CProperty& one) {
      return std::tuple(one.at.file != path_, one.at.file, one.at.line, one.at.column);
    };
    return order(a) < order(b);
  });
  // What SV-COMP's programs state by reach_error alone has SV-COMP's name.
  if (found_.size() == 1 && found_[0].rule == CRule::Assertion &&
      !is_named_assert(found_[0].reporter)) {
    found_[0].name = name(CRule::ErrorCall);
    return std::move(found_);
  }
  std::map<std::string, std::size_t> taken;
  for (CProperty& one : found_) {
    one.name = name_of(one);
    if (std::size_t copy = ++taken[one.name]; copy > 1) one.name += " #" + std::to_string(copy);
  }
  return std::move(found_);
}

}  // namespace lem::c
