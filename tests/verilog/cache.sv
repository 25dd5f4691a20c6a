// A direct-mapped cache of two lines over a memory; reads through it give what the memory has.
// BUG: a write does not invalidate the line.
module cache (input clk, input write, input [2:0] addr, input [3:0] data, output hit, output [3:0] out);
  reg [3:0] mem [0:7];
  reg [3:0] line [0:1];
  reg [1:0] tag [0:1];
  reg [1:0] valid = 0;
  wire set = addr[0];
  assign hit = valid[set] && tag[set] == addr[2:1];
  assign out = hit ? line[set] : mem[addr];
  always @(posedge clk)
    if (write) begin
      mem[addr] <= data;
`ifndef BUG
      if (hit) valid[set] <= 0;
`endif
    end else if (!hit) begin
      line[set] <= mem[addr]; tag[set] <= addr[2:1]; valid[set] <= 1;
    end
`ifdef FORMAL
  wire which = $anyconst;
  always @(posedge clk) begin
    a_read: assert (out == mem[addr]);
    if (valid[which]) h_line: assert (line[which] == mem[{tag[which], which}]);
  end
`endif
endmodule
