// The run that waypoints describe, by executing the automaton (witness_file.h).
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "base/try.h"
#include "check/c/parse.h"
#include "check/c/witness_file.h"
#include "smt/smt_solver.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

constexpr std::size_t kMostSteps = 1'000'000;
// Of the search for inputs that no waypoint can name.
constexpr std::size_t kMostSearched = 100'000;  // steps
constexpr std::size_t kMostAsked = 1'000;       // questions
constexpr std::uint32_t kMilliseconds = 2'000;  // for each

class Execution {
 public:
  Execution(const Cfa& cfa, const CSource& source, const ctext::CPlaces& places,
            const std::vector<Waypoint>& waypoints, std::stop_token stop)
      : cfa_(cfa),
        terms_(cfa.terms()),
        source_(source),
        places_(places),
        waypoints_(waypoints),
        used_(waypoints.size()),
        promised_(waypoints.size()),
        stop_(std::move(stop)) {
    for (const CInput& input : source.inputs) inputs_[{input.edge, input.variable}] = &input;
    for (const CVariable& variable : source.variables) variables_[variable.term] = &variable;
    for (Term variable : cfa.variables())
      if (terms_.kind(variable) == SortKind::Int) numbers_ = CNumbers::Whole;
  }
  Result<WitnessRun> run();

 private:
  /// Where control is, what was passed, and what is known of the values on the way there.
  struct State {
    LocationId at{};
    TermMap values;
    std::vector<bool> used, promised;
    std::vector<Term> path;     // conditions on what is missing
    std::vector<Term> missing;  // inputs without a waypoint, in the order of the run
  };
  enum class Found : std::uint8_t { Yes, No, Unknown };
  Result<CfaTrace> follow();
  void start();
  Found search();
  bool is_feasible();
  std::optional<Term> missing_input(Term variable, const CInput& call);
  Term value(Term term) {
    return symbolic_ ? substitute(terms_, term, values_) : evaluate(terms_, term, values_);
  }
  bool holds(Term condition);
  Status read_waypoints();
  Status read_assumption(std::size_t waypoint);
  void find_open(const Command& command, EdgeId edge);
  Status check_all_passed(EdgeId last) const;
  std::optional<LocationId> step(LocationId at, CfaTrace& trace);
  bool take(EdgeId edge);
  void pass_assumptions(EdgeId edge, std::size_t command);
  bool execute(const Command& command, EdgeId edge);
  std::optional<Term> chosen(Term variable, EdgeId edge);
  std::optional<Term> float_of(const Waypoint& waypoint, const CVariable& named);
  std::optional<Term> value_of(const Waypoint& waypoint, const CVariable& named);
  std::optional<Term> given(const Waypoint& waypoint, const CVariable& named, Term before);
  bool gives_a_value(const Waypoint& waypoint);
  void encode_floats(Term guard);
  std::uint32_t bits_of(Term variable) const {
    return terms_.kind(variable) == SortKind::BitVec ? terms_.width(variable) : 32;
  }
  bool is_at(const Waypoint& waypoint, std::optional<std::size_t> token) const;
  std::size_t next() const {
    return static_cast<std::size_t>(std::find(used_.begin(), used_.end(), false) - used_.begin());
  }
  void record(const std::string& what) {
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
  const ctext::CPlaces& places_;
  const std::vector<Waypoint>& waypoints_;
  std::vector<bool> used_;
  std::map<std::pair<EdgeId, Term>, const CInput*> inputs_;
  std::map<Term, const CVariable*> variables_;
  std::set<Term> open_;               // variables that may have any value, inputs apart
  std::vector<bool> at_declaration_;  // by waypoint: gives an open variable its value
  CNumbers numbers_ = CNumbers::Bits;
  struct Point {
    EdgeId edge;
    std::size_t command;
    friend auto operator<=>(const Point&, const Point&) = default;
  };
  /// Of each assumption: what it says at the points at which control comes to its place.
  std::vector<std::multimap<Point, Term>> assumed_;
  /// Assumptions that gave a variable its value where it is declared, until control is behind that.
  std::vector<bool> promised_;
  TermMap values_;
  std::string trouble_;

  // Inputs that no waypoint can name: reads of volatile memory, arguments of --entry and of main.
  std::stop_token stop_;
  std::vector<Term> supplied_;       // their values, as far as they are known
  std::size_t taken_ = 0;            // of these
  const CInput* unnamed_ = nullptr;  // the first for which there was no value
  bool symbolic_ = false;            // they are variables, and values_ are terms over these
  bool complete_ = true;             // no run was left out by the search
  std::vector<Term> path_, missing_;
  std::vector<Term> asserted_;  // conditions that the solver has
  std::unique_ptr<smt::SmtSolver> solver_;
  std::size_t asked_ = 0;
};

bool Execution::is_at(const Waypoint& waypoint, std::optional<std::size_t> token) const {
  if (!token) return false;
  ctext::CPosition position = places_.position(*token);
  const WitnessLocation& told = waypoint.location;
  return position.row == told.row && (told.column == 0 || position.column == told.column) &&
         (!told.function || told.function->text == position.function);
}

/// A float for which the constraint holds: one of the numbers that it mentions, or one that has no
/// literal. Of `x != x` that is NaN, of `x > 0x1.fffffep+127f` the infinity.
std::optional<Term> Execution::float_of(const Waypoint& waypoint, const CVariable& named) {
  CScope scope = [&](std::string_view name) { return name == named.name ? &named : nullptr; };
  Result<Term> holds =
      parse_condition(terms_, waypoint.value.text, scope, source_.pointer_bits, numbers_);
  if (!holds) return {};
  FloatFormat format = terms_.format(terms_.sort(named.term));
  std::vector<FloatValue> candidates;
  for_each_subterm(terms_, std::span(&*holds, 1), [&](Term part) {
    if (terms_.op(part) != Op::FpValue) return;
    FloatValue value = terms_.float_value(part).in_format(format, Rounding::NearestEven);
    candidates.push_back(value);
    candidates.push_back(value.negated());
  });
  for (bool negative : {false, true}) {
    candidates.push_back(FloatValue::zero(format, negative));
    candidates.push_back(FloatValue::infinity(format, negative));
  }
  candidates.push_back(FloatValue::nan(format));
  for (const FloatValue& one : candidates) {
    Term value = terms_.floating(one);
    if (terms_.is_true(substitute(terms_, *holds, TermMap{{named.term, value}}))) return value;
  }
  return {};
}

/// Of `name == number`: the value for which that holds, as C compares.
std::optional<Term> Execution::value_of(const Waypoint& waypoint, const CVariable& named) {
  if (terms_.kind(named.term) == SortKind::Float) return float_of(waypoint, named);
  std::string_view text = waypoint.value.text;
  if (!text.starts_with(named.name)) return {};
  text.remove_prefix(named.name.size());
  std::size_t sign = text.find_first_not_of(' ');
  if (sign == std::string_view::npos || !text.substr(sign).starts_with("==")) return {};
  Result<mpz_class> number =
      parse_number(terms_, text.substr(sign + 2), source_.pointer_bits, numbers_);
  if (!number) return {};
  Term variable = named.term;
  SortKind kind = terms_.kind(variable);
  if (kind != SortKind::Bool && kind != SortKind::BitVec && kind != SortKind::Int) return {};
  Term value = terms_.kind(variable) == SortKind::Bool
                   ? terms_.boolean(*number != 0)
                   : terms_.number(mpq_class(*number), terms_.sort(variable));
  CScope scope = [&](std::string_view name) { return name == named.name ? &named : nullptr; };
  Result<Term> holds =
      parse_condition(terms_, waypoint.value.text, scope, source_.pointer_bits, numbers_);
  if (!holds || !terms_.is_true(substitute(terms_, *holds, TermMap{{variable, value}}))) return {};
  return value;
}

/// What the waypoint makes of the value of a variable: another one, or an array with another
/// element. nullopt: it says nothing about the variable.
std::optional<Term> Execution::given(const Waypoint& waypoint, const CVariable& named,
                                     Term before) {
  if (terms_.kind(named.term) != SortKind::Array) return value_of(waypoint, named);
  std::string_view text = waypoint.value.text;
  std::size_t end = text.find_first_of(" =!<>");
  std::optional<CElement> element = element_of(text.substr(0, end));
  if (!element || element->array != named.name) return {};
  Sort sort = terms_.index_sort(terms_.sort(named.term));
  if (terms_.kind(sort) == SortKind::BitVec && element->index >> terms_.width(sort) != 0) return {};
  CVariable one = named;
  one.name = text.substr(0, end);
  one.term = terms_.fresh("element", terms_.element_sort(terms_.sort(named.term)));
  std::optional<Term> value = value_of(waypoint, one);
  if (!value) return {};
  return terms_.make_store(before, terms_.number(mpq_class(element->index), sort), *value);
}

/// An input that has no place in the text: what the search has found for it.
std::optional<Term> Execution::missing_input(Term variable, const CInput& call) {
  if (symbolic_) {
    missing_.push_back(terms_.fresh("missing", terms_.sort(variable)));
    return missing_.back();
  }
  if (taken_ < supplied_.size()) return supplied_[taken_++];
  if (unnamed_ == nullptr) unnamed_ = &call;
  record(fmt::format("no value for the input at line {}", call.at.line));
  return {};
}

/// The value that the next waypoint gives; a default if no waypoint gives one.
std::optional<Term> Execution::chosen(Term variable, EdgeId edge) {
  std::size_t next = this->next();
  auto input = inputs_.find({edge, variable});
  if (input != inputs_.end()) {
    const CInput& call = *input->second;
    std::optional<std::size_t> place = places_.call_end(call);
    if (!place) return missing_input(variable, call);
    bool fits = next < waypoints_.size() && waypoints_[next].type == "function_return" &&
                is_at(waypoints_[next], place);
    // What is returned has the type of the function, wherever it is stored.
    CVariable result{variable, "\\result", {}, 0, bits_of(variable), call.sign, COrigin::User};
    std::optional<Term> value = fits ? value_of(waypoints_[next], result) : std::nullopt;
    if (value)
      used_[next] = true;
    else
      record(fmt::format("no value for the call of '{}' at line {}", call.function, call.at.line));
    return value;
  }
  Term out = terms_.default_value(terms_.sort(variable));
  auto found = variables_.find(variable);
  if (found == variables_.end() || found->second->origin != COrigin::User) return out;
  std::optional<std::size_t> behind = places_.behind_declaration(*found->second);
  bool array = terms_.kind(variable) == SortKind::Array;
  for (std::size_t i = next; i < used_.size() && waypoints_[i].type == "assumption"; ++i) {
    if (used_[i] || !is_at(waypoints_[i], behind)) continue;
    std::optional<Term> value = given(waypoints_[i], *found->second, out);
    if (!value) continue;
    used_[i] = promised_[i] = true;
    out = *value;
    if (!array) break;  // of an array there may be further elements
  }
  return out;
}

/// Whether it does, or can; then the search goes on where it does.
bool Execution::holds(Term condition) {
  Term now = value(condition);
  if (!symbolic_ || terms_.is_value(now)) return terms_.is_true(now);
  path_.push_back(now);
  if (is_feasible()) return true;
  path_.pop_back();
  return false;
}

bool Execution::is_feasible() {
  if (asked_ == kMostAsked || stop_.stop_requested()) {
    complete_ = false;
    return false;
  }
  ++asked_;
  // One scope for each condition: most paths begin like the one before, and the solver keeps what
  // it knows of that. As assumptions, a thousand questions took 50 s.
  auto [here, there] =
      std::mismatch(path_.begin(), path_.end(), asserted_.begin(), asserted_.end());
  auto common = static_cast<std::size_t>(here - path_.begin());
  for (; asserted_.size() > common; asserted_.pop_back()) solver_->pop();
  for (; asserted_.size() < path_.size(); asserted_.push_back(path_[asserted_.size()])) {
    solver_->push();
    solver_->add(path_[asserted_.size()]);
  }
  smt::Answer answer = solver_->solve();
  if (answer == smt::Answer::Unknown) complete_ = false;
  return answer == smt::Answer::Sat;
}

/// The bits of a float in memory are a variable that an assumption relates to the number: one of
/// its encodings, the only one but for NaN, is taken.
void Execution::encode_floats(Term guard) {
  if (terms_.op(guard) != Op::Eq) return;
  for (auto [made, of] : {std::pair(0U, 1U), std::pair(1U, 0U)}) {
    Term encoded = terms_.arg(guard, made);
    if (terms_.op(encoded) != Op::FpFromBits) continue;
    Term bits = terms_.arg(encoded, 0), number = value(terms_.arg(guard, of));
    if (!open_.contains(bits) || terms_.op(number) != Op::FpValue) continue;
    values_[bits] = terms_.bv(terms_.float_value(number).bits(), terms_.width(terms_.sort(bits)));
  }
}

bool Execution::execute(const Command& command, EdgeId edge) {
  switch (command.kind()) {
    case Command::Kind::Assign:
      values_[command.variable()] = value(command.value());
      return true;
    case Command::Kind::Assume:
      encode_floats(command.guard());
      return holds(command.guard());
    case Command::Kind::Havoc: {
      std::optional<Term> value = chosen(command.variable(), edge);
      if (value) values_[command.variable()] = *value;
      return value.has_value();
    }
    case Command::Kind::Sequence:
      return std::all_of(command.parts().begin(), command.parts().end(),
                         [&](const Command& part) { return execute(part, edge); });
    case Command::Kind::Choice:
      // The search follows one way only.
      if (symbolic_) complete_ = false;
      return std::any_of(command.parts().begin(), command.parts().end(), [&](const Command& part) {
        TermMap before = values_;
        std::vector<Term> path = path_, missing = missing_;
        std::size_t taken = taken_;
        if (execute(part, edge)) return true;
        values_ = std::move(before);
        path_ = std::move(path);
        missing_ = std::move(missing);
        taken_ = taken;
        return false;
      });
  }
  return false;
}

/// Whether the assumption is behind the declaration of a variable without a value, and gives it
/// one.
bool Execution::gives_a_value(const Waypoint& waypoint) {
  return std::any_of(source_.variables.begin(), source_.variables.end(), [&](const CVariable& one) {
    bool named = waypoint.value.text.starts_with(one.name.substr(0, one.name.find("[]")));
    return open_.contains(one.term) && named && is_at(waypoint, places_.behind_declaration(one)) &&
           given(waypoint, one, one.term);
  });
}

/// Passes the next waypoint if control is at its place and it holds.
void Execution::pass_assumptions(EdgeId edge, std::size_t command) {
  auto holds = [&](std::size_t i) {
    auto [first, last] = assumed_[i].equal_range({edge, command});
    return std::any_of(first, last, [&](const auto& one) {
      // A run may also pass it later; the search follows only those that pass it here.
      if (symbolic_ && !terms_.is_value(value(one.second))) complete_ = false;
      return this->holds(one.second);
    });
  };
  for (std::size_t i = 0; i < assumed_.size(); ++i) {
    if (!promised_[i] || !assumed_[i].contains({edge, command})) continue;
    promised_[i] = false;
    used_[i] = holds(i);
  }
  for (std::size_t i = next(); i < assumed_.size() && !at_declaration_[i] && holds(i); i = next())
    used_[i] = true;
}

bool Execution::take(EdgeId edge) {
  const Command& command = cfa_[edge].command;
  if (command.kind() != Command::Kind::Sequence) {
    if (!execute(command, edge)) return false;
    pass_assumptions(edge, 1);
    return true;
  }
  std::size_t count = command.parts().size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) pass_assumptions(edge, i);
    if (!execute(command.parts()[i], edge)) return false;
  }
  pass_assumptions(edge, std::max<std::size_t>(count, 1));
  return true;
}

std::optional<LocationId> Execution::step(LocationId at, CfaTrace& trace) {
  for (EdgeId edge : cfa_.out(at)) {
    TermMap before = values_;
    std::vector<bool> used = used_, promised = promised_;
    std::size_t taken = taken_;
    if (take(edge)) {
      trace.edges.push_back(edge);
      trace.values.push_back(state());
      return cfa_[edge].to;
    }
    values_ = std::move(before);
    used_ = std::move(used);
    promised_ = std::move(promised);
    taken_ = taken;
  }
  return {};
}

Status Execution::read_assumption(std::size_t waypoint) {
  const Waypoint& one = waypoints_[waypoint];
  LEM_LET(ctext::CPlace place, place_of(places_, one.location, ctext::CPlace::Kind::Statement));
  at_declaration_[waypoint] = gives_a_value(one);
  std::vector<ctext::CEntry> entries = places_.entries(place.token);
  if (entries.empty() && !at_declaration_[waypoint])
    return Error{one.location.at, "the program as it is analysed is never at this place"};
  for (const ctext::CEntry& entry : entries) {
    CScope scope = [&](std::string_view name) {
      return places_.variable(name, entry.frame, place);
    };
    Result<Term> holds =
        parse_condition(terms_, one.value.text, scope, source_.pointer_bits, numbers_);
    if (!holds) return Error{one.value.at, "'" + one.value.text + "': " + holds.error().message};
    assumed_[waypoint].insert({{entry.edge, entry.command}, *holds});
  }
  return Ok{};
}

void Execution::find_open(const Command& command, EdgeId edge) {
  if (command.kind() == Command::Kind::Havoc && !inputs_.contains({edge, command.variable()}))
    open_.insert(command.variable());
  for (const Command& part : command.parts()) find_open(part, edge);
}

/// Refuses what it cannot interpret before the run starts.
Status Execution::read_waypoints() {
  assumed_.resize(waypoints_.size());
  at_declaration_.resize(waypoints_.size());
  for (std::uint32_t edge = 0; edge < cfa_.edges().size(); ++edge)
    find_open(cfa_.edges()[edge].command, EdgeId{edge});
  for (std::size_t i = 0; i < waypoints_.size(); ++i) {
    const Waypoint& one = waypoints_[i];
    if (one.type == "assumption") LEM_TRY(read_assumption(i));
    if (one.type != "function_return") continue;
    bool known =
        std::any_of(source_.inputs.begin(), source_.inputs.end(),
                    [&](const CInput& input) { return is_at(one, places_.call_end(input)); });
    if (!known) return Error{one.location.at, "no call of an input ends at this place"};
    if (!one.value.text.starts_with("\\result"))
      return Error{one.value.at, "unsupported: a constraint other than '\\result == number'"};
  }
  return Ok{};
}

Status Execution::check_all_passed(EdgeId last) const {
  auto rejected = [](const SourcePos& at, const std::string& why) {
    return Error{at, why, ErrorKind::Internal};
  };
  for (std::size_t i = 0; i + 1 < waypoints_.size(); ++i)
    if (!used_[i])
      return rejected(waypoints_[i].location.at,
                      fmt::format("the run does not pass this waypoint '{}'", waypoints_[i].type));
  if (!is_at(waypoints_.back(), places_.error_statement(last)))
    return rejected(waypoints_.back().location.at, "the run ends in the error elsewhere");
  return Ok{};
}

void Execution::start() {
  used_.assign(waypoints_.size(), false);
  promised_.assign(waypoints_.size(), false);
  taken_ = 0;
  trouble_.clear();
  for (Term variable : cfa_.variables())
    values_[variable] = terms_.default_value(terms_.sort(variable));
}

/// Values for the inputs that no waypoint can name, such that a run passes the waypoints: breadth
/// first, so that a loop that may go on for ever hides no shorter run. They are only proposed:
/// follow() executes the program with them.
Execution::Found Execution::search() {
  solver_ = smt::make_z3(terms_, smt::Workload::Stream, stop_);
  solver_->limit_time(kMilliseconds);
  symbolic_ = true;
  start();
  std::deque<State> waiting;
  waiting.push_back({cfa_.initial(), values_, used_, promised_, {}, {}});
  std::size_t steps = 0;
  while (!waiting.empty()) {
    State state = std::move(waiting.front());
    waiting.pop_front();
    for (EdgeId edge : cfa_.out(state.at)) {
      if (++steps > kMostSearched || stop_.stop_requested()) return Found::Unknown;
      values_ = state.values;
      used_ = state.used;
      promised_ = state.promised;
      path_ = state.path;
      missing_ = state.missing;
      if (!take(edge)) continue;
      if (cfa_[edge].to != cfa_.error()) {
        waiting.push_back({cfa_[edge].to, values_, used_, promised_, path_, missing_});
        continue;
      }
      if (!check_all_passed(edge) || !is_feasible()) continue;
      for (Term input : missing_) supplied_.push_back(solver_->value(input));
      return Found::Yes;
    }
  }
  return complete_ ? Found::No : Found::Unknown;
}

Result<WitnessRun> Execution::run() {
  LEM_TRY(read_waypoints());
  Result<CfaTrace> run = follow();
  if (run) return WitnessRun{*std::move(run)};
  if (unnamed_ == nullptr) return run.error();
  Found found = search();
  symbolic_ = false;
  if (found == Found::No)
    return Error{
        waypoints_.front().location.at,
        fmt::format("with no value of the inputs that it cannot name, such as that at line "
                    "{}, the program has the run",
                    unnamed_->at.line),
        ErrorKind::Internal};
  if (found == Found::Unknown)
    return WitnessRun{{},
                      fmt::format("the format has no words for the input at line {}, and no value "
                                  "for it was found",
                                  unnamed_->at.line)};
  run = follow();
  if (!run) return run.error();
  return WitnessRun{*std::move(run)};
}

Result<CfaTrace> Execution::follow() {
  auto rejected = [&](const std::string& why) {
    return Error{waypoints_.front().location.at, why, ErrorKind::Internal};
  };
  start();
  CfaTrace trace;
  trace.values.push_back(state());
  LocationId at = cfa_.initial();
  for (std::size_t steps = 0; at != cfa_.error(); ++steps) {
    if (steps == kMostSteps) return rejected("the run is longer than a million steps");
    std::optional<LocationId> next = step(at, trace);
    if (!next)
      return rejected(trouble_.empty()
                          ? fmt::format("the run ends at line {}, not in the error", cfa_[at].line)
                          : trouble_);
    at = *next;
  }
  LEM_TRY(check_all_passed(trace.edges.back()));
  return trace;
}

}  // namespace

Result<WitnessRun> run_of(const Cfa& cfa, const CSource& source, const ctext::CPlaces& places,
                          const std::vector<Waypoint>& waypoints, std::stop_token stop) {
  assert(!waypoints.empty() && "a run ends at a target");
  return Execution(cfa, source, places, waypoints, std::move(stop)).run();
}

Result<ctext::CPlace> place_of(const ctext::CPlaces& places, const WitnessLocation& location,
                               ctext::CPlace::Kind kind) {
  std::optional<ctext::CPlace> place = places.at(kind, location.row, location.column);
  const char* what = kind == ctext::CPlace::Kind::Loop ? "loop" : "statement";
  std::string where = std::to_string(location.row);
  if (location.column != 0) where += ":" + std::to_string(location.column);
  if (!place)
    return Error{location.at, fmt::format("no {} of the program starts at {}", what, where)};
  std::string function = places.position(place->token).function;
  if (location.function && location.function->text != function)
    return Error{location.function->at, fmt::format("{} is in function '{}'", where, function)};
  return *place;
}

}  // namespace lem::check
