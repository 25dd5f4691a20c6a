#include "frontend/verilog/bench.h"

#include "frontend/verilog/netlist.h"
#include "frontend/verilog/sources.h"
#include "frontend/verilog/yosys.h"

namespace lem::verilog {

Result<VerilogBench> read_bench(const VerilogSource& design, const std::stop_token& stop) {
  frontend::SourceOptions source{
      {design.files.begin() + 1, design.files.end()}, design.include_folders, design.defines};
  Result<Yosys> yosys = Yosys::start(design.files[0], source, stop);
  if (!yosys) return yosys.error();
  std::string parameters;
  for (const std::string& each : design.parameters) {
    std::size_t equals = each.find('=');
    parameters += "chparam -set " + each.substr(0, equals) + " " + each.substr(equals + 1) + " " +
                  design.top + "\n";
  }
  for (View view : {View::Simulation, View::Formal})
    for (Dialect dialect : {Dialect::AllSystem, Dialect::ByName}) {
      if (!read_sources(*yosys, dialect, view)) continue;
      Result<Messages> ran =
          yosys->run(yosys->read_command(dialect) + parameters + "hierarchy -top " + design.top +
                     "\nproc\nflatten\nwrite_json @bench.json@\n");
      if (!ran) return ran.error();
      if (ran->error) continue;
      Result<std::string> json = yosys->get("bench.json");
      if (!json) return json.error();
      VerilogBench out = read_bench_names(*json, design.top);
      out.formal = view == View::Formal;
      return out;
    }
  return Error{{design.files[0]}, "the design has changed since it was read", ErrorKind::NotFound};
}

}  // namespace lem::verilog
