#include "frontend/verilog/flow.h"

#include <algorithm>
#include <bitset>
#include <charconv>
#include <cstdint>
#include <map>
#include <utility>

namespace lem::verilog {

namespace {

// A cover statement as an assertion of the opposite; names and places stay.
constexpr std::string_view kCover = R"(module \$cover (A, EN);
  input A, EN;
  \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));
endmodule
)";

// Statements in a process with an asynchronous reset, in the branch of the clock: judged at the
// clock edge, unless the reset is active. As they come from `proc`, the reset would clear them
// after the edge at which they were judged.
constexpr std::string_view kReset = R"((* techmap_celltype = "$adff" *)
module lemmata_reset (CLK, ARST, D, Q);
  parameter WIDTH = 1; parameter CLK_POLARITY = 1;
  parameter ARST_POLARITY = 1; parameter ARST_VALUE = 0;
  input CLK, ARST; input [WIDTH-1:0] D; output [WIDTH-1:0] Q;
  wire [WIDTH-1:0] next = ARST == ARST_POLARITY ? ARST_VALUE : D;
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY))
    _TECHMAP_REPLACE_ (.CLK(CLK), .D(next), .Q(Q));
endmodule
)";

// Bits of a select that lie outside of the word are any value, in each select another; write_btor
// has 0. A signal is never x itself, so it never equals a constant that has an x: `a === 4'bx`.
constexpr std::string_view kValues = R"((* techmap_celltype = "$shiftx" *)
module lemmata_select (A, B, Y);
  parameter A_SIGNED = 0; parameter B_SIGNED = 0;
  parameter A_WIDTH = 1; parameter B_WIDTH = 1; parameter Y_WIDTH = 1;
  input [A_WIDTH-1:0] A; input [B_WIDTH-1:0] B; output [Y_WIDTH-1:0] Y;
  localparam PADDED = A_WIDTH + 2 * Y_WIDTH;
  localparam WIDTH = (B_WIDTH > $clog2(PADDED) ? B_WIDTH : $clog2(PADDED)) + 2;
  wire [WIDTH-1:0] from = {{WIDTH{B_SIGNED ? B[B_WIDTH-1] : 1'b0}}, B} + Y_WIDTH;
  wire [2*Y_WIDTH-1:0] any;
  \$anyseq #(.WIDTH(2 * Y_WIDTH)) outside (.Y(any));
  wire [PADDED-1:0] moved = {any[2*Y_WIDTH-1:Y_WIDTH], A, any[Y_WIDTH-1:0]} >> from;
  assign Y = from > A_WIDTH + Y_WIDTH ? any[Y_WIDTH-1:0] : moved[Y_WIDTH-1:0];
endmodule
(* techmap_celltype = "$eqx $nex" *)
module lemmata_same (A, B, Y);
  parameter A_SIGNED = 0; parameter B_SIGNED = 0;
  parameter A_WIDTH = 1; parameter B_WIDTH = 1; parameter Y_WIDTH = 1;
  parameter _TECHMAP_CELLTYPE_ = "";
  parameter _TECHMAP_CONSTMSK_A_ = 0; parameter _TECHMAP_CONSTVAL_A_ = 0;
  parameter _TECHMAP_CONSTMSK_B_ = 0; parameter _TECHMAP_CONSTVAL_B_ = 0;
  input [A_WIDTH-1:0] A; input [B_WIDTH-1:0] B; output [Y_WIDTH-1:0] Y;
  localparam WIDTH = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
  localparam SIGNED = A_SIGNED && B_SIGNED;
  localparam NOT = _TECHMAP_CELLTYPE_ == "$nex";
  function integer unknown_a; input integer i; integer k; begin
    k = i < A_WIDTH ? i : A_WIDTH - 1;
    unknown_a = 0;
    if ((i < A_WIDTH || SIGNED) && _TECHMAP_CONSTMSK_A_[k])
      unknown_a = _TECHMAP_CONSTVAL_A_[k] === 1'bx ? 1 : _TECHMAP_CONSTVAL_A_[k] === 1'bz ? 2 : 0;
  end endfunction
  function integer unknown_b; input integer i; integer k; begin
    k = i < B_WIDTH ? i : B_WIDTH - 1;
    unknown_b = 0;
    if ((i < B_WIDTH || SIGNED) && _TECHMAP_CONSTMSK_B_[k])
      unknown_b = _TECHMAP_CONSTVAL_B_[k] === 1'bx ? 1 : _TECHMAP_CONSTVAL_B_[k] === 1'bz ? 2 : 0;
  end endfunction
  function integer differ; input integer from; integer i; begin
    differ = 0;
    for (i = from; i < WIDTH; i = i + 1) if (unknown_a(i) != unknown_b(i)) differ = 1;
  end endfunction
  wire [WIDTH-1:0] a = {{WIDTH{SIGNED ? A[A_WIDTH-1] : 1'b0}}, A};
  wire [WIDTH-1:0] b = {{WIDTH{SIGNED ? B[B_WIDTH-1] : 1'b0}}, B};
  wire [WIDTH-1:0] other;
  genvar g;
  generate
    for (g = 0; g < WIDTH; g = g + 1) begin : bits
      if (unknown_a(g) != 0) assign other[g] = 1'b0;
      else assign other[g] = a[g] != b[g];
    end
    if (differ(0)) assign Y = NOT;
    else assign Y = NOT ? |other : ~|other;
  endgenerate
endmodule
)";

// A quotient or remainder by zero is x.
constexpr std::string_view kDivision = R"((* techmap_celltype = "$div $mod" *)
module lemmata_division (A, B, Y);
  parameter A_SIGNED = 0; parameter B_SIGNED = 0;
  parameter A_WIDTH = 1; parameter B_WIDTH = 1; parameter Y_WIDTH = 1;
  parameter _TECHMAP_CELLTYPE_ = ""; parameter _TECHMAP_CONSTMSK_B_ = 0;
  input [A_WIDTH-1:0] A; input [B_WIDTH-1:0] B; output [Y_WIDTH-1:0] Y;
  wire _TECHMAP_FAIL_ = &_TECHMAP_CONSTMSK_B_;
  wire [Y_WIDTH-1:0] some;
  generate
    if (_TECHMAP_CELLTYPE_ == "$div")
      \$div #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH),
              .Y_WIDTH(Y_WIDTH)) _TECHMAP_REPLACE_ (.A(A), .B(B), .Y(some));
    else
      \$mod #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH),
              .Y_WIDTH(Y_WIDTH)) _TECHMAP_REPLACE_ (.A(A), .B(B), .Y(some));
  endgenerate
  assign Y = B == 0 ? {Y_WIDTH{1'bx}} : some;
endmodule
)";

// Public wires are kept for the trace, and statements so that equal ones stay apart. Reads and
// writes of a memory out of its range are as in simulation (-memx, memory_memx).
constexpr std::string_view kSimplify = R"(read_rtlil @named.il@
setattr -set keep 1 w:* w:$* %d
setattr -set keep 1 t:$assert t:$assume t:$cover
techmap -map @reset.v@ t:$assert %ci2 t:$assume %ci2 %u t:$cover %ci2 %u t:$adff %i
techmap -map @values.v@ t:$shiftx t:$eqx t:$nex
techmap -max_iter 1 -map @division.v@ t:$div t:$mod
opt_expr -keepdc
opt_clean
opt -noff -keepdc
wreduce -keepdc -memx
memory_memx
memory_collect
opt -noff -keepdc -fast
memory_nordff
)";
// One clock: a step is one of its edges, and a clocked statement is about the step before it.
constexpr std::string_view kOneClock = "async2sync\nchformal -early\n";
// Several: a step is a tick of a global clock, in which any of them may change.
constexpr std::string_view kManyClocks = "clk2fflogic\n";
// Registers without initial value start with any, undefined values are any at every step.
constexpr std::string_view kExport = R"(opt_clean
formalff -setundef -clk2ff -ff2anyinit
chformal -live -fair -remove
techmap -map @cover.v@
setattr -set keep 1 t:$assert t:$assume
opt_clean
setundef -undriven -anyseq
opt -fast
rename -witness
opt_clean
delete -output
dffunmap
write_btor @model.btor2@
)";

}  // namespace

const std::vector<FlowFile>& flow_files() {
  static const std::vector<FlowFile> kFiles = {
      {"cover.v", kCover}, {"reset.v", kReset}, {"values.v", kValues}, {"division.v", kDivision}};
  return kFiles;
}

std::string memory_script() {
  return std::string(kSimplify) + "write_rtlil @memory.il@\n";
}

std::string flow_script(bool several_clocks, bool after_memory_script) {
  return (after_memory_script ? "read_rtlil @moved.il@\n" : std::string(kSimplify)) +
         std::string(several_clocks ? kManyClocks : kOneClock) + std::string(kExport);
}

namespace {

/// `4'01x0`, or a plain number of 32 bits: the digits, highest first.
std::string digits_of(std::string_view constant) {
  std::size_t quote = constant.find('\'');
  if (quote != constant.npos) return std::string(constant.substr(quote + 1));
  std::int32_t value = 0;
  std::from_chars(constant.data(), constant.data() + constant.size(), value);
  return std::bitset<32>(static_cast<std::uint32_t>(value)).to_string();
}

std::int64_t integer_of(std::string_view constant) {
  std::string digits = digits_of(constant);
  std::int64_t out = digits.starts_with('1') && digits.size() >= 32 ? -1 : 0;
  for (char digit : digits) out = 2 * out + (digit == '1' ? 1 : 0);
  return out;
}

/// The lines of a $mem_v2 cell, with its words from address 0 on.
std::string moved_cell(std::vector<std::string> lines) {
  std::map<std::string, std::size_t> at;  // parameter -> line
  auto value = [&](const std::string& name) {
    return std::string_view(lines[at[name]]).substr(lines[at[name]].rfind(' ') + 1);
  };
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (const char* name : {"OFFSET", "SIZE", "WIDTH", "INIT"})
      if (lines[i].find("parameter ") != std::string::npos &&
          lines[i].find(" \\" + std::string(name) + " ") != std::string::npos)
        at[name] = i;
  std::int64_t offset = at.size() == 4 ? integer_of(value("OFFSET")) : 0;
  if (offset != 0) {
    auto size = static_cast<std::size_t>(integer_of(value("SIZE")));
    auto width = static_cast<std::size_t>(integer_of(value("WIDTH")));
    std::size_t total = 2;
    while (total < size) total *= 2;
    std::size_t first = static_cast<std::size_t>(offset) % total;
    std::string words = digits_of(value("INIT"));
    words.insert(0, std::max(total * width, words.size()) - words.size(), 'x');
    // Digits come highest first: up by `first` words is left, and what falls out comes in again.
    std::rotate(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first * width),
                words.end());
    lines[at["OFFSET"]] = "    parameter \\OFFSET 0";
    lines[at["SIZE"]] = "    parameter \\SIZE " + std::to_string(total);
    lines[at["INIT"]] = "    parameter \\INIT " + std::to_string(words.size()) + "'" + words;
  }
  std::string out;
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

}  // namespace

std::string with_moved_words(std::string_view rtlil) {
  std::string out;
  std::vector<std::string> cell;
  while (!rtlil.empty()) {
    std::size_t end = std::min(rtlil.find('\n'), rtlil.size());
    std::string line(rtlil.substr(0, end));
    rtlil.remove_prefix(std::min(end + 1, rtlil.size()));
    if (line.starts_with("  cell $mem_v2 ") || !cell.empty()) {
      cell.push_back(line);
      if (line != "  end") continue;
      out += moved_cell(std::exchange(cell, {}));
      continue;
    }
    out += line + '\n';
  }
  return out;
}

std::string with_empty_words(std::string_view btor2) {
  std::string out;
  while (!btor2.empty()) {
    std::size_t end = std::min(btor2.find('\n'), btor2.size());
    std::string_view line = btor2.substr(0, end);
    btor2.remove_prefix(std::min(end + 1, btor2.size()));
    // ID uext|sext SORT -1 COUNT
    std::size_t word = line.find(' ');
    bool extends = word != line.npos && (line.substr(word + 1).starts_with("uext ") ||
                                         line.substr(word + 1).starts_with("sext "));
    std::size_t sort_end = extends ? line.find(' ', word + 6) : line.npos;
    if (sort_end != line.npos && line.substr(sort_end).starts_with(" -1 "))
      out.append(line.substr(0, word))
          .append(" zero ")
          .append(line.substr(word + 6, sort_end - word - 6));
    else
      out += line;
    out += '\n';
  }
  return out;
}

}  // namespace lem::verilog
