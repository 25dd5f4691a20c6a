// Several files and an include: a bus with a timer. BUG (in timer.v): it does not start again.
`include "defs.vh"
module soc #(parameter TOP = 3) (input clk, input [1:0] addr, input write, output [3:0] now, output irq);
  timer #(.TOP(TOP)) t (.clk(clk), .clear(write && addr == `ADDR_TIMER), .now(now), .irq(irq));
`ifdef FORMAL
  always @(posedge clk) begin
    a_range: assert (now <= TOP);
    c_irq: cover (irq);
  end
`endif
endmodule
