#include "writer/st_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/st/relevant.h"

namespace lem::writer {

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

/// A large array that the environment sets: [3:5;77:-1;else:0], elements counted through from 0.
static std::string array_literal(const TermStore& terms, Term value, const st::Type& element) {
  std::map<mpz_class, Term> elements;
  for (; terms.op(value) == Op::Store; value = terms.arg(value, 0))
    elements.insert({terms.integer_value(terms.arg(value, 1)), terms.arg(value, 2)});
  if (terms.op(value) != Op::ConstArray) return "(array)";
  std::string out = "[";
  for (const auto& [index, term] : elements)
    out += index.get_str() + ":" + st_literal(terms, term, element) + ";";
  return out + "else:" + st_literal(terms, terms.arg(value, 0), element) + "]";
}

static bool is_chosen(const StVariable& one) {
  return one.arbitrary || one.role == StVariable::Role::Input ||
         one.role == StVariable::Role::InOut || one.role == StVariable::Role::Parameter;
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
    case StVariable::Role::Time:
      return "TIME";
    case StVariable::Role::State:
    case StVariable::Role::Temp:
    case StVariable::Role::Internal:
      return "VAR";
  }
  unreachable();
}

/// Where cycles begin and end in a run.
static std::vector<std::size_t> moments_of(const StProgram& program, const CfaTrace& trace) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    LocationId to = program.cfa[trace.edges[i]].to;
    if (to == program.source->cycle_begin || to == program.source->cycle_end) out.push_back(i + 1);
  }
  return out;
}

/// A value without a type: of what the program leaves open.
static std::string open_literal(const TermStore& terms, Term value) {
  switch (terms.kind(value)) {
    case SortKind::Bool:
      return terms.is_true(value) ? "TRUE" : "FALSE";
    case SortKind::Float:
      return terms.float_value(value).text();
    default:
      return terms.integer_value(value).get_str();
  }
}

static void collect_havocs(const Command& command, std::vector<Term>& out) {
  if (command.kind() == Command::Kind::Havoc) out.push_back(command.variable());
  if (command.kind() == Command::Kind::Sequence || command.kind() == Command::Kind::Choice)
    for (const Command& part : command.parts()) collect_havocs(part, out);
}

/// A row for each place of the program that left a value open in this run.
static std::vector<StTable::Row> open_rows(const StProgram& program, const CfaTrace& trace,
                                           std::size_t cycles) {
  const Cfa& cfa = program.cfa;
  std::map<Term, const StChoice*> choices;
  for (const StChoice& one : program.source->choices) choices[one.variable] = &one;
  std::map<Term, std::size_t> index_of;
  for (std::size_t i = 0; i < cfa.variables().size(); ++i) index_of[cfa.variables()[i]] = i;
  std::map<std::pair<std::uint32_t, std::uint32_t>, StTable::Row> rows;
  std::size_t cycle = 0;
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    if (cfa[trace.edges[i]].to == program.source->cycle_begin) ++cycle;
    std::vector<Term> havocs;
    collect_havocs(cfa[trace.edges[i]].command, havocs);
    for (Term variable : havocs) {
      auto found = choices.find(variable);
      if (found == choices.end() || cycle == 0) continue;
      const SourcePos& at = found->second->at;
      StTable::Row& row = rows[{at.line, at.column}];
      row.values.resize(2 * cycles, "-");
      std::string& all = row.values[2 * cycle - 1];
      std::string one = open_literal(cfa.terms(), trace.values[i + 1][index_of[variable]]);
      all = all == "-" ? one : all + " " + one;
    }
  }
  std::vector<StTable::Row> out;
  for (auto& [at, row] : rows) {
    row.direction = "OPEN";
    row.type = "any";
    row.name = fmt::format("{}:{}", at.first, at.second);
    row.relevant.resize(cycles);
    out.push_back(std::move(row));
  }
  return out;
}

StTable st_table(const StProgram& program, const check::Certified& certified) {
  const CfaTrace& trace = run_as<CfaTrace>(certified.verdict());
  const Cfa& cfa = program.cfa;
  const StSource& source = *program.source;
  std::vector<std::size_t> moments = moments_of(program, trace);  // begin and end in turn
  StTable out;
  out.ends_within = moments.size() % 2 == 1;
  if (out.ends_within) moments.push_back(trace.edges.size());
  out.cycles = moments.size() / 2;
  std::set<std::pair<std::size_t, std::size_t>> relevant = relevant_inputs(program, trace);
  for (std::size_t v = 0; v < source.variables.size(); ++v) {
    const StVariable& one = source.variables[v];
    if (!source.is_shown(v)) continue;
    StTable::Row row{direction(one.role), one.type->name, one.name, {}, {}};
    for (std::size_t at : moments) {
      Term value = trace.values[at][v];
      bool array = cfa.terms().kind(value) == SortKind::Array && is_chosen(one);
      row.values.push_back(array ? array_literal(cfa.terms(), value, *one.type)
                                 : st_literal(cfa.terms(), value, *one.type));
    }
    for (std::size_t cycle = 1; cycle <= out.cycles; ++cycle)
      row.relevant.push_back(relevant.contains({v, cycle}) ||
                             (cycle == 1 && relevant.contains({v, 0})));
    out.rows.push_back(std::move(row));
  }
  auto rank = [](const StTable::Row& row) {
    return row.direction == "PARAMETER"      ? 0
           : row.direction.starts_with("IN") ? 1
           : row.direction == "OUT"          ? 2
           : row.direction == "VAR"          ? 3
                                             : 4;
  };
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<StTable::Row> open = open_rows(program, trace, out.cycles);
  out.rows.insert(out.rows.end(), open.begin(), open.end());
  return out;
}

/// What stands above the columns of a cycle.
static std::string heading(const StTable& table, const StProperty& about, std::size_t column) {
  std::size_t cycle = column / 2 + 1;
  if (column % 2 == 0) return fmt::format("{} begin", cycle);
  bool within = cycle == table.cycles && table.ends_within;
  return within ? fmt::format("{} line {}", cycle, about.at.line) : fmt::format("{} end", cycle);
}

static std::string summary(const StTable& table, const StProperty& about) {
  return fmt::format("{} in cycle {}",
                     about.kind == StProperty::Kind::Reachability ? "reached" : "violated",
                     table.cycles);
}

std::string st_table_text(const StTable& table, const StProperty& about) {
  std::vector<std::vector<std::string>> cells;
  cells.push_back({"direction", "type", "variable"});
  for (std::size_t i = 0; i < 2 * table.cycles; ++i) cells[0].push_back(heading(table, about, i));
  for (const StTable::Row& row : table.rows) {
    std::vector<std::string> line = {row.direction, row.type, row.name};
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      bool same = i > 0 && row.direction != "OPEN" && row.values[i] == row.values[i - 1];
      bool marked = i % 2 == 0 && row.relevant[i / 2];
      line.push_back((same ? "." : row.values[i]) + (marked ? "*" : ""));
    }
    cells.push_back(std::move(line));
  }
  std::vector<std::size_t> widths(cells[0].size());
  for (const auto& line : cells)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string out = fmt::format("{}: {}\n", about.name, about.text);
  out += summary(table, about) + "; '.' is the value before it, '*' marks inputs that matter\n\n";
  for (const auto& line : cells) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
      text += fmt::format("{:<{}}  ", line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::string st_table_csv(const StTable& table) {
  auto quoted = [](std::string text) {
    if (text.find_first_of(",\"\n") == text.npos) return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, "\"");
    return "\"" + text + "\"";
  };
  std::string out = "direction,type,variable";
  for (std::size_t i = 1; i <= table.cycles; ++i) out += fmt::format(",{0} begin,{0} end", i);
  out += ",matters in cycles\n";
  for (const StTable::Row& row : table.rows) {
    out += row.direction + "," + quoted(row.type) + "," + quoted(row.name);
    for (const std::string& value : row.values) out += "," + quoted(value);
    out += ",";
    std::string separator;
    for (std::size_t i = 0; i < row.relevant.size(); ++i) {
      if (!row.relevant[i]) continue;
      out += separator + std::to_string(i + 1);
      separator = " ";
    }
    out += "\n";
  }
  return out;
}

std::string st_table_json(const StTable& table, const StProperty& about) {
  nlohmann::ordered_json out = {{"property", about.name},
                                {"requirement", about.text},
                                {"cycles", table.cycles},
                                {"ends_within_cycle", table.ends_within},
                                {"variables", nlohmann::ordered_json::array()}};
  for (const StTable::Row& row : table.rows) {
    nlohmann::ordered_json cycles = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i + 1 < row.values.size(); i += 2) {
      auto& one = cycles.emplace_back(
          nlohmann::ordered_json{{"begin", row.values[i]}, {"end", row.values[i + 1]}});
      if (row.relevant[i / 2]) one["matters"] = true;
    }
    out["variables"].push_back(
        {{"direction", row.direction}, {"type", row.type}, {"name", row.name}, {"cycles", cycles}});
  }
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lem::writer
