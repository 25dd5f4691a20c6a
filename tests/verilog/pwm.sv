// Pulse width modulation with a shadow register. BUG: the width changes within a period.
module pwm (input clk, input [2:0] width, output out);
  reg [2:0] count = 0;
  reg [2:0] shadow = 0;
  always @(posedge clk) begin
    count <= count + 1;
`ifdef BUG
    shadow <= width;
`else
    if (count == 7) shadow <= width;
`endif
  end
  assign out = count < shadow;
`ifdef FORMAL
  reg old_value = 0; reg [2:0] at = 7;
  always @(posedge clk) begin
    old_value <= out; at <= count;
    if (count != 0 && !old_value) a_once: assert (!out);
    if (count != 0) h_old_value: assert (old_value == (at < shadow));
    h_at: assert (at == count - 3'd1);
  end
`endif
endmodule
