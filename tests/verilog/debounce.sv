// A button counts as pressed after four equal samples. BUG: the counter is not cleared.
module debounce (input clk, input button, output reg pressed);
  initial pressed = 0;
  reg [1:0] count = 0;
  always @(posedge clk)
`ifdef BUG
    if (button != pressed)
`else
    if (button == pressed) count <= 0; else
`endif
    begin
      count <= count + 1;
      if (count == 3) begin pressed <= button; count <= 0; end
    end
`ifdef FORMAL
  reg [3:0] last = 0; reg before = 0;
  always @(posedge clk) begin
    last <= {last[2:0], button}; before <= pressed;
    if (pressed != before) a_steady: assert (last == {4{pressed}});
    if (count == 3) h3: assert (last[2:0] == {3{!pressed}});
    if (count == 2) h2: assert (last[1:0] == {2{!pressed}});
    if (count == 1) h1: assert (last[0] == !pressed);
  end
`endif
endmodule
