// Lights at a crossing, as an enumeration in two instances of a module. Both are never green, and
// each gets its turn (the covers): waveforms show the names of the states.
module light (
    input clk,
    input go,
    output green,
    output stopped
);
  typedef enum logic [1:0] {RED, GREEN, YELLOW} colour_t;
  colour_t colour = RED;
  reg [1:0] time_left = 0;

  assign green = colour == GREEN;
  assign stopped = colour == RED;

  always_ff @(posedge clk) begin
    time_left <= time_left == 0 ? 0 : time_left - 1;
    if (colour == RED && go) begin
      colour <= GREEN;
      time_left <= 3;
    end
    if (colour == GREEN && time_left == 0) colour <= YELLOW;
    if (colour == YELLOW) colour <= RED;
  end

`ifdef FORMAL
  always @(posedge clk) a_colour: assert (colour <= YELLOW);
`endif
endmodule

module crossing (
    input clk,
    input car_north,
    input car_east
);
  wire north_green, east_green, north_stopped, east_stopped;
  reg turn = 0;  // 0: north
  always_ff @(posedge clk) if (north_stopped && east_stopped) turn <= !turn;

  wire both = north_stopped && east_stopped;
  light north (.clk(clk), .go(both && !turn && car_north), .green(north_green), .stopped(north_stopped));
  light east (.clk(clk), .go(both && turn && car_east), .green(east_green), .stopped(east_stopped));

`ifdef FORMAL
  always @(posedge clk) begin
    a_exclusive: assert (!(north_green && east_green));
    c_north: cover (north_green);
    c_east: cover (east_green);
  end
`endif
endmodule
