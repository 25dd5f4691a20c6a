// Tables of runs of PLC programs, judged: the automaton is executed with the table's inputs, every
// value of the table must be what results, and the interpreter of Structured Text must go the same
// way. Tests: tests/cli/st_test.py.
#include <algorithm>
#include <map>
#include <set>

#include "check/cfa.h"
#include "check/files/claims.h"
#include "check/st/replay.h"
#include "check/st/table.h"
#include "check/validate.h"
#include "model/st/source.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

using plc::Table;

/// Steps in one cycle after which a run is taken to hang.
constexpr std::size_t kMostSteps = 1'000'000;

class StExecution {
 public:
  StExecution(const Problem& model, const Table& table, std::stop_token stop)
      : cfa_(model.cfa()),
        terms_(model.cfa().terms()),
        source_(*model.source.st),
        table_(table),
        stop_(std::move(stop)) {
    for (std::size_t i = 0; i < cfa_.variables().size(); ++i) {
      index_[cfa_.variables()[i]] = i;
      values_.push_back(terms_.default_value(terms_.sort(cfa_.variables()[i])));
    }
    for (const StChoice& one : source_.choices)
      choices_[one.variable] = {one.at.line, one.at.column};
  }

  /// A run to the error location; an error says why there is none.
  Result<CfaTrace> run();

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  /// If the property failed before, that is what is wrong.
  Error wrong(const std::string& why) const {
    return {{}, passed_.empty() ? why + in_cycle() : passed_, ErrorKind::Internal};
  }
  std::string in_cycle() const {
    return " in cycle " + std::to_string(std::max<std::size_t>(cycle_, 1));
  }
  std::optional<std::string> goes_on() const;
  std::optional<EdgeId> next();
  bool execute(const Command& command);
  std::optional<Term> given(Term variable);
  Term value_of(Term term) const;
  std::optional<std::string> differs(std::size_t column) const;

  const Cfa& cfa_;
  TermStore& terms_;
  const StSource& source_;
  const Table& table_;
  std::stop_token stop_;
  std::map<Term, std::size_t> index_;
  std::map<Term, Place> choices_;
  LocationId at_{};
  std::size_t cycle_ = 0;  // that has begun
  bool ended_ = false;     // its end was passed
  std::vector<Term> values_;
  std::map<Place, std::size_t> used_;  // what the program left open in this cycle
  std::string missing_;                // a value that the table should have
  std::string passed_;                 // why the run did not end at the first failure
};

Term StExecution::value_of(Term term) const {
  TermMap map;
  for (Term variable : variables_of(terms_, term)) map[variable] = values_[index_.at(variable)];
  return evaluate(terms_, term, map);
}

/// What the table says about a choice of the environment.
std::optional<Term> StExecution::given(Term variable) {
  Sort sort = terms_.sort(variable);
  if (auto choice = choices_.find(variable); choice != choices_.end()) {
    auto row = table_.open.find(choice->second);
    if (row == table_.open.end()) return terms_.default_value(sort);
    const std::vector<std::string>& list = row->second[std::max<std::size_t>(cycle_, 1) - 1];
    std::size_t which = used_[choice->second]++;
    if (which >= list.size()) return terms_.default_value(sort);
    return plc::read_open_literal(terms_, list[which], sort);
  }
  std::size_t i = index_.at(variable);
  if (!source_.is_shown(i)) return terms_.default_value(sort);
  auto row = table_.rows.find(source_.variables[i].name);
  if (row == table_.rows.end() || cycle_ >= table_.cycles) return {};
  const std::string& text = row->second[2 * cycle_];
  const st::Type& type = *source_.variables[i].type;
  if (terms_.kind(sort) == SortKind::Array) return plc::read_array(terms_, text, sort, type);
  return plc::read_literal(terms_, text, type);
}

bool StExecution::execute(const Command& command) {
  switch (command.kind()) {
    case Command::Kind::Assign:
      values_[index_.at(command.variable())] = value_of(command.value());
      return true;
    case Command::Kind::Assume:
      return terms_.is_true(value_of(command.guard()));
    case Command::Kind::Havoc: {
      std::optional<Term> value = given(command.variable());
      if (!value) missing_ = source_.variables[index_.at(command.variable())].name;
      if (value) values_[index_.at(command.variable())] = *value;
      return value.has_value();
    }
    case Command::Kind::Sequence:
      return std::all_of(command.parts().begin(), command.parts().end(),
                         [this](const Command& part) { return execute(part); });
    case Command::Kind::Choice:
      return false;  // front ends make none
  }
  return false;
}

/// Why the run does not end here, although the property fails: the table goes on. A program goes on
/// behind a check that fails, so a run may pass the first failure and end with a later one.
std::optional<std::string> StExecution::goes_on() const {
  if (cycle_ != table_.cycles) return "the property fails already";
  return ended_ ? std::nullopt : differs(2 * cycle_ - 1);
}

/// The edge that the values let through; one that leads to the error first, where the table ends.
std::optional<EdgeId> StExecution::next() {
  std::vector<EdgeId> ways(cfa_.out(at_).begin(), cfa_.out(at_).end());
  std::stable_partition(ways.begin(), ways.end(),
                        [&](EdgeId edge) { return cfa_[edge].to == cfa_.error(); });
  for (EdgeId edge : ways) {
    LocationId to = cfa_[edge].to;
    if (to != cfa_.error() && cfa_.out(to).empty()) continue;  // another property's error
    std::vector<Term> values = values_;
    std::map<Place, std::size_t> used = used_;
    if (execute(cfa_[edge].command)) {
      std::optional<std::string> why = to == cfa_.error() ? goes_on() : std::nullopt;
      if (!why) return edge;
      if (passed_.empty()) passed_ = *why + in_cycle();
    }
    values_ = std::move(values);
    used_ = std::move(used);
  }
  return {};
}

/// A variable whose value is not the table's.
std::optional<std::string> StExecution::differs(std::size_t column) const {
  for (std::size_t i = 0; i < source_.variables.size(); ++i) {
    const StVariable& one = source_.variables[i];
    if (!source_.is_shown(i) || terms_.kind(values_[i]) == SortKind::Array) continue;
    auto row = table_.rows.find(one.name);
    if (row == table_.rows.end()) return "the table has no '" + one.name + "'";
    std::optional<Term> value = plc::read_literal(terms_, row->second[column], *one.type);
    if (!value) return "'" + row->second[column] + "' is no value of '" + one.name + "'";
    if (*value != values_[i]) return "'" + one.name + "' has another value";
  }
  return {};
}

Result<CfaTrace> StExecution::run() {
  CfaTrace trace;
  at_ = cfa_.initial();
  trace.values.push_back(values_);
  for (std::size_t steps = 0; steps < kMostSteps; ++steps) {
    if (stop_.stop_requested()) return wrong("stopped");
    std::optional<EdgeId> edge = next();
    if (!edge && !missing_.empty())
      return wrong("the table has no good value of '" + missing_ + "'");
    if (!edge) return wrong("the assumptions do not hold");
    trace.edges.push_back(*edge);
    trace.values.push_back(values_);
    at_ = cfa_[*edge].to;
    if (at_ == cfa_.error()) return trace;
    if (at_ == source_.cycle_begin) {
      ++cycle_;
      steps = 0;
      used_.clear();
    }
    if (at_ == source_.head && cycle_ == table_.cycles) return wrong("the property does not fail");
    bool begin = at_ == source_.cycle_begin;
    ended_ = !begin && (ended_ || at_ == source_.cycle_end);
    if (!begin && at_ != source_.cycle_end) continue;
    if (auto what = differs(2 * cycle_ - (begin ? 2 : 1))) return wrong(*what);
  }
  return wrong("the run does not get to the end");
}

}  // namespace

Result<Accepted> validate_st_witness(const Problem& model, const std::string& path,
                                     std::string_view text, const EvidenceTask& task) {
  assert(model.source.st != nullptr && "the model is a PLC program");
  Result<Table> table = plc::read_table(path, text, *model.source.st);
  if (!table) return table.error();
  std::optional<std::size_t> named;
  for (std::size_t i = 0; i < model.properties.size(); ++i)
    if (table->property == model.properties[i].name) named = i;
  if (table->property && !table->property->empty() && !named)
    return Error{{path, 1, 1}, "the program has no property '" + *table->property + "'"};
  std::set<std::string> known;
  for (std::size_t i = 0; i < model.source.st->variables.size(); ++i)
    if (model.source.st->is_shown(i)) known.insert(model.source.st->variables[i].name);
  for (const auto& [name, values] : table->rows)
    if (!known.contains(name))
      return Error{{path, 1, 1}, "the program has no variable '" + name + "'"};
  std::optional<CfaTrace> first;
  auto judge = [&](std::size_t property) -> Status {
    Problem original = focus(model, property);
    auto reject = [&](const std::string& why) {
      return Error{{path},
                   "the run for property '" + original.property().name + "' is rejected: " + why,
                   ErrorKind::Internal};
    };
    Result<CfaTrace> trace = StExecution(original, *table, task.stop).run();
    if (!trace) return reject(trace.error().message);
    if (auto wrong = replay(original.cfa(), *trace, task.stop)) return reject(*wrong);
    auto wrong = replay_plc({original.cfa(), original.source.st}, original.property().name, *trace,
                            task.stop);
    if (wrong) return reject(*wrong);
    if (!first) first = *std::move(trace);
    return Ok{};
  };
  Result<Accepted> accepted = judge_properties(model, path, named, task, judge);
  if (accepted) accepted->contents = Run(*std::move(first));
  return accepted;
}

}  // namespace lem::check
