// A round-robin arbiter for four clients. A client keeps its grant as long as it asks, but the token
// moves on in every step: the next client gets a grant beside it.
module arbiter (
    input clk,
    input rst,
    input [3:0] request,
    output reg [3:0] grant
);
  initial grant = 0;
  reg [3:0] token = 4'b0001;

  always @(posedge clk) begin
    if (rst) begin
      grant <= 0;
      token <= 4'b0001;
    end else begin
      token <= {token[2:0], token[3]};  // should wait while (request & token) is not 0
      grant <= (grant & request) | (token & request);
    end
  end

`ifdef FORMAL
  always @(posedge clk) begin
    a_token: assert ($onehot(token));
    a_exclusive: assert ($onehot0(grant));
  end
`endif
endmodule
