// A tree of gates made by generate loops. BUG: one gate is an OR.
module gate2 #(parameter KIND = 0) (input a, input b, output y);
  generate if (KIND == 1) begin : g_or assign y = a | b; end else begin : g_xor assign y = a ^ b; end endgenerate
endmodule
module parity_tree (input clk, input [7:0] d, output reg p);
  initial p = 0;
  wire [3:0] l1; wire [1:0] l2; wire l3;
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : first
`ifdef BUG
      gate2 #(.KIND(i == 2)) u (.a(d[2*i]), .b(d[2*i+1]), .y(l1[i]));
`else
      gate2 u (.a(d[2*i]), .b(d[2*i+1]), .y(l1[i]));
`endif
    end
    for (i = 0; i < 2; i = i + 1) begin : second
      gate2 u (.a(l1[2*i]), .b(l1[2*i+1]), .y(l2[i]));
    end
  endgenerate
  gate2 last (.a(l2[0]), .b(l2[1]), .y(l3));
  always @(posedge clk) p <= l3;
`ifdef FORMAL
  reg want = 0; always @(posedge clk) want <= ^d;
  always @(posedge clk) a_parity: assert (p == want);
`endif
endmodule
