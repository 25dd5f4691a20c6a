#include "transform/cfa/program_slice.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <utility>

#include "base/assert.h"
#include "model/cfa_components.h"
#include "term/traverse.h"

namespace lem::transform {

static std::vector<LocationId> errors_of(const Problem& problem,
                                         const std::vector<std::size_t>& members) {
  std::vector<LocationId> errors;
  for (std::size_t member : members) errors.push_back(error_of(problem, member));
  return errors;
}

ProgramSlice::ProgramSlice(const Problem& problem, const Dependence& dependence,
                           std::vector<std::size_t> members)
    : original_(problem),
      members_(std::move(members)),
      relevant_(dependence.of(errors_of(problem, members_))),
      passed_(problem.cfa().locations().size()),
      slice_(made(dependence)) {
  for (std::uint32_t i = 0; i < problem.cfa().locations().size(); ++i)
    hidden_.push_back(dependence.is_doomed(LocationId{i}) && !relevant_.errors[i]);
}

/// Assignments to relevant variables, and guards if they count or speak of relevant variables
/// alone.
Command ProgramSlice::reduced(const Command& command, bool guards) const {
  const Cfa& cfa = original_.cfa();
  auto is_relevant = [&](Term variable) {
    auto at = std::find(cfa.variables().begin(), cfa.variables().end(), variable);
    return at == cfa.variables().end() ||
           relevant_.variables[static_cast<std::size_t>(at - cfa.variables().begin())];
  };
  switch (command.kind()) {
    case Command::Kind::Assume: {
      std::vector<Term> read = variables_of(cfa.terms(), command.guard());
      bool known = std::all_of(read.begin(), read.end(), is_relevant);
      assert((known || !guards) && "what a guard that counts speaks of is relevant");
      return known ? command : Command::skip();
    }
    case Command::Kind::Assign:
    case Command::Kind::Havoc:
      return is_relevant(command.variable()) ? command : Command::skip();
    case Command::Kind::Sequence:
    case Command::Kind::Choice: {
      std::vector<Command> parts;
      for (const Command& part : command.parts()) parts.push_back(reduced(part, guards));
      return command.kind() == Command::Kind::Sequence ? Command::sequence(std::move(parts))
                                                       : Command::choice(std::move(parts));
    }
  }
  unreachable();
}

/// Notes what lies between the branch and where its ways meet.
void ProgramSlice::pass_by(const Dependence& dependence, LocationId branch, LocationId meeting) {
  const Cfa& cfa = original_.cfa();
  std::vector<bool> seen(cfa.locations().size());
  std::vector<LocationId> todo{branch};
  while (!todo.empty()) {
    LocationId at = todo.back();
    todo.pop_back();
    for (EdgeId edge : cfa.out(at)) {
      LocationId to = cfa[edge].to;
      if (to == meeting || seen[index(to)] || dependence.is_doomed(to)) continue;
      seen[index(to)] = true;
      passed_[index(to)].push_back(branch);
      todo.push_back(to);
    }
  }
}

Problem ProgramSlice::made(const Dependence& dependence) {
  const Cfa& cfa = original_.cfa();
  CfaBuilder builder(cfa.store());
  for (std::size_t i = 0; i < cfa.variables().size(); ++i)
    if (relevant_.variables[i]) builder.add_variable(cfa.variables()[i]);
  for (const Location& one : cfa.locations()) builder.add_location(one.name, one.line);
  LocationId any = builder.add_location("error");
  std::vector<LocationId> targets = errors_of(original_, members_);
  std::set<LocationId> errors(targets.begin(), targets.end());
  for (std::uint32_t i = 0; i < cfa.locations().size(); ++i) {
    LocationId at{i};
    std::optional<LocationId> meeting =
        dependence.is_branch(at) && !relevant_.branches[i] ? dependence.meeting(at) : std::nullopt;
    if (meeting) {
      pass_by(dependence, at, *meeting);
      builder.add_edge(at, Command::skip(), *meeting);
    }
    for (EdgeId id : cfa.out(at)) {
      const CfaEdge& edge = cfa[id];
      bool doomed = dependence.is_doomed(edge.to);
      if (doomed ? !relevant_.errors[index(edge.to)] : meeting.has_value()) continue;
      LocationId to = errors.contains(edge.to) ? any : edge.to;
      bool guards = doomed || relevant_.branches[i];
      builder.add_edge(at, reduced(edge.command, guards), to, edge.line);
    }
  }
  builder.set_initial(errors.contains(cfa.initial()) ? any : cfa.initial());
  builder.set_error(any);
  Result<Cfa> made = std::move(builder).freeze();
  assert(made && "a slice of an automaton is one");
  SourceMap source;  // of no program
  source.file = original_.source.file;
  source.format = original_.source.format;
  return {*std::move(made), {{"a slice", ErrorLocation{}}}, std::move(source)};
}

/// Locations without a claim, in an order in which edges between them lead forward.
bool ProgramSlice::every_loop_has_a_claim(const LocationInvariants& claim) const {
  const Cfa& cfa = original_.cfa();
  std::vector<std::size_t> waits(claim.at.size());
  std::vector<LocationId> todo;
  std::size_t left = 0;
  for (std::uint32_t i = 0; i < claim.at.size(); ++i) {
    if (claim.at[i]) continue;
    ++left;
    for (EdgeId edge : cfa.in(LocationId{i}))
      if (!claim.at[index(cfa[edge].from)]) ++waits[i];
    if (waits[i] == 0) todo.push_back(LocationId{i});
  }
  while (!todo.empty()) {
    LocationId at = todo.back();
    todo.pop_back();
    --left;
    for (EdgeId edge : cfa.out(at)) {
      std::uint32_t to = index(cfa[edge].to);
      if (!claim.at[to] && --waits[to] == 0) todo.push_back(LocationId{to});
    }
  }
  return left == 0;
}

/// What holds at a branch holds wherever its ways go until they meet: nothing there writes a
/// relevant variable. It is claimed at heads of loops alone; elsewhere it follows along the paths.
/// That the slice does not get to a location says nothing where the original does.
std::optional<LocationInvariants> ProgramSlice::certificate(const LocationInvariants& claim) const {
  if (!claim.rounds.empty()) return {};
  TermStore& terms = original_.cfa().terms();
  CfaComponents loops = components(original_.cfa());
  LocationInvariants all{{claim.at.begin(), claim.at.end() - 1}, {}};
  all.at[index(original_.cfa().initial())] = terms.boolean(true);
  for (std::uint32_t i = 0; i < all.at.size(); ++i) {
    if (LocationId{i} == original_.cfa().initial()) continue;
    if (hidden_[i]) all.at[i] = Term();
    if (passed_[i].empty()) continue;
    bool head = !loops.heads[i].empty() && loops.heads[i].back() == LocationId{i};
    std::vector<Term> some{claim.at[i]};
    for (LocationId branch : passed_[i]) some.push_back(claim.at[index(branch)]);
    bool known = std::all_of(some.begin(), some.end(), [](Term term) { return bool(term); });
    all.at[i] = head && known ? terms.make_or(some) : Term();
  }
  for (std::size_t member : members_)
    all.at[index(error_of(original_, member))] = terms.boolean(false);
  if (!every_loop_has_a_claim(all)) return {};
  return all;
}

}  // namespace lem::transform
