#include "frontend/verilog/flow.h"

#include <algorithm>

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

// write_btor puts the initial words of a memory at 0 and up, and reads word `address` at `address
// mod 2^w`: for a memory that starts elsewhere they are moved to where they are read.
constexpr std::string_view kMemory = R"((* techmap_celltype = "$mem_v2" *)
module lemmata_memory (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR,
                       WR_DATA);
  parameter MEMID = ""; parameter SIZE = 4; parameter OFFSET = 0; parameter ABITS = 2;
  parameter WIDTH = 8; parameter INIT = 1'bx; parameter RD_PORTS = 1;
  parameter RD_CLK_ENABLE = 1'b1; parameter RD_CLK_POLARITY = 1'b1;
  parameter RD_TRANSPARENCY_MASK = 1'b0; parameter RD_COLLISION_X_MASK = 1'b0;
  parameter RD_WIDE_CONTINUATION = 1'b0; parameter RD_CE_OVER_SRST = 1'b0;
  parameter RD_ARST_VALUE = 1'b0; parameter RD_SRST_VALUE = 1'b0; parameter RD_INIT_VALUE = 1'b0;
  parameter WR_PORTS = 1; parameter WR_CLK_ENABLE = 1'b1; parameter WR_CLK_POLARITY = 1'b1;
  parameter WR_PRIORITY_MASK = 1'b0; parameter WR_WIDE_CONTINUATION = 1'b0;
  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST; input [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input [WR_PORTS-1:0] WR_CLK; input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
  input [WR_PORTS*ABITS-1:0] WR_ADDR;
  localparam TOTAL = SIZE > 2 ? 1 << $clog2(SIZE) : 2;
  localparam FIRST = OFFSET & (TOTAL - 1);
  wire _TECHMAP_FAIL_ = OFFSET == 0 || RD_PORTS == 0;
  localparam [TOTAL*WIDTH-1:0] WORDS = INIT;
  localparam [TOTAL*WIDTH-1:0] MOVED =
      FIRST == 0 ? WORDS : (WORDS << (FIRST * WIDTH)) | (WORDS >> ((TOTAL - FIRST) * WIDTH));
  generate
    if (WR_PORTS == 0)
      \$mem_v2 #(.MEMID(MEMID), .SIZE(TOTAL), .OFFSET(0), .ABITS(ABITS), .WIDTH(WIDTH), .INIT(MOVED),
        .RD_PORTS(RD_PORTS), .RD_CLK_ENABLE(RD_CLK_ENABLE), .RD_CLK_POLARITY(RD_CLK_POLARITY),
        .RD_TRANSPARENCY_MASK(RD_TRANSPARENCY_MASK), .RD_COLLISION_X_MASK(RD_COLLISION_X_MASK),
        .RD_WIDE_CONTINUATION(RD_WIDE_CONTINUATION), .RD_CE_OVER_SRST(RD_CE_OVER_SRST),
        .RD_ARST_VALUE(RD_ARST_VALUE), .RD_SRST_VALUE(RD_SRST_VALUE), .RD_INIT_VALUE(RD_INIT_VALUE),
        .WR_PORTS(WR_PORTS), .WR_CLK_ENABLE(WR_CLK_ENABLE), .WR_CLK_POLARITY(WR_CLK_POLARITY),
        .WR_PRIORITY_MASK(WR_PRIORITY_MASK), .WR_WIDE_CONTINUATION(WR_WIDE_CONTINUATION))
        _TECHMAP_REPLACE_ (.RD_CLK(RD_CLK), .RD_EN(RD_EN), .RD_ARST(RD_ARST), .RD_SRST(RD_SRST),
        .RD_ADDR(RD_ADDR), .RD_DATA(RD_DATA), .WR_CLK(), .WR_EN(), .WR_ADDR(), .WR_DATA());
    else
      \$mem_v2 #(.MEMID(MEMID), .SIZE(TOTAL), .OFFSET(0), .ABITS(ABITS), .WIDTH(WIDTH), .INIT(MOVED),
        .RD_PORTS(RD_PORTS), .RD_CLK_ENABLE(RD_CLK_ENABLE), .RD_CLK_POLARITY(RD_CLK_POLARITY),
        .RD_TRANSPARENCY_MASK(RD_TRANSPARENCY_MASK), .RD_COLLISION_X_MASK(RD_COLLISION_X_MASK),
        .RD_WIDE_CONTINUATION(RD_WIDE_CONTINUATION), .RD_CE_OVER_SRST(RD_CE_OVER_SRST),
        .RD_ARST_VALUE(RD_ARST_VALUE), .RD_SRST_VALUE(RD_SRST_VALUE), .RD_INIT_VALUE(RD_INIT_VALUE),
        .WR_PORTS(WR_PORTS), .WR_CLK_ENABLE(WR_CLK_ENABLE), .WR_CLK_POLARITY(WR_CLK_POLARITY),
        .WR_PRIORITY_MASK(WR_PRIORITY_MASK), .WR_WIDE_CONTINUATION(WR_WIDE_CONTINUATION))
        _TECHMAP_REPLACE_ (.RD_CLK(RD_CLK), .RD_EN(RD_EN), .RD_ARST(RD_ARST), .RD_SRST(RD_SRST),
        .RD_ADDR(RD_ADDR), .RD_DATA(RD_DATA), .WR_CLK(WR_CLK), .WR_EN(WR_EN), .WR_ADDR(WR_ADDR),
        .WR_DATA(WR_DATA));
  endgenerate
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
techmap -map @memory.v@ t:$mem_v2
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
  static const std::vector<FlowFile> kFiles = {{"cover.v", kCover},
                                               {"reset.v", kReset},
                                               {"values.v", kValues},
                                               {"division.v", kDivision},
                                               {"memory.v", kMemory}};
  return kFiles;
}

std::string flow_script(bool several_clocks) {
  return std::string(kSimplify) + std::string(several_clocks ? kManyClocks : kOneClock) +
         std::string(kExport);
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
