// A memory that reads the word being written. BUG: the old one.
module ram (input clk, input we, input [2:0] wa, input [2:0] ra, input [7:0] wd, output reg [7:0] rd);
  reg [7:0] mem [0:7];
  always @(posedge clk) begin
    if (we) mem[wa] <= wd;
`ifdef BUG
    rd <= mem[ra];
`else
    rd <= we && wa == ra ? wd : mem[ra];
`endif
  end
`ifdef FORMAL
  reg [2:0] at; reg seen = 0;
  always @(posedge clk) begin at <= ra; seen <= 1; end
  always @(posedge clk) if (seen) a_now: assert (rd == mem[at]);
`endif
endmodule
