// A CRC of four bits, bit by bit and two bits at a time. BUG: a wrong tap.
module crc (input clk, input [1:0] d, output reg [3:0] serial, output reg [3:0] parallel);
  initial begin serial = 0; parallel = 0; end
  function [3:0] step(input [3:0] c, input b);
    step = {c[2:0], 1'b0} ^ (c[3] ^ b ? 4'b0011 : 4'b0000);
  endfunction
  reg second = 0;
  reg held = 0;
  always @(posedge clk) begin
    second <= !second;
    if (!second) begin
      serial <= step(serial, d[1]);
      held <= d[0];
`ifdef BUG
      parallel <= {parallel[1:0], 2'b00} ^ (parallel[3] ^ d[1] ? 4'b0111 : 0) ^ (parallel[2] ^ d[0] ? 4'b0011 : 0);
`else
      parallel <= {parallel[1:0], 2'b00} ^ (parallel[3] ^ d[1] ? 4'b0110 : 0) ^ (parallel[2] ^ d[0] ? 4'b0011 : 0);
`endif
    end else serial <= step(serial, held);
  end
`ifdef FORMAL
  always @(posedge clk) begin
    if (!second) a_same: assert (serial == parallel);
    if (second) h_half: assert (step(serial, held) == parallel);
  end
`endif
endmodule
