// A FIFO in a memory: the counter agrees with the pointers, a full FIFO takes nothing, and a word
// that went in comes out unchanged. $anyconst picks the slot that is watched, so the proof is about
// all of them.
module fifo #(
    parameter WIDTH = 4,
    parameter ADDR = 2
) (
    input clk,
    input rst,
    input push,
    input pop,
    input [WIDTH-1:0] din,
    output [WIDTH-1:0] dout,
    output full,
    output empty
);
  reg [WIDTH-1:0] mem[0:(1 << ADDR)-1];
  reg [ADDR:0] wptr = 0, rptr = 0, count = 0;

  assign full = count == (1 << ADDR);
  assign empty = count == 0;
  assign dout = mem[rptr[ADDR-1:0]];
  wire do_push = push && !full;
  wire do_pop = pop && !empty;

  always @(posedge clk) begin
    if (do_push) begin
      mem[wptr[ADDR-1:0]] <= din;
      wptr <= wptr + 1;
    end
    if (do_pop) rptr <= rptr + 1;
    count <= count + do_push - do_pop;
    if (rst) begin
      wptr  <= 0;
      rptr  <= 0;
      count <= 0;
    end
  end

`ifdef FORMAL
  wire [ADDR:0] slot = $anyconst;
  reg [WIDTH-1:0] kept;
  reg written = 0;
  wire [ADDR:0] distance = slot - rptr;

  always @(posedge clk) begin
    if (do_push && wptr == slot) begin
      written <= 1;
      kept <= din;
    end
    if (rst) written <= 0;
    a_count: assert (count == wptr - rptr && count <= (1 << ADDR));
    if (written && distance < count)
      a_kept: assert (mem[slot[ADDR-1:0]] == kept);
    if (written && !empty && rptr == slot)
      a_order: assert (dout == kept);
    c_full: cover (full);
  end
`endif
endmodule
