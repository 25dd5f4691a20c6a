// The design in the words that Yosys 0.23 reads. Concurrent assertions become statements in clocked
// processes, of the scope in which they stand:
//
//   a: assert property (@(posedge clk) disable iff (rst) x |-> y) else $error("...");
//   always @(posedge clk) if (!(rst)) assert (!(x) || (y));
//
// x |=> y has a register that keeps x. Labels go, since Yosys refuses those in loops; each
// statement stands in a file of its own name, by which it is found again in the netlist. Lines and
// columns of everything else are kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/verilog/initial_values.h"
#include "frontend/verilog/syntax.h"

namespace lem::verilog {

/// Statement N stands in a file with this name and N behind it.
constexpr std::string_view kStatementFile = "lemmata:";

/// An assertion of the user, or an assumption about an initial value.
struct Statement {
  SourcePos at;
  std::string label;
};

struct Rewritten {
  std::vector<std::string> texts;  // one for each source file
  std::vector<Statement> statements;
  std::vector<InitialValue> initial_values;  // that are not constant
};

/// Refuses by place what is not fully understood: names that are not declared, operators of
/// sequences, system functions without a meaning in a model.
Result<Rewritten> rewrite(Syntax& design);

/// The number of the statement that stands in the file of that name.
std::optional<std::size_t> statement_of(std::string_view file);

}  // namespace lem::verilog
