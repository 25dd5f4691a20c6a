#include "check/st/replay.h"

#include <algorithm>
#include <map>

#include "check/st/machine.h"

namespace lem::check {

namespace {

using plc::Machine;
using plc::Value;

class Replay {
 public:
  Replay(const StProgram& program, const std::string& property, const CfaTrace& trace,
         std::stop_token stop)
      : cfa_(program.cfa),
        terms_(program.cfa.terms()),
        source_(*program.source),
        trace_(trace),
        machine_(
            source_,
            [this](const SourcePos& at, std::size_t time, const st::Type& type) {
              return chosen(at, time, type);
            },
            std::move(stop)) {
    for (const StProperty& one : source_.properties)
      if (one.name == property) property_ = &one;
  }
  std::optional<std::string> run();

 private:
  std::optional<Value> chosen(const SourcePos& at, std::size_t time, const st::Type& type) const;
  void collect_choices();
  Value value_of(Term term, const st::Type& type) const;
  void take(std::size_t moment, bool at_start);
  std::optional<std::string> differs(std::size_t moment) const;
  std::optional<std::string> compare(const StVariable& one, Term term) const;
  bool violated();
  void remember();

  const Cfa& cfa_;
  TermStore& terms_;
  const StSource& source_;
  const CfaTrace& trace_;
  Machine machine_;
  const StProperty* property_ = nullptr;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Term>> choices_;
  bool memory_ = false;  // of during-cycle, between-cycles and past
};

Value Replay::value_of(Term term, const st::Type& type) const {
  switch (terms_.kind(term)) {
    case SortKind::Bool:
      return {&type, terms_.is_true(term) ? 1 : 0};
    case SortKind::Float:
      return {&type, 0, terms_.float_value(term)};
    default:
      return {&type, type.is_signed() ? terms_.signed_value(term) : terms_.integer_value(term)};
  }
}

void collect_havocs(const Command& command, std::vector<Term>& out) {
  if (command.kind() == Command::Kind::Havoc) out.push_back(command.variable());
  if (command.kind() == Command::Kind::Sequence || command.kind() == Command::Kind::Choice)
    for (const Command& part : command.parts()) collect_havocs(part, out);
}

/// What the run chose for each place that leaves a value open, in order.
void Replay::collect_choices() {
  std::map<Term, SourcePos> places;
  for (const StChoice& one : source_.choices) places[one.variable] = one.at;
  std::map<Term, std::size_t> index_of;
  for (std::size_t i = 0; i < cfa_.variables().size(); ++i) index_of[cfa_.variables()[i]] = i;
  for (std::size_t i = 0; i < trace_.edges.size(); ++i) {
    std::vector<Term> havocs;
    collect_havocs(cfa_[trace_.edges[i]].command, havocs);
    for (Term variable : havocs)
      if (auto at = places.find(variable); at != places.end())
        choices_[{at->second.line, at->second.column}].push_back(
            trace_.values[i + 1][index_of[variable]]);
  }
}

std::optional<Value> Replay::chosen(const SourcePos& at, std::size_t time,
                                    const st::Type& type) const {
  auto found = choices_.find({at.line, at.column});
  if (found == choices_.end() || time >= found->second.size()) return {};
  return value_of(found->second[time], type);
}

/// Whether it is the clock or the length of a cycle, which no variable of the program is.
bool is_of_all(const StVariable& one) {
  return one.name == kStClock || one.name == kStCycle;
}

/// Inputs of a cycle; at the start also what is arbitrary then.
void Replay::take(std::size_t moment, bool at_start) {
  for (std::size_t i = 0; i < source_.variables.size(); ++i) {
    const StVariable& one = source_.variables[i];
    bool input = one.role == StVariable::Role::Input || one.role == StVariable::Role::InOut;
    bool age = one.role == StVariable::Role::Time && !is_of_all(one);
    if (one.type == nullptr || one.name.empty()) continue;
    Term term = trace_.values[moment][i];
    if (one.name == kStClock) machine_.set_clock(terms_.signed_value(term));
    if (!input && !age && !(at_start && one.arbitrary)) continue;
    if (terms_.kind(term) != SortKind::Array) {
      machine_.set(one.name, value_of(term, *one.type));
      continue;
    }
    machine_.set_elements(one.name, [&](std::size_t index) {
      mpz_class at(std::to_string(index));
      return value_of(terms_.make_select(term, terms_.bv(at, 32)), *one.type);
    });
  }
}

std::optional<std::string> Replay::compare(const StVariable& one, Term term) const {
  if (terms_.kind(term) == SortKind::Array) return {};  // elements are compared where they are read
  const Value* found = machine_.get(one.name);
  Value expected = value_of(term, *one.type);
  if (found == nullptr || !plc::same(*found, expected))
    return "'" + one.name + "' has another value";
  return {};
}

std::optional<std::string> Replay::differs(std::size_t moment) const {
  for (std::size_t i = 0; i < source_.variables.size(); ++i) {
    const StVariable& one = source_.variables[i];
    if (!source_.is_shown(i) || is_of_all(one)) continue;
    if (auto wrong = compare(one, trace_.values[moment][i])) return wrong;
  }
  return {};
}

/// Whether the property fails (or its goal is reached) now, at the end of a cycle.
bool Replay::violated() {
  auto holds = [&](std::size_t part) { return machine_.holds(*property_->parts[part]); };
  const std::string& pattern = property_->pattern;
  if (pattern == "implication") return holds(0) && !holds(1);
  if (pattern == "invariant") return !holds(0);
  if (pattern == "forbidden" || pattern == "reachability") return holds(0);
  if (pattern == "during-cycle") return memory_ && !holds(1);
  if (pattern == "between-cycles") return memory_ && holds(1) && !holds(2);
  if (pattern == "past") return holds(0) && !memory_;
  return machine_.failed().contains(Machine::check_key(property_->kind, property_->at));
}

void Replay::remember() {
  if (property_->pattern == "between-cycles") memory_ = machine_.holds(*property_->parts[0]);
  if (property_->pattern == "past") memory_ = memory_ || machine_.holds(*property_->parts[1]);
}

std::optional<std::string> Replay::run() {
  if (property_ == nullptr) return "the property is none of the program";
  collect_choices();
  machine_.initialise();
  std::size_t cycle = 0;
  bool started = false;
  for (std::size_t i = 0; i < trace_.edges.size(); ++i) {
    LocationId to = cfa_[trace_.edges[i]].to;
    if (to != source_.cycle_begin) continue;
    ++cycle;
    if (!started) take(i + 1, true);
    machine_.begin();
    take(i + 1, false);
    started = true;
    if (property_->pattern == "during-cycle") memory_ = machine_.holds(*property_->parts[0]);
    machine_.cycle();
    std::string in = " in cycle " + std::to_string(cycle);
    std::size_t end = i + 1;
    while (end < trace_.edges.size() && cfa_[trace_.edges[end]].to != source_.cycle_end) ++end;
    bool within = end == trace_.edges.size();
    if (within && machine_.failed().contains(Machine::check_key(property_->kind, property_->at)))
      return {};  // what the program does afterwards is not in the run
    if (!machine_.problem().empty()) return machine_.problem() + in;
    if (within) return "the property does not fail" + in;
    if (auto wrong = differs(end + 1)) return *wrong + in;
    bool last = std::none_of(trace_.edges.begin() + static_cast<std::ptrdiff_t>(end + 1),
                             trace_.edges.end(),
                             [&](EdgeId edge) { return cfa_[edge].to == source_.cycle_begin; });
    if (last) return violated() ? std::nullopt : std::optional("the property does not fail" + in);
    remember();
    if (!machine_.problem().empty()) return machine_.problem() + in;
  }
  return "the run has no cycle";
}

}  // namespace

std::optional<std::string> replay_plc(const StProgram& program, const std::string& property,
                                      const CfaTrace& trace, std::stop_token stop) {
  return Replay(program, property, trace, std::move(stop)).run();
}

}  // namespace lem::check
