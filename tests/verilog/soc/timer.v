`include "defs.vh"
module timer #(parameter TOP = 3) (input clk, input clear, output reg [3:0] now, output irq);
  initial now = 0;
  assign irq = now == TOP;
`ifdef BUG
  always @(posedge clk) if (clear) now <= 0; else now <= now + 1;
`else
  always @(posedge clk) if (clear || irq) now <= 0; else now <= now + 1;
`endif
endmodule
