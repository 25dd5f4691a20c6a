// A shift register with feedback that never becomes zero. BUG: it may be loaded with zero.
module lfsr (input clk, input load, input [4:0] seed, output reg [4:0] q);
  initial q = 1;
  always @(posedge clk)
`ifdef BUG
    if (load) q <= seed;
`else
    if (load && seed != 0) q <= seed;
`endif
    else q <= {q[3:0], q[4] ^ q[2]};
`ifdef FORMAL
  always @(posedge clk) a_alive: assert (q != 0);
`endif
endmodule
