`ifndef DEFS
`define DEFS
`define ADDR_TIMER 2'd1
`endif
