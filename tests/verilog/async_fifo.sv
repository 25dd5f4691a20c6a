// A FIFO between two clocks with gray-coded pointers. BUG: pointers cross in binary.
module async_fifo (input wclk, input rclk, input push, input pop, input [1:0] din, output [1:0] dout,
                   output full, output empty);
  reg [1:0] mem [0:1];
  reg [1:0] wbin = 0, rbin = 0, w1 = 0, w2 = 0, r1 = 0, r2 = 0;
`ifdef BUG
  wire [1:0] wcode = wbin, rcode = rbin;
  assign full = wbin == {~r2[1], r2[0]} && 0;
`else
  wire [1:0] wcode = wbin ^ (wbin >> 1), rcode = rbin ^ (rbin >> 1);
  assign full = wcode == ~r2;
`endif
  assign empty = rcode == w2;
  assign dout = mem[rbin[0]];
  always @(posedge wclk) begin
    r1 <= rcode; r2 <= r1;
    if (push && !full) begin mem[wbin[0]] <= din; wbin <= wbin + 1; end
  end
  always @(posedge rclk) begin
    w1 <= wcode; w2 <= w1;
    if (pop && !empty) rbin <= rbin + 1;
  end
`ifdef FORMAL
  wire [1:0] count = wbin - rbin;
  always @* a_count: assert (count <= 2);
`endif
endmodule
