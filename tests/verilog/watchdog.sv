// A watchdog bites exactly eight steps after the last kick. BUG: a kick in the last step is ignored.
module watchdog (input clk, input rst_n, input kick, output reg bite);
  reg [2:0] count;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin count <= 0; bite <= 0; end
`ifdef BUG
    else if (kick && count != 7) begin count <= 0; bite <= 0; end
`else
    else if (kick) begin count <= 0; bite <= 0; end
`endif
    else begin count <= count + 1; bite <= count == 7; end
`ifdef FORMAL
  reg started = 0;
  always @(posedge clk) started <= 1;
  always @* if (!started) assume (!rst_n);
  reg kicked = 0;
  always @(posedge clk) kicked <= kick && rst_n;
  always @* if (started && kicked && rst_n) a_calm: assert (!bite);
  always @* c_bite: cover (started && bite);
`endif
endmodule
