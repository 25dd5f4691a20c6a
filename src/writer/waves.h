// The signals of a trace as a waveform shows them: names split into scopes, buses as buses, values
// as bits at every step. Internal signals and memory words are evaluated here from the states and
// inputs of the trace. Tests: tests/unit/writer/vcd_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "model/verilog_source.h"

namespace lem::writer {

struct Wave {
  enum class Role : std::uint8_t { Input, State, Derived, Property };
  std::vector<std::string> scopes;  // from the top, without it
  std::string name;
  std::string range{};  // "[7:4]"; empty for single bits
  std::uint32_t width = 1;
  std::vector<std::string> values{};           // of each step, highest bit first
  std::map<std::string, std::string> names{};  // of an enumeration: bits -> name
  bool is_clock = false;                       // ticks once in every step
  Role role = Role::Derived;
};

/// The parts of a hierarchical name: split at dots, but not inside brackets or escaped names.
std::vector<std::string> split_name(std::string_view name);

/// Bits that are called x[0], x[1], ... are one bus.
std::vector<Wave> waves_of(const Problem& problem, const Trace& trace);
/// Inputs, states, observed signals, and those words of arrays that change. Left out: helpers of
/// Yosys and, where other signals have names, states without one; sorts without bits.
/// `verilog`: of the design that the model is from, if there is one.
std::vector<Wave> waves_of(const Problem& problem, const TermTrace& trace,
                           const VerilogSource* verilog);

/// A value as bits, highest first.  require: a truth value or a bit-vector
std::string bits_of(const TermStore& terms, Term value);

}  // namespace lem::writer
