// A stack in a memory: what is pushed last is on top. BUG: push and pop together lose the new word.
module stack (input clk, input push, input pop, input [3:0] din, output [3:0] top, output empty);
  reg [3:0] mem [0:7];
  reg [3:0] sp = 0;
  assign empty = sp == 0;
  assign top = mem[sp - 1];
  wire full = sp == 8;
  always @(posedge clk) begin
    if (push && pop && !empty) begin
`ifndef BUG
      mem[sp - 1] <= din;
`endif
    end else if (push && !full) begin mem[sp[2:0]] <= din; sp <= sp + 1; end
    else if (pop && !empty) sp <= sp - 1;
  end
`ifdef FORMAL
  reg [3:0] last; reg fresh = 0;
  always @(posedge clk) begin
    fresh <= push && (!full || pop);
    last <= din;
    a_depth: assert (sp <= 8);
    if (fresh) a_top: assert (!empty && top == last);
  end
`endif
endmodule
