// Initial values that are not constant (`reg q = a;`): a variable without initial value, and the
// assumption that it equals a net in the first step.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::verilog {

struct InitialValue {
  std::string net;       // has the value
  std::string variable;  // has it in the first step; of the same scope
  SourcePos at;
};

/// A value that depends on itself through nets and other initial values: no run would satisfy the
/// assumptions, and every assertion would hold. Likewise the value of a variable that a reset, a
/// latch or logic changes within the first step, or that has another initial value.
///   require: JSON of the flattened design
std::optional<Error> wrong_initial_value(std::string_view json, const std::string& top,
                                         const std::vector<InitialValue>& values);

}  // namespace lem::verilog
