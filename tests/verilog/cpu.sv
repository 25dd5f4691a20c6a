// A pipeline of two stages with forwarding: r[d] = r[s] + immediate, checked against a machine
// without pipeline. BUG: no forwarding.
module cpu (input clk, input [1:0] s, input [1:0] d, input [3:0] imm);
  reg [3:0] r [0:3];
  reg valid = 0;
  reg [1:0] dest = 0;
  reg [3:0] result = 0;
`ifdef BUG
  wire [3:0] operand = r[s];
`else
  wire [3:0] operand = valid && dest == s ? result : r[s];
`endif
  always @(posedge clk) begin
    valid <= 1;
    dest <= d;
    result <= operand + imm;
    if (valid) r[dest] <= result;
  end
`ifdef FORMAL
  reg [3:0] golden [0:3];
  wire [1:0] i = $anyconst;
  always @(posedge clk) golden[d] <= golden[s] + imm;
  always @(posedge clk) if (!valid) assume (golden[0] == r[0] && golden[1] == r[1] && golden[2] == r[2] && golden[3] == r[3]);
  always @(posedge clk) begin
    a_same: assert (golden[i] == (valid && dest == i ? result : r[i]));
  end
`endif
endmodule
