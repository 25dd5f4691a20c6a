#include "model/c_source.h"

#include <iterator>

#include "base/assert.h"

namespace lem {

std::string_view name(CRule rule) {
  switch (rule) {
    case CRule::Assertion:
      return "assert";
    case CRule::ErrorCall:
      return "unreach-call";
    case CRule::Bounds:
      return "bounds";
    case CRule::Null:
      return "null";
    case CRule::Division:
      return "division";
    case CRule::Overflow:
      return "overflow";
    case CRule::Shift:
      return "shift";
    case CRule::Conversion:
      return "conversion";
    case CRule::Uninitialised:
      return "uninitialised";
    case CRule::UseAfterFree:
      return "use-after-free";
    case CRule::DoubleFree:
      return "double-free";
    case CRule::Leak:
      return "leak";
    case CRule::Unreachable:
      return "unreachable";
  }
  unreachable();
}

std::optional<CRule> rule_of_handler(std::string_view function) {
  static constexpr CRule kRules[] = {
      CRule::Overflow, CRule::Overflow, CRule::Overflow,   CRule::Overflow,   CRule::Division,
      CRule::Shift,    CRule::Bounds,   CRule::Conversion, CRule::Conversion, CRule::Unreachable};
  static_assert(std::size(kRules) == std::size(kHandlers));
  for (std::size_t i = 0; i < std::size(kHandlers); ++i)
    if (kHandlers[i] == function) return kRules[i];
  return {};
}

const CProperty* CSource::about(std::string_view property) const {
  for (const CProperty& one : properties)
    if (one.name == property) return &one;
  return nullptr;
}

}  // namespace lem
