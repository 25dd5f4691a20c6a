#include "frontend/verilog/netlist.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "frontend/verilog/rewrite.h"
#include "frontend/yosys_place.h"

namespace lem::verilog {

namespace {

using Json = nlohmann::ordered_json;

/// Calls `visit` with every line, without the blanks at its start.
template <class Visit>
void for_lines(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    visit(line, line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
}

/// The words of `cell TYPE NAME`; RTLIL has no blanks in names.
struct CellLine {
  std::string_view type, name;
};
std::optional<CellLine> cell_line(std::string_view line) {
  if (!line.starts_with("cell ")) return {};
  line.remove_prefix(5);
  std::size_t blank = line.find(' ');
  if (blank == line.npos) return {};
  return CellLine{line.substr(0, blank), line.substr(blank + 1)};
}

std::optional<FormalKind> formal_kind(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, FormalKind>, 5> kKinds = {
      {{"$assert", FormalKind::Assert},
       {"$assume", FormalKind::Assume},
       {"$cover", FormalKind::Cover},
       {"$live", FormalKind::Live},
       {"$fair", FormalKind::Fair}}};
  for (const auto& [name, kind] : kKinds)
    if (name == type) return kind;
  return {};
}

/// The place of a statement: among those of the instances around it, the one in a file of a
/// statement. `instance|instance|statement`, in an order that Yosys does not fix.
SourcePos statement_place(std::string_view src) {
  std::size_t at = src.find(kStatementFile);
  if (at == src.npos) return frontend::yosys_place(src);
  src.remove_prefix(at);
  return frontend::yosys_place(src.substr(0, src.find('|')));
}

/// `"a\"b"` without quotes and escapes.
std::string unquoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

/// Public names have a label at their end; in those that Yosys makes the instances come first:
/// `$flatten\a.\b.$assert$file:3$12`.
void name_formal(std::string_view name, Formal& out) {
  auto without_escapes = [](std::string_view text) {
    std::string plain;
    for (char c : text)
      if (c != '\\') plain += c;
    return plain;
  };
  if (name.starts_with('\\')) {
    out.label = without_escapes(name);
    out.labelled = true;
    return;
  }
  std::string path;
  while (name.starts_with("$flatten\\")) {
    name.remove_prefix(9);
    std::size_t end = name.find(".$");
    if (end == name.npos) break;
    path += (path.empty() ? "" : ".") + without_escapes(name.substr(0, end));
    name.remove_prefix(end + 1);
  }
  out.label = path;
}

/// A constant of Yosys' JSON: bits as text, or a number.
std::uint64_t number_of(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  std::uint64_t out = 0;
  if (value.is_string())
    for (char c : value.get_ref<const std::string&>()) out = 2 * out + (c == '1' ? 1 : 0);
  return out;
}

const Json& part(const Json& of, const char* key) {
  static const Json kNone = Json::object();
  auto found = of.find(key);
  return found == of.end() ? kNone : *found;
}

class NetlistReader {
 public:
  explicit NetlistReader(const Json& module) : module_(module) {}

  Netlist run(const std::string& top) {
    out_.source.top = top;
    read_ports();
    read_signals();
    read_memories();
    read_clocks();
    find_judged_by_reset();
    return std::move(out_);
  }

 private:
  using Bit = std::int64_t;

  void read_ports() {
    for (const auto& [name, port] : part(module_, "ports").items()) {
      const Json& bits = part(port, "bits");
      if (part(port, "direction") != "input") continue;
      out_.source.inputs.push_back({name, static_cast<std::uint32_t>(bits.size())});
      for (const Json& bit : bits)
        if (bit.is_number()) input_of_[bit.get<Bit>()] = bits.size() == 1 ? name : "";
    }
  }

  void read_signals() {
    for (const auto& [name, net] : part(module_, "netnames").items()) {
      const Json& attributes = part(net, "attributes");
      if (number_of(part(net, "hide_name")) != 0) continue;
      if (auto src = attributes.find("src"); src != attributes.end() && src->is_string())
        out_.places[name] = frontend::yosys_place(src->get_ref<const std::string&>());
      for (const Json& bit : part(net, "bits"))
        if (bit.is_number()) names_.try_emplace(bit.get<Bit>(), name);
      VerilogSource::Signal signal;
      if (auto offset = net.find("offset"); offset != net.end())
        signal.lowest = offset->get<std::int64_t>();
      signal.upto = number_of(part(net, "upto")) != 0;
      for (const auto& [key, value] : attributes.items())
        if (key.starts_with("enum_value_") && value.is_string())
          signal.names[key.substr(11)] = value.get<std::string>().substr(1);
      if (signal.lowest != 0 || signal.upto || !signal.names.empty())
        out_.source.signals[name] = std::move(signal);
    }
  }

  void read_memories() {
    for (const auto& [name, memory] : part(module_, "memories").items()) {
      const Json& first = part(memory, "start_offset");
      const Json& src = part(part(memory, "attributes"), "src");
      bool negative = first.is_number_integer() && first.get<std::int64_t>() < 0;
      if (negative && src.is_string())
        out_.below_zero = frontend::yosys_place(src.get_ref<const std::string&>());
      out_.source.memories[name] = {number_of(first), number_of(part(memory, "size"))};
    }
  }

  /// A clock: its signal and its edge. Memory ports without one are left out.
  void read_clocks() {
    std::set<std::pair<Bit, bool>> clocks;
    std::set<Bit> data;
    bool global = false;
    for (const auto& [name, cell] : part(module_, "cells").items()) {
      const Json& parameters = part(cell, "parameters");
      global = global || part(cell, "type") == "$ff";
      auto enable = parameters.find("CLK_ENABLE");
      bool clocked = enable == parameters.end() || number_of(*enable) != 0;
      for (const auto& [port, bits] : part(cell, "connections").items())
        for (const Json& bit : bits) {
          if (!bit.is_number()) continue;
          if (port != "CLK")
            data.insert(bit.get<Bit>());
          else if (clocked)
            clocks.emplace(bit.get<Bit>(), number_of(part(parameters, "CLK_POLARITY")) != 0);
        }
    }
    decide(clocks, data, global);
  }

  /// A statement is enabled by a register of its process. If the process has an asynchronous reset,
  /// the register must be 0 there: a statement that the reset enables is judged at its edge, when
  /// the signals still have their values from before the reset, and no step shows those.
  void find_judged_by_reset() {
    std::map<Bit, const Json*> driver;
    for (const auto& [name, cell] : part(module_, "cells").items())
      for (const Json& bit : part(part(cell, "connections"), "Q"))
        if (bit.is_number()) driver[bit.get<Bit>()] = &cell;
    for (const auto& [name, cell] : part(module_, "cells").items()) {
      const Json& type = part(cell, "type");
      if (!type.is_string() || !formal_kind(type.get_ref<const std::string&>())) continue;
      for (const Json& bit : part(part(cell, "connections"), "EN")) {
        auto found = bit.is_number() ? driver.find(bit.get<Bit>()) : driver.end();
        if (found == driver.end()) continue;
        const Json& kind = part(*found->second, "type");
        bool cleared = kind == "$adff" &&
                       number_of(part(part(*found->second, "parameters"), "ARST_VALUE")) == 0;
        if (kind == "$dff" || cleared) continue;
        const Json& src = part(part(cell, "attributes"), "src");
        if (src.is_string())
          out_.judged_by_reset = statement_place(src.get_ref<const std::string&>());
      }
    }
  }

  void decide(const std::set<std::pair<Bit, bool>>& clocks, const std::set<Bit>& data,
              bool global) {
    for (auto [clock, edge] : clocks)
      if (auto port = input_of_.find(clock); port != input_of_.end() && !port->second.empty())
        out_.source.clock_ports.push_back(port->second);
    if (clocks.empty()) return;  // combinational, or all registers tick with every step
    auto [bit, rising] = *clocks.begin();
    auto port = input_of_.find(bit);
    std::string list;
    for (auto [clock, edge] : clocks)
      list +=
          (list.empty() ? "" : ", ") + std::string(edge ? "posedge " : "negedge ") + names_[clock];
    if (clocks.size() > 1)
      out_.clocking.why = "registers change at several edges (" + list + ")";
    else if (global)
      out_.clocking.why = "registers of the global clock beside those of " + list;
    else if (port == input_of_.end())
      out_.clocking.why = "the clock (" + list + ") is made by the design";
    else if (data.contains(bit))
      out_.clocking.why = "the clock (" + list + ") is read as data";
    else
      out_.clocking.single =
          VerilogSource::Clock{port->second.empty() ? names_[bit] : port->second, rising};
    // A bit of a bus has no name to draw a clock for.
    if (out_.clocking.single && port->second.empty()) out_.clocking.single->name.clear();
  }

  const Json& module_;
  Netlist out_;
  std::map<Bit, std::string> input_of_;  // empty for bits of buses
  std::map<Bit, std::string> names_;
};

}  // namespace

/// `\sub`, or of an array of instances `$array:3:0:\sub`.
static bool is_instance(std::string_view type) {
  return type.starts_with('\\') || (type.starts_with("$array:") && type.find('\\') != type.npos);
}

std::vector<std::string> roots_of(std::string_view rtlil) {
  std::vector<std::string> modules;
  std::set<std::string, std::less<>> used;
  for_lines(rtlil, [&](std::string_view, std::string_view line) {
    if (line.starts_with("module \\")) modules.emplace_back(line.substr(8));
    if (std::optional<CellLine> cell = cell_line(line))
      if (std::size_t name = cell->type.find('\\'); is_instance(cell->type))
        used.emplace(cell->type.substr(name + 1));
  });
  std::erase_if(modules, [&](const std::string& name) { return used.contains(name); });
  return modules;
}

std::string formal_name(std::size_t index) {
  return "lemmata$" + std::to_string(index);
}

Formals take_formals(std::string_view rtlil) {
  Formals out;
  out.rtlil.reserve(rtlil.size());
  std::string src;
  for_lines(rtlil, [&](std::string_view whole, std::string_view line) {
    std::optional<CellLine> cell = cell_line(line);
    std::optional<FormalKind> kind = cell ? formal_kind(cell->type) : std::nullopt;
    if (!kind) {
      constexpr std::string_view kSrc = "attribute \\src ";
      if (line.starts_with(kSrc))
        src = unquoted(line.substr(kSrc.size()));
      else if (!line.starts_with("attribute "))
        src.clear();
      out.rtlil.append(whole) += '\n';
      return;
    }
    Formal formal{*kind, {}, false, statement_place(src)};
    name_formal(cell->name, formal);
    out.rtlil += "  cell " + std::string(cell->type) + " \\" + formal_name(out.list.size()) + '\n';
    out.list.push_back(std::move(formal));
    src.clear();
  });
  return out;
}

/// The module of that name.
static std::optional<Json> module_of(std::string_view json, const std::string& top) {
  Json all = Json::parse(json, nullptr, false);
  if (all.is_discarded() || !all.is_object()) return {};
  auto modules = all.find("modules");
  if (modules == all.end()) return {};
  auto module = modules->find(top);
  if (module == modules->end()) return {};
  return *module;
}

VerilogBench read_bench_names(std::string_view json, const std::string& top) {
  VerilogBench out;
  std::optional<Json> module = module_of(json, top);
  if (!module) return out;
  std::set<std::int64_t> stored;  // bits that registers and latches have
  for (const auto& [name, cell] : part(*module, "cells").items()) {
    const Json& ports = part(cell, "connections");
    if (!ports.contains("Q") || !ports.contains("D")) continue;
    for (const Json& bit : ports["Q"])
      if (bit.is_number()) stored.insert(bit.get<std::int64_t>());
  }
  const Json& nets = part(*module, "netnames");
  for (const auto& [name, net] : nets.items()) {  // bits with an initial value
    auto init = part(net, "attributes").find("init");
    if (init == part(net, "attributes").end() || !init->is_string()) continue;
    const std::string& digits = init->get_ref<const std::string&>();
    const Json& bits = part(net, "bits");
    for (std::size_t i = 0; i < bits.size() && i < digits.size(); ++i)
      if (bits[i].is_number() && digits[digits.size() - 1 - i] != 'x')
        stored.erase(bits[i].get<std::int64_t>());
  }
  for (const auto& [name, net] : nets.items()) {
    if (number_of(part(net, "hide_name")) != 0 || frontend::is_yosys_helper(name)) continue;
    // A variable of a block in a loop: one for each round here, one for all in a simulator.
    if (name.find("$for_loop$") != std::string::npos) continue;
    const Json& bits = part(net, "bits");
    if (std::any_of(bits.begin(), bits.end(), [&](const Json& bit) {
          return bit.is_number() && stored.contains(bit.get<std::int64_t>());
        }))
      out.registers.push_back(name);
  }
  for (const auto& [name, memory] : part(*module, "memories").items())
    out.memories[name] = {number_of(part(memory, "start_offset")), number_of(part(memory, "size"))};
  return out;
}

std::optional<Netlist> read_netlist(std::string_view json, const std::string& top) {
  std::optional<Json> module = module_of(json, top);
  if (!module) return {};
  return NetlistReader(*module).run(top);
}

}  // namespace lem::verilog
