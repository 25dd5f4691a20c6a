// What a user says about a Verilog design besides its files.
#pragma once

#include <string>
#include <vector>

namespace lem::verilog {

struct VerilogOptions {
  std::string top;                      // empty: the one module that no other instantiates
  std::vector<std::string> parameters;  // NAME=VALUE, of the top module
};

}  // namespace lem::verilog
