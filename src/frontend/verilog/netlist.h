// What the elaborated design has: assertions, clocks, ports, memories, enumerations. Read from the
// two forms that Yosys writes, JSON and RTLIL.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/verilog_source.h"

namespace lem::verilog {

enum class FormalKind : std::uint8_t { Assert, Assume, Cover, Live, Fair };

/// A statement about the design; `label` has the path of instances before it, and is that path
/// alone (or nothing) for a statement without a label.
struct Formal {
  FormalKind kind;
  std::string label;
  bool labelled = false;
  SourcePos at;
};

/// Modules that no module instantiates, in their order.
///   require: RTLIL of the modules as they were read
std::vector<std::string> roots_of(std::string_view rtlil);

struct Formals {
  std::vector<Formal> list;
  std::string rtlil;  // with assertion and cover number i of the list called formal_name(i)
};
Formals take_formals(std::string_view rtlil);
std::string formal_name(std::size_t index);

/// How the registers of the design are clocked.
struct Clocking {
  std::optional<VerilogSource::Clock> single;  // one clock, an input that is used as nothing else
  std::string why;                             // otherwise, if there are registers at all
};

struct Netlist {
  VerilogSource source;
  Clocking clocking;
  std::map<std::string, SourcePos> places;   // of public signals
  std::optional<SourcePos> judged_by_reset;  // a statement that an asynchronous reset triggers
  std::optional<SourcePos> below_zero;       // a memory with a negative index
};

/// Signals of registers without an initial value, and memories.
VerilogBench read_bench_names(std::string_view json, const std::string& top);

/// From the JSON of the flattened design; nothing for text that Yosys did not write.
std::optional<Netlist> read_netlist(std::string_view json, const std::string& top);

}  // namespace lem::verilog
