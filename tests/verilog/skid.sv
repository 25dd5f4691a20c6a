// A skid buffer: nothing is lost when the receiver stalls. BUG: the spare word is overwritten.
module skid (input clk, input rst, input in_valid, output in_ready, input [3:0] in_data,
             output out_valid, input out_ready, output [3:0] out_data);
  reg full = 0;
  reg [3:0] spare;
`ifdef BUG
  assign in_ready = 1;
`else
  assign in_ready = !full;
`endif
  assign out_valid = in_valid || full;
  assign out_data = full ? spare : in_data;
  always @(posedge clk)
    if (rst) full <= 0;
    else if (in_valid && in_ready && !out_ready) begin full <= 1; spare <= in_data; end
    else if (out_ready) full <= 0;
`ifdef FORMAL
  reg started = 0;
  always @(posedge clk) started <= 1;
  always @(posedge clk) if (started && $past(!rst && out_valid && !out_ready) && !rst)
    a_stable: assert (out_valid && out_data == $past(out_data));
`endif
endmodule
