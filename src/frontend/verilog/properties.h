// Concurrent assertions of one or two clock cycles as statements that Yosys 0.23 reads:
//
//   a: assert property (@(posedge clk) disable iff (rst) x |-> y) else $error("...");
//   always @(posedge clk) if (!(rst)) a: assert (!(x) || (y));
//
// x |=> y has a register that keeps x; `property` blocks without arguments, `default clocking` and
// `default disable iff` are filled in. What has more than that stays as it is. Lines are kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lem::verilog {

/// Where a statement now begins, and where it did: columns of a line of a file.
struct MovedStatement {
  std::uint32_t now, before;
};
using MovedStatements =
    std::map<std::pair<std::string, std::uint32_t>, std::vector<MovedStatement>>;

/// The text with such statements rewritten; the same text where there is none.
///   require: text as Yosys' preprocessor writes it
std::string plain_properties(const std::string& file, std::string_view text,
                             MovedStatements& moved);

}  // namespace lem::verilog
