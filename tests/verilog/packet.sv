// A packed struct travels through two registers. BUG: the fields are swapped on the way.
module packet (input clk, input [3:0] head, input [3:0] tail, output [3:0] first);
  typedef struct packed { logic [3:0] head; logic [3:0] tail; } pair_t;
  pair_t a = 0, b = 0;
  always_ff @(posedge clk) begin
    a.head <= head; a.tail <= tail;
`ifdef BUG
    b.head <= a.tail; b.tail <= a.head;
`else
    b <= a;
`endif
  end
  assign first = b.head;
`ifdef FORMAL
  reg [3:0] h1 = 0, h2 = 0;
  always @(posedge clk) begin
    h1 <= head; h2 <= h1;
    a_first: assert (first == h2);
    h_head: assert (a.head == h1);
  end
`endif
endmodule
