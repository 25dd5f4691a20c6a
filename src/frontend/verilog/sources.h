// The files of a design, read as far as Lemmata reads them itself: preprocessed, parsed, and
// rewritten for Yosys.
#pragma once

#include "base/result.h"
#include "frontend/verilog/rewrite.h"
#include "frontend/verilog/syntax.h"
#include "frontend/verilog/yosys.h"

namespace lem::verilog {

struct Sources {
  Syntax design;
  std::vector<Statement> statements;
  std::vector<InitialValue> initial_values;

  /// The place in a file of the user; of a statement where the user wrote it.
  SourcePos place(const SourcePos& at) const;
  /// For a message without a line: the first place of the last name in it that the text has.
  SourcePos place_of_words(const SourcePos& otherwise, const std::string& message) const;
  /// An error if the name that Yosys declares at that place is not declared by the standard.
  Status check_implicit(const std::string& name, const SourcePos& at) const;
};

/// The texts go to Yosys: its next `read_command` reads them.
Result<Sources> read_sources(Yosys& yosys, Dialect dialect, View view);

}  // namespace lem::verilog
