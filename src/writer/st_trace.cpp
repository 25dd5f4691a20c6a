#include "writer/st_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lem {

static std::string time_literal(mpz_class milliseconds) {
  if (milliseconds == 0) return "T#0s";
  std::string out = milliseconds < 0 ? "T#-" : "T#";
  milliseconds = abs(milliseconds);
  struct Unit {
    const char* name;
    long size;
  };
  for (const Unit& unit : {Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                           Unit{"s", 1'000}, Unit{"ms", 1}}) {
    mpz_class count = milliseconds / unit.size;
    milliseconds %= unit.size;
    if (count != 0) out += count.get_str() + unit.name;
  }
  return out;
}

std::string st_literal(const TermStore& terms, Term value, const st::Type& type) {
  using Kind = st::Type::Kind;
  if (terms.kind(value) == SortKind::Array) return "(array)";
  switch (type.kind) {
    case Kind::Bool:
      return terms.is_true(value) ? "TRUE" : "FALSE";
    case Kind::Bits:
      return fmt::format("16#{:0>{}}", terms.integer_value(value).get_str(-16), type.bits / 4);
    case Kind::Signed:
      return terms.signed_value(value).get_str();
    case Kind::Time:
      return time_literal(terms.signed_value(value));
    case Kind::Real:
      return terms.float_value(value).text();
    case Kind::Enum: {
      mpz_class number = type.is_signed() ? terms.signed_value(value) : terms.integer_value(value);
      for (const auto& [name, of] : type.literals)
        if (of == number) return name.text;
      return number.get_str();
    }
    default:
      return terms.integer_value(value).get_str();
  }
}

static const char* direction(StVariable::Role role) {
  switch (role) {
    case StVariable::Role::Input:
      return "IN";
    case StVariable::Role::InOut:
      return "IN_OUT";
    case StVariable::Role::Output:
      return "OUT";
    case StVariable::Role::Parameter:
      return "PARAMETER";
    case StVariable::Role::State:
    case StVariable::Role::Temp:
    case StVariable::Role::Internal:
      return "VAR";
  }
  unreachable();
}

StTable st_table(const StProgram& program, const CfaTrace& trace) {
  const Cfa& cfa = program.cfa;
  const StSource& source = *program.source;
  std::vector<std::size_t> moments;  // begin and end in turn
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    LocationId to = cfa[trace.edges[i]].to;
    if (to == source.cycle_begin || to == source.cycle_end) moments.push_back(i + 1);
  }
  StTable out;
  out.ends_within = moments.size() % 2 == 1;
  if (out.ends_within) moments.push_back(trace.edges.size());
  out.cycles = moments.size() / 2;
  for (std::size_t v = 0; v < source.variables.size(); ++v) {
    const StVariable& one = source.variables[v];
    bool shown = !one.name.empty() && one.type != nullptr &&
                 one.role != StVariable::Role::Internal && one.role != StVariable::Role::Temp;
    if (!shown) continue;
    StTable::Row row{direction(one.role), one.type->name, one.name, {}};
    for (std::size_t at : moments)
      row.values.push_back(st_literal(cfa.terms(), trace.values[at][v], *one.type));
    out.rows.push_back(std::move(row));
  }
  auto rank = [](const StTable::Row& row) {
    return row.direction == "PARAMETER"      ? 0
           : row.direction.starts_with("IN") ? 1
           : row.direction == "OUT"          ? 2
                                             : 3;
  };
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return out;
}

static const StProperty& property_of(const StProgram& program, const std::string& property) {
  const auto& list = program.source->properties;
  auto found = std::find_if(list.begin(), list.end(),
                            [&](const StProperty& one) { return one.name == property; });
  assert(found != list.end() && "properties come from the source");
  return *found;
}

std::string st_table_text(const StProgram& program, const std::string& property,
                          const CfaTrace& trace) {
  StTable table = st_table(program, trace);
  const StProperty& about = property_of(program, property);
  std::vector<std::vector<std::string>> cells;
  cells.push_back({"", "type", "variable"});
  for (std::size_t i = 0; i < table.cycles; ++i) {
    cells[0].push_back(fmt::format("{} begin", i + 1));
    bool within = i + 1 == table.cycles && table.ends_within;
    cells[0].push_back(within ? fmt::format("{} line {}", i + 1, about.at.line)
                              : fmt::format("{} end", i + 1));
  }
  for (const StTable::Row& row : table.rows) {
    std::vector<std::string> line = {row.direction, row.type, row.name};
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      bool same = i > 0 && row.values[i] == row.values[i - 1];
      line.push_back(same ? "." : row.values[i]);
    }
    cells.push_back(std::move(line));
  }
  std::vector<std::size_t> widths(cells[0].size());
  for (const auto& line : cells)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string out = fmt::format("{}: {}\n", about.name, about.text);
  out += fmt::format("{} in cycle {}; '.' is the value before it\n\n",
                     about.kind == StProperty::Kind::Reachability ? "reached" : "violated",
                     table.cycles);
  for (const auto& line : cells) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
      text += fmt::format("{:<{}}  ", line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::string st_table_csv(const StProgram& program, const CfaTrace& trace) {
  StTable table = st_table(program, trace);
  auto quoted = [](std::string text) {
    if (text.find_first_of(",\"\n") == text.npos) return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, "\"");
    return "\"" + text + "\"";
  };
  std::string out = "direction,type,variable";
  for (std::size_t i = 1; i <= table.cycles; ++i) out += fmt::format(",{0} begin,{0} end", i);
  out += "\n";
  for (const StTable::Row& row : table.rows) {
    out += row.direction + "," + quoted(row.type) + "," + quoted(row.name);
    for (const std::string& value : row.values) out += "," + quoted(value);
    out += "\n";
  }
  return out;
}

std::string st_table_json(const StProgram& program, const std::string& property,
                          const CfaTrace& trace) {
  StTable table = st_table(program, trace);
  const StProperty& about = property_of(program, property);
  nlohmann::ordered_json out = {{"property", about.name},
                                {"requirement", about.text},
                                {"cycles", table.cycles},
                                {"ends_within_cycle", table.ends_within},
                                {"variables", nlohmann::ordered_json::array()}};
  for (const StTable::Row& row : table.rows) {
    nlohmann::ordered_json cycles = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i + 1 < row.values.size(); i += 2)
      cycles.push_back({{"begin", row.values[i]}, {"end", row.values[i + 1]}});
    out["variables"].push_back(
        {{"direction", row.direction}, {"type", row.type}, {"name", row.name}, {"cycles", cycles}});
  }
  return out.dump(2) + "\n";
}

}  // namespace lem
