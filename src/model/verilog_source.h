// What a transition system knows of the Verilog design it was made from, for waveforms and test
// benches: ports, the clock, memories, and how values of signals are written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lem {

struct VerilogSource {
  /// An input of the top module.
  struct Port {
    std::string name;
    std::uint32_t width;
  };
  struct Clock {
    std::string name;
    bool rising;
  };
  /// Word `address` of the design is element `address mod 2^w` of the array, with w the width of
  /// its index.
  struct Memory {
    std::uint64_t first = 0;  // lowest address
    std::uint64_t size = 0;
  };
  struct Signal {
    std::int64_t lowest = 0;                   // index of the lowest bit: 4 in `wire [7:4] x`
    bool upto = false;                         // `wire [0:3] x`: bits count upwards
    std::map<std::string, std::string> names;  // of an enumeration: bits -> name
  };

  std::string top;
  std::vector<std::string> modules;  // all of the files
  std::vector<std::string> files;
  std::vector<std::string> include_folders;
  std::vector<std::string> defines;     // NAME or NAME=VALUE
  std::vector<std::string> parameters;  // NAME=VALUE
  std::vector<Port> inputs;
  std::optional<Clock> clock;  // a step is one of its edges; none: a step is a tick of all clocks
  std::vector<std::string> clock_ports;    // inputs that registers are clocked by
  std::map<std::string, Memory> memories;  // by the name of the state
  std::map<std::string, Signal> signals;   // those that are not plain words from bit 0
};

/// What a test bench may touch: the design as a simulator reads it, without FORMAL.
struct VerilogBench {
  std::vector<std::string> registers;  // signals of registers that have no initial value
  std::map<std::string, VerilogSource::Memory> memories;
  bool formal = false;  // the design cannot be read without FORMAL: this is with it
};

}  // namespace lem
