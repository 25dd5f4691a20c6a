// Four-phase handshake between two clocks: data is still while it is read. BUG: the sender does not
// wait for the answer to fall.
module handshake (input ca, input cb, input [1:0] word, input go);
  reg req = 0, ack = 0, a1 = 0, a2 = 0, r1 = 0, r2 = 0;
  reg [1:0] data = 0, got = 0;
  always @(posedge ca) begin
    a1 <= ack; a2 <= a1;
`ifdef BUG
    if (!req && go) begin req <= 1; data <= word; end
`else
    if (!req && !a2 && go) begin req <= 1; data <= word; end
`endif
    else if (req && a2) req <= 0;
  end
  always @(posedge cb) begin
    r1 <= req; r2 <= r1;
    if (r2 && !ack) begin got <= data; ack <= 1; end
    else if (!r2 && ack) ack <= 0;
  end
`ifdef FORMAL
  always @* if (ack && req) a_same: assert (got == data);
`endif
endmodule
