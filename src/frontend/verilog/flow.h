// The commands of Yosys that turn a flattened netlist into BTOR2, and the cell libraries they use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lem::verilog {

/// A file that the commands read from the temporary folder.
struct FlowFile {
  std::string_view name;
  std::string_view text;
};

const std::vector<FlowFile>& flow_files();

/// From `named.il` to `model.btor2`.
///   several_clocks: a step is a tick of a global clock, not an edge of the only clock
///   after_memory_script: from `moved.il` instead
std::string flow_script(bool several_clocks, bool after_memory_script);

/// From `named.il` to `memory.il`, where memories are cells of their own.
std::string memory_script();

/// write_btor puts the initial words of a memory at 0 and up, and reads word `address` at `address
/// mod 2^w`: for a memory that starts elsewhere they are moved to where they are read.
///   require: RTLIL of `memory.il`
std::string with_moved_words(std::string_view rtlil);

/// write_btor refers to a word of no bits by -1: such an operand is zero.
std::string with_empty_words(std::string_view btor2);

}  // namespace lem::verilog
