// A request crosses from one clock to another through two flip-flops, but the data beside it is
// read without waiting until the sender keeps it still: the receiver may see a word that was never
// sent as valid. Two clocks: a step is a tick in which either may have an edge.
module crossing (
    input clk_a,
    input clk_b,
    input [1:0] word
);
  reg [1:0] data = 0;
  reg toggle = 0;
  always @(posedge clk_a) begin
    data   <= word;  // should wait until the receiver has answered
    toggle <= !toggle;
  end

  reg [1:0] meta = 0;
  reg [1:0] seen = 0;
  always @(posedge clk_b) begin
    meta <= {meta[0], toggle};
    if (meta[1] != meta[0]) seen <= data;
  end

`ifdef FORMAL
  reg [1:0] sent = 0;  // with the last toggle
  always @(posedge clk_a) sent <= word;
  always @* begin
    a_data: assert (data == sent);
    a_seen: assert (seen == 0 || seen == sent);
  end
`endif
endmodule
