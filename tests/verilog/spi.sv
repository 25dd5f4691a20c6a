// Shifts a nibble out and back through a loop. BUG: one clock pulse too few.
module spi (input clk, input start, input [3:0] data, output mosi, output reg done, output reg [3:0] back);
  reg [2:0] left = 0;
  reg [3:0] shift = 0;
  initial begin done = 0; back = 0; end
  assign mosi = shift[3];
  always @(posedge clk) begin
    done <= 0;
    if (left == 0) begin
      if (start) begin
        shift <= data;
`ifdef BUG
        left <= 3;
`else
        left <= 4;
`endif
      end
    end else begin
      shift <= {shift[2:0], 1'b0};
      back <= {back[2:0], mosi};
      left <= left - 1;
      done <= left == 1;
    end
  end
`ifdef FORMAL
  reg [3:0] want = 0;
  always @(posedge clk) if (left == 0 && start) want <= data;
  reg [3:0] kept = 0; reg busy = 0;
  always @(posedge clk) begin
    a_left: assert (left <= 4);
    if (done) a_back: assert (back == want || left == 4);
    if (left == 4) h4: assert (shift == want);
    if (left == 3) h3: assert (shift == {want[2:0], 1'b0} && back[0] == want[3]);
    if (left == 2) h2: assert (shift == {want[1:0], 2'b0} && back[1:0] == want[3:2]);
    if (left == 1) h1: assert (shift == {want[0], 3'b0} && back[2:0] == want[3:1]);
  end
`endif
endmodule
