// A FIFO in a memory of four words. BUG: it takes words when it is full.
module fifo (input clk, input rst, input push, input pop, input [3:0] din, output [3:0] dout);
  reg [3:0] mem [0:3];
  reg [2:0] wptr = 0, rptr = 0;
  wire [2:0] count = wptr - rptr;
`ifdef BUG
  wire do_push = push;
`else
  wire do_push = push && count != 4;
`endif
  wire do_pop = pop && count != 0;
  assign dout = mem[rptr[1:0]];
  always @(posedge clk) begin
    if (do_push) begin mem[wptr[1:0]] <= din; wptr <= wptr + 1; end
    if (do_pop) rptr <= rptr + 1;
    if (rst) begin wptr <= 0; rptr <= 0; end
  end
`ifdef FORMAL
  always @(posedge clk) begin
    a_count: assert (count <= 4);
    c_full: cover (count == 4);
  end
`endif
endmodule
