// A priority encoder as nested ifs and as a loop. BUG: the loop runs the wrong way.
module encoder (input [7:0] req, output reg [2:0] a, output reg [2:0] b, output none);
  integer i;
  assign none = req == 0;
  always @* begin
    casez (req)
      8'b1???????: a = 7; 8'b01??????: a = 6; 8'b001?????: a = 5; 8'b0001????: a = 4;
      8'b00001???: a = 3; 8'b000001??: a = 2; 8'b0000001?: a = 1; default: a = 0;
    endcase
    b = 0;
`ifdef BUG
    for (i = 7; i >= 0; i = i - 1) if (req[i]) b = i;
`else
    for (i = 0; i < 8; i = i + 1) if (req[i]) b = i;
`endif
  end
`ifdef FORMAL
  always @* a_same: assert (a == b);
`endif
endmodule
