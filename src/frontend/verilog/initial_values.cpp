#include "frontend/verilog/initial_values.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace lem::verilog {

namespace {

using Json = nlohmann::ordered_json;
using Bit = std::int64_t;

const Json& part(const Json& of, const std::string& key) {
  static const Json kNone = Json::object();
  auto found = of.find(key);
  return found == of.end() ? kNone : *found;
}

std::vector<Bit> bits_of(const Json& of) {
  std::vector<Bit> out;
  for (const Json& bit : of)
    if (bit.is_number()) out.push_back(bit.get<Bit>());
  return out;
}

class Dependencies {
 public:
  explicit Dependencies(const Json& module) : module_(module) {
    for (const auto& [name, cell] : part(module, "cells").items()) {
      const Json& ports = part(cell, "connections");
      const Json& type = part(cell, "type");
      bool plain = type == "$dff" || type == "$ff" || type == "$anyconst";
      for (const char* port : {"Q", "Y"})
        for (Bit bit : bits_of(part(ports, port)))
          if (plain) registers_.insert(bit);
      if (ports.contains("CLK") || part(cell, "type") == "$ff") continue;  // a state
      const Json& directions = part(cell, "port_directions");
      std::vector<Bit> inputs;
      for (const auto& [port, bits] : ports.items())
        if (part(directions, port) != "output")
          for (Bit bit : bits_of(bits)) inputs.push_back(bit);
      for (const auto& [port, bits] : ports.items())
        if (part(directions, port) == "output")
          for (Bit bit : bits_of(bits)) sources_[bit] = inputs;
    }
  }

  /// Adds the value of a variable, for every copy of its scope.
  void add(const InitialValue& value) {
    for (const auto& [name, net] : part(module_, "netnames").items()) {
      bool whole = name == value.net;
      if (!whole && !name.ends_with('.' + value.net)) continue;
      std::string variable = name.substr(0, name.size() - value.net.size()) + value.variable;
      std::vector<Bit> from = bits_of(part(net, "bits"));
      for (Bit bit : bits_of(part(part(part(module_, "netnames"), variable), "bits"))) {
        std::vector<Bit>& list = sources_[bit];
        list.insert(list.end(), from.begin(), from.end());
        starts_[bit] = value.at;
      }
    }
  }

  /// Whether each copy of the variable is a register that nothing but its clock changes, without
  /// another initial value.
  bool is_register(const InitialValue& value) const {
    const Json& nets = part(module_, "netnames");
    for (const auto& [name, net] : nets.items()) {
      if (name != value.net && !name.ends_with('.' + value.net)) continue;
      std::string variable = name.substr(0, name.size() - value.net.size()) + value.variable;
      const Json& own = part(nets, variable);
      const Json& bits = part(own, "bits");
      bool kept = !bits.empty() && std::all_of(bits.begin(), bits.end(), [&](const Json& bit) {
        return bit.is_number() && registers_.contains(bit.get<Bit>());
      });
      if (!kept) return false;
      auto init = part(own, "attributes").find("init");
      if (init == part(own, "attributes").end()) continue;
      if (!init->is_string() ||
          init->get<std::string>().find_first_not_of('x') != std::string::npos)
        return false;
    }
    return true;
  }

  /// The first variable that can be reached from itself.
  std::optional<SourcePos> cycle() const {
    for (const auto& [bit, at] : starts_)
      if (reaches(bit)) return at;
    return {};
  }

 private:
  bool reaches(Bit goal) const {
    std::set<Bit> seen;
    std::vector<Bit> open = {goal};
    while (!open.empty()) {
      Bit bit = open.back();
      open.pop_back();
      auto found = sources_.find(bit);
      if (found == sources_.end()) continue;
      for (Bit next : found->second) {
        if (next == goal) return true;
        if (seen.insert(next).second) open.push_back(next);
      }
    }
    return false;
  }

  const Json& module_;
  std::map<Bit, std::vector<Bit>> sources_;
  std::map<Bit, SourcePos> starts_;
  std::set<Bit> registers_;  // bits that change at a clock edge alone, or never
};

}  // namespace

std::optional<Error> wrong_initial_value(std::string_view json, const std::string& top,
                                         const std::vector<InitialValue>& values) {
  if (values.empty()) return {};
  Json all = Json::parse(json, nullptr, false);
  if (all.is_discarded() || !all.is_object())
    return Error{values[0].at, "yosys wrote no netlist", ErrorKind::Internal};
  Dependencies graph(part(part(all, "modules"), top));
  for (const InitialValue& value : values) {
    if (!graph.is_register(value))
      return Error{value.at,
                   "unsupported: an initial value that is not constant, of a variable that is no "
                   "register of one clock ('" +
                       value.variable + "')",
                   ErrorKind::BadInput};
    graph.add(value);
  }
  if (std::optional<SourcePos> at = graph.cycle())
    return Error{*at, "the initial value depends on itself", ErrorKind::BadInput};
  return {};
}

}  // namespace lem::verilog
