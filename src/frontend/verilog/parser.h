// The words of a design -> its structure.
#pragma once

#include "base/result.h"
#include "frontend/verilog/syntax.h"

namespace lem::verilog {

/// Assertions, properties and generate constructs are understood or refused by place. Other text
/// that is no Verilog may pass: Yosys reads it afterwards.
Result<Syntax> parse(TokenList text);

}  // namespace lem::verilog
