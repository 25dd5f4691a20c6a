// A state machine with an enumeration: coffee for three coins. BUG: a coin too few after a refund.
module vending (input clk, input coin, input refund, output logic coffee);
  typedef enum logic [2:0] {EMPTY, ONE, TWO, READY, BACK} state_t;
  state_t state = EMPTY;
  assign coffee = state == READY;
  always_ff @(posedge clk)
    unique case (state)
      EMPTY: if (coin) state <= ONE;
      ONE: if (refund) state <= BACK; else if (coin) state <= TWO;
      TWO: if (refund) state <= BACK; else if (coin) state <= READY;
      READY: state <= EMPTY;
`ifdef BUG
      default: state <= ONE;
`else
      default: state <= EMPTY;
`endif
    endcase
`ifdef FORMAL
  reg [1:0] paid = 0;
  always @(posedge clk) begin
    if (coffee || state == BACK) paid <= 0;
    else if (coin && !(refund && state != EMPTY)) paid <= paid + 1;
    a_state: assert (state <= BACK);
    if (coffee) a_paid: assert (paid == 3);
    if (state == ONE) h_one: assert (paid == 1);
    if (state == TWO) h_two: assert (paid == 2);
    if (state == EMPTY) h_none: assert (paid == 0);
    c_coffee: cover (coffee);
  end
`endif
endmodule
