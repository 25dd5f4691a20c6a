// The run that waypoints describe, by executing the automaton (c_witness_file.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/c_parse.h"
#include "check/c_witness_file.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

constexpr std::size_t kMostSteps = 1'000'000;

class Execution {
 public:
  Execution(const Cfa& cfa, const CSource& source, const CText& text,
            const std::vector<Waypoint>& waypoints)
      : cfa_(cfa),
        terms_(cfa.terms()),
        source_(source),
        places_(cfa, source, text),
        waypoints_(waypoints),
        used_(waypoints.size()) {
    for (const CInput& input : source.inputs) inputs_[{input.edge, input.variable}] = &input;
    for (const CVariable& variable : source.variables) variables_[variable.term] = &variable;
  }
  Result<CfaTrace> run();

 private:
  std::optional<LocationId> step(LocationId at, CfaTrace& trace);
  bool execute(const Command& command, EdgeId edge);
  std::optional<Term> chosen(Term variable, EdgeId edge);
  std::optional<Term> value_of(const Waypoint& waypoint, std::string_view name, Term variable);
  bool is_at(const Waypoint& waypoint, std::optional<std::size_t> token) const;
  void note(const std::string& what) {
    if (trouble_.empty()) trouble_ = what;
  }
  std::vector<Term> state() const {
    std::vector<Term> out;
    for (Term variable : cfa_.variables()) out.push_back(values_.at(variable));
    return out;
  }

  const Cfa& cfa_;
  TermStore& terms_;
  const CSource& source_;
  CPlaces places_;
  const std::vector<Waypoint>& waypoints_;
  std::vector<bool> used_;
  std::map<std::pair<EdgeId, Term>, const CInput*> inputs_;
  std::map<Term, const CVariable*> variables_;
  TermMap values_;
  std::string trouble_;
};

bool Execution::is_at(const Waypoint& waypoint, std::optional<std::size_t> token) const {
  if (!token) return false;
  CPosition position = places_.position(*token);
  return position.row == waypoint.row &&
         (waypoint.column == 0 || position.column == waypoint.column);
}

/// Of `name == number`, as a value of the variable's sort.
std::optional<Term> Execution::value_of(const Waypoint& waypoint, std::string_view name,
                                        Term variable) {
  std::string_view text = waypoint.value;
  if (!text.starts_with(name)) return {};
  text.remove_prefix(name.size());
  std::size_t sign = text.find_first_not_of(' ');
  if (sign == std::string_view::npos || !text.substr(sign).starts_with("==")) return {};
  bool ideal = terms_.kind(variable) == SortKind::Int;
  Result<mpz_class> number = parse_number(terms_, text.substr(sign + 2), source_.pointer_bits,
                                          ideal ? CNumbers::Whole : CNumbers::Bits);
  if (!number) return {};
  if (terms_.kind(variable) == SortKind::Bool) return terms_.boolean(*number != 0);
  return terms_.number(mpq_class(*number), terms_.sort(variable));
}

/// The value that the next waypoint gives; of what no waypoint speaks, a default.
std::optional<Term> Execution::chosen(Term variable, EdgeId edge) {
  std::size_t next = 0;
  while (next < used_.size() && used_[next]) ++next;
  auto input = inputs_.find({edge, variable});
  if (input != inputs_.end()) {
    const CInput& call = *input->second;
    bool fits = next < waypoints_.size() && waypoints_[next].type == "function_return" &&
                is_at(waypoints_[next], places_.call_end(call));
    std::optional<Term> value =
        fits ? value_of(waypoints_[next], "\\result", variable) : std::nullopt;
    if (value)
      used_[next] = true;
    else
      note(fmt::format("no value for the call of '{}' at line {}", call.function, call.at.line));
    return value;
  }
  auto found = variables_.find(variable);
  if (found != variables_.end() && found->second->origin == COrigin::User) {
    std::optional<std::size_t> behind = places_.behind_declaration(*found->second);
    for (std::size_t i = next; i < used_.size() && waypoints_[i].type == "assumption"; ++i) {
      if (used_[i] || !is_at(waypoints_[i], behind)) continue;
      std::optional<Term> value = value_of(waypoints_[i], found->second->name, variable);
      if (!value) continue;
      used_[i] = true;
      return value;
    }
  }
  return terms_.default_value(terms_.sort(variable));
}

bool Execution::execute(const Command& command, EdgeId edge) {
  switch (command.kind()) {
    case Command::Kind::Assign:
      values_[command.variable()] = evaluate(terms_, command.value(), values_);
      return true;
    case Command::Kind::Assume:
      return terms_.is_true(evaluate(terms_, command.guard(), values_));
    case Command::Kind::Havoc: {
      std::optional<Term> value = chosen(command.variable(), edge);
      if (value) values_[command.variable()] = *value;
      return value.has_value();
    }
    case Command::Kind::Sequence:
      return std::all_of(command.parts().begin(), command.parts().end(),
                         [&](const Command& part) { return execute(part, edge); });
    case Command::Kind::Choice:
      return std::any_of(command.parts().begin(), command.parts().end(), [&](const Command& part) {
        TermMap before = values_;
        if (execute(part, edge)) return true;
        values_ = std::move(before);
        return false;
      });
  }
  return false;
}

std::optional<LocationId> Execution::step(LocationId at, CfaTrace& trace) {
  for (EdgeId edge : cfa_.out(at)) {
    TermMap before = values_;
    std::vector<bool> used = used_;
    if (execute(cfa_[edge].command, edge)) {
      trace.edges.push_back(edge);
      trace.values.push_back(state());
      return cfa_[edge].to;
    }
    values_ = std::move(before);
    used_ = std::move(used);
  }
  return {};
}

Result<CfaTrace> Execution::run() {
  for (Term variable : cfa_.variables())
    values_[variable] = terms_.default_value(terms_.sort(variable));
  CfaTrace trace;
  trace.values.push_back(state());
  LocationId at = cfa_.initial();
  for (std::size_t steps = 0; at != cfa_.error(); ++steps) {
    if (steps == kMostSteps) return Error{{}, "the run is longer than a million steps"};
    std::optional<LocationId> next = step(at, trace);
    if (!next)
      return Error{{},
                   trouble_.empty()
                       ? fmt::format("the run ends at line {}, not in the error", cfa_[at].line)
                       : trouble_};
    at = *next;
  }
  return trace;
}

}  // namespace

Result<CfaTrace> run_of(const Cfa& cfa, const CSource& source, const CText& text,
                        const std::vector<Waypoint>& waypoints) {
  return Execution(cfa, source, text, waypoints).run();
}

}  // namespace lem::check
