// Sends a byte with start, stop and even parity bit. BUG: parity starts at 1.
module uart_tx (input clk, input send, input [3:0] data, output reg line, output busy);
  reg [2:0] pos = 0;
  reg [3:0] shift;
  reg parity = 0;
  initial line = 1;
  assign busy = pos != 0;
  always @(posedge clk) begin
    if (!busy) begin
      line <= 1;
      if (send) begin
        pos <= 1; shift <= data; line <= 0;
`ifdef BUG
        parity <= 1;
`else
        parity <= 0;
`endif
      end
    end else begin
      pos <= pos == 6 ? 0 : pos + 1;
      if (pos <= 4) begin line <= shift[0]; parity <= parity ^ shift[0]; shift <= shift >> 1; end
      if (pos == 5) line <= parity;
      if (pos == 6) line <= 1;
    end
  end
`ifdef FORMAL
  reg [3:0] want = 0;
  always @(posedge clk) if (!busy && send) want <= data;
  always @(posedge clk) begin
    a_pos: assert (pos <= 6);
    if (pos == 6) a_parity: assert (line == ^want);
    if (pos == 2) a_first: assert (line == want[0]);
    if (pos == 2) h_shift2: assert (shift[2:0] == want[3:1] && parity == want[0]);
    if (pos == 3) h_shift3: assert (shift[1:0] == want[3:2] && parity == ^want[1:0]);
    if (pos == 4) h_shift4: assert (shift[0] == want[3] && parity == ^want[2:0]);
    if (pos == 5) h_shift5: assert (parity == ^want);
    if (pos == 1) h_shift1: assert (shift == want && parity == 0);
  end
`endif
endmodule
