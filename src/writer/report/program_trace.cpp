// Runs of programs: C by visits of lines (writer/c_steps.h), Structured Text by lines and cycles.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/st/relevant.h"
#include "writer/c_steps.h"
#include "writer/horn.h"
#include "writer/report/parts.h"
#include "writer/st_trace.h"

namespace lem::writer::report {

namespace {

constexpr std::size_t kMostSteps = 5000;

/// Collects the variables of a run in the order in which they get values.
class Variables {
 public:
  std::size_t index(const std::string& name, const char* role = "", const std::string& type = {}) {
    auto [at, is_new] = index_.try_emplace(name, list_.size());
    if (!is_new) return at->second;
    std::size_t scope = name.rfind("::");
    bool global = scope == name.npos;
    list_.push_back({{"name", global ? name : name.substr(scope + 2)},
                     {"scope", global ? "" : name.substr(0, scope)},
                     {"role", role},
                     {"type", type}});
    return at->second;
  }
  Json take() { return std::move(list_); }

 private:
  std::map<std::string, std::size_t> index_;
  Json list_ = Json::array();
};

std::string function_at(const Subject& subject, std::uint32_t line) {
  if (subject.text == nullptr) return {};
  std::optional<ctext::CSpan> span = subject.text->line(line);
  if (!span) return {};
  const ctext::CFunction* function = subject.text->function_of(span->first);
  return function == nullptr ? std::string() : function->name;
}

Json stack_of(const Subject& subject, const RunRow& row) {
  Json stack = Json::array();
  for (std::uint32_t line : row.calls)
    stack.push_back({{"function", function_at(subject, line)}, {"line", row_of(subject, line)}});
  return stack;
}

Json c_step(const Subject& subject, const RunRow& row, Variables& variables) {
  Json step;
  step["line"] = row.elsewhere ? 0 : row_of(subject, row.line);
  step["function"] = row.elsewhere ? "" : function_at(subject, row.line);
  if (row.line == 0) step["note"] = "globals get their values";
  if (row.elsewhere) step["note"] = "in another file";
  if (row.elsewhere && !row.file.empty()) {
    step["note"] = fmt::format("{}:{}", row.file, row.line);
    step["other"] = {{"file", row.file}, {"line", row.line}};
  }
  if (!row.calls.empty()) step["calls"] = stack_of(subject, row);
  Json& set = step["set"] = Json::array();
  auto assign = [&](const std::pair<std::string, std::string>& value) {
    bool is_read = std::find(row.read.begin(), row.read.end(), value.first) != row.read.end();
    set.push_back({variables.index(value.first), value.second, is_read ? 1 : 0});
  };
  for (const auto& value : row.kept) assign(value);
  for (const auto& value : row.changed) assign(value);
  Json inputs = Json::array();
  for (std::size_t i = 0; i < row.inputs.size(); ++i) {
    if (!row.given[i].empty()) {
      inputs.push_back(row.given[i]);
      continue;
    }
    std::string value;
    for (const auto* list : {&row.kept, &row.changed})
      for (const auto& [name, text] : *list)
        if (name == row.read[i]) value = text;
    inputs.push_back(row.inputs[i] + "()" + (value.empty() ? "" : " = " + value));
  }
  if (!inputs.empty()) step["inputs"] = std::move(inputs);
  Json& edges = step["edges"] = Json::array();
  for (EdgeId edge : row.edges) edges.push_back(index(edge));
  return step;
}

Json c_trace(const Subject& subject, const PropertyResult& result, const CfaTrace& run) {
  Json out;
  out["kind"] = "program";
  Variables variables;
  Json steps = Json::array();
  std::vector<RunRow> rows = visited_lines(rows_of(subject.problem, run));
  std::size_t first = rows.size() > kMostSteps ? rows.size() - kMostSteps : 0;
  if (first > 0) out["cut"] = fmt::format("the last {} of {} steps", kMostSteps, rows.size());
  for (std::size_t i = first; i < rows.size(); ++i)
    steps.push_back(c_step(subject, rows[i], variables));
  out["variables"] = variables.take();
  out["steps"] = std::move(steps);
  if (subject.problem.source.c != nullptr) out["end"] = c_failure(subject.problem, result.property);
  return out;
}

const char* role_of(StVariable::Role role) {
  switch (role) {
    case StVariable::Role::Input:
    case StVariable::Role::InOut:
      return "input";
    case StVariable::Role::Output:
      return "output";
    case StVariable::Role::Parameter:
      return "parameter";
    case StVariable::Role::Time:
      return "time";
    case StVariable::Role::State:
    case StVariable::Role::Temp:
    case StVariable::Role::Internal:
      return "";
  }
  return "";
}

/// A run of a PLC program: a step for the inputs of every cycle, then one for each line.
class StSteps {
 public:
  StSteps(const Subject& subject, const CfaTrace& trace)
      : source_(*subject.problem.source.st),
        cfa_(subject.problem.cfa()),
        trace_(trace),
        relevant_(relevant_inputs({cfa_, subject.problem.source.st}, trace)) {}

  Json run() {
    for (std::size_t i = 0; i < trace_.edges.size(); ++i) take(i);
    Json out;
    out["kind"] = "cycles";
    out["cycles"] = cycle_;
    std::size_t cut = steps_.size() > kMostSteps ? steps_.size() - kMostSteps : 0;
    if (cut > 0) out["cut"] = fmt::format("the last {} of {} steps", kMostSteps, steps_.size());
    out["variables"] = variables_.take();
    Json& steps = out["steps"] = Json::array();
    for (std::size_t i = cut; i < steps_.size(); ++i) steps.push_back(std::move(steps_[i]));
    return out;
  }

 private:
  bool shown(std::size_t v) const {
    const StVariable& one = source_.variables[v];
    return source_.is_shown(v) ||
           (one.role == StVariable::Role::Temp && !one.name.empty() && one.type != nullptr);
  }

  void take(std::size_t i) {
    const CfaEdge& edge = cfa_[trace_.edges[i]];
    bool begins = edge.to == source_.cycle_begin;
    if (begins) ++cycle_;
    bool changes = begins;
    for (std::size_t v = 0; v < source_.variables.size() && !changes; ++v)
      changes = shown(v) && trace_.values[i][v] != trace_.values[i + 1][v];
    if (edge.line == 0 && !changes) return note_edge(i);
    bool same = !steps_.empty() && !begins && !began_ && last_line_ == edge.line;
    if (!same) start(edge, begins);
    began_ = begins;
    note_edge(i);
    for (std::size_t v = 0; v < source_.variables.size(); ++v) assign(i, v, begins);
  }

  void start(const CfaEdge& edge, bool begins) {
    Json step{{"line", edge.line}, {"cycle", cycle_}, {"set", Json::array()}};
    step["edges"] = Json::array();
    if (begins) step["note"] = fmt::format("cycle {} begins: inputs are read", cycle_);
    if (!begins && edge.to == source_.cycle_end)
      step["note"] = fmt::format("cycle {} ends", cycle_);
    if (cycle_ == 0) step["note"] = "before the first cycle";
    steps_.push_back(std::move(step));
    last_line_ = edge.line;
  }

  void note_edge(std::size_t i) {
    if (!steps_.empty()) steps_.back()["edges"].push_back(index(trace_.edges[i]));
  }

  void assign(std::size_t i, std::size_t v, bool begins) {
    if (!shown(v)) return;
    const StVariable& one = source_.variables[v];
    bool is_input = one.role == StVariable::Role::Input || one.role == StVariable::Role::InOut;
    bool first = cycle_ <= 1 && begins && !known_.contains(v);
    bool changed = trace_.values[i][v] != trace_.values[i + 1][v];
    if (!changed && !first && !(begins && is_input)) return;
    known_[v] = true;
    int mark = begins && is_input ? 1 : 0;
    if (mark == 1 && relevant_.contains({v, cycle_})) mark = 2;
    if (first && relevant_.contains({v, 0})) mark = 2;
    Json set{variables_.index(one.name, role_of(one.role), one.type->name),
             st_literal(cfa_.terms(), trace_.values[i + 1][v], *one.type), mark};
    steps_.back()["set"].push_back(std::move(set));
  }

  const StSource& source_;
  const Cfa& cfa_;
  const CfaTrace& trace_;
  std::set<std::pair<std::size_t, std::size_t>> relevant_;
  Variables variables_;
  std::vector<Json> steps_;
  std::map<std::size_t, bool> known_;
  std::size_t cycle_ = 0;
  std::uint32_t last_line_ = 0;
  bool began_ = false;
};

}  // namespace

Json trace(const Subject& subject, const PropertyResult& result, const CfaTrace& run) {
  if (subject.problem.source.st == nullptr) return c_trace(subject, result, run);
  const StProperty& about = subject.problem.source.st->about(result.property);
  Json out = StSteps(subject, run).run();
  out["end"] = fmt::format("in cycle {}: {}", out["cycles"].get<std::size_t>(), about.text);
  return out;
}

Json trace(const Subject& subject, const PropertyResult& /*result*/, const Derivation& run) {
  Json out;
  out["kind"] = "program";
  Variables variables;
  Json steps = Json::array();
  std::vector<DerivationRow> rows = rows_of(subject.problem, run);
  std::size_t first = rows.size() > kMostSteps ? rows.size() - kMostSteps : 0;
  if (first > 0) out["cut"] = fmt::format("the last {} of {} steps", kMostSteps, rows.size());
  for (std::size_t i = first; i < rows.size(); ++i) {
    Json step{{"line", rows[i].line}};
    Json& set = step["set"] = Json::array();
    set.push_back({variables.index("derived"), rows[i].fact, 0});
    for (const auto& [name, value] : rows[i].values)
      set.push_back({variables.index(name), value, 0});
    steps.push_back(std::move(step));
  }
  out["variables"] = variables.take();
  out["steps"] = std::move(steps);
  out["end"] = "a query has a derivation";
  return out;
}

}  // namespace lem::writer::report
