// Division by repeated subtraction. BUG: it stops a step late.
module divider (input clk, input start, input [3:0] n, input [3:0] d, output reg [3:0] q, output reg [3:0] r, output reg busy);
  initial begin q = 0; r = 0; busy = 0; end
  reg [3:0] by = 1, of = 0;
  always @(posedge clk)
    if (!busy) begin
      if (start && d != 0) begin busy <= 1; q <= 0; r <= n; by <= d; of <= n; end
    end
`ifdef BUG
    else if (r > by) begin r <= r - by; q <= q + 1; end
`else
    else if (r >= by) begin r <= r - by; q <= q + 1; end
`endif
    else busy <= 0;
`ifdef FORMAL
  wire [7:0] product = q * by;
  always @(posedge clk) begin
    a_sum: assert (product + r == of);
    h_by: assert (by != 0);
    if (!busy) a_rest: assert (r < by || (q == 0 && of == 0));
  end
`endif
endmodule
