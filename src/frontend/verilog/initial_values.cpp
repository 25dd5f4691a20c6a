#include "frontend/verilog/initial_values.h"

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
};

}  // namespace

std::optional<SourcePos> circular_value(std::string_view json, const std::string& top,
                                        const std::vector<InitialValue>& values) {
  if (values.empty()) return {};
  Json all = Json::parse(json, nullptr, false);
  if (all.is_discarded() || !all.is_object()) return {};
  Dependencies graph(part(part(all, "modules"), top));
  for (const InitialValue& value : values) graph.add(value);
  return graph.cycle();
}

}  // namespace lem::verilog
