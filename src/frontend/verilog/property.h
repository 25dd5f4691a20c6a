// Property expressions (IEEE 1800, 16.12) as a condition that holds at every tick of a clock, with
// registers that keep what was true at the tick before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/verilog/syntax.h"

namespace lem::verilog {

/// A register: 0 at first, then whether `next`, a word of any width, was not zero at the tick
/// before.
struct Kept {
  std::string name;
  std::string next;
};

struct Claim {
  std::optional<Range> clock;    // the event between the brackets of @( )
  std::optional<Range> disable;  // the condition of disable iff
  ScopeId disable_scope = 0;     // in which its names are looked up
  std::vector<Kept> kept;        // each may use those before it
  std::string holds;
  bool implication = false;
  bool liveness = false;  // s_eventually: `holds` is the whole text
};

struct PropertyWriter {
  const Syntax& design;
  ScopeId place;  // the scope in which the claim will stand
  /// The text of an expression.
  std::function<std::string(Range)> print;
  /// A new name for a register.
  std::function<std::string()> fresh;
};

/// Refuses by place what is more than implications of expressions.
Result<Claim> read_property(const PropertyWriter& writer, Range range, ScopeId scope);

}  // namespace lem::verilog
