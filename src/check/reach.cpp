#include "check/reach.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "check/cfa.h"

namespace lem::check {

/// Whether the command can be taken whatever the values are, as far as its parts say.
static bool always_goes_on(const TermStore& terms, const Command& command) {
  switch (command.kind()) {
    case Command::Kind::Assume:
      return terms.is_true(command.guard());
    case Command::Kind::Assign:
    case Command::Kind::Havoc:
      return true;
    case Command::Kind::Choice:
      return false;
    case Command::Kind::Sequence:
      return std::all_of(command.parts().begin(), command.parts().end(),
                         [&](const Command& part) { return always_goes_on(terms, part); });
  }
  return false;
}

std::vector<LocationId> deciding_places(const Cfa& cfa, LocationId error) {
  std::set<LocationId> deciding, failing = {error};
  std::vector<LocationId> waiting = {error};
  while (!waiting.empty()) {
    LocationId here = waiting.back();
    waiting.pop_back();
    for (EdgeId id : cfa.in(here)) {
      const CfaEdge& edge = cfa[id];
      if (!always_goes_on(cfa.terms(), edge.command))
        deciding.insert(edge.from);
      else if (failing.insert(edge.from).second)
        waiting.push_back(edge.from);
    }
  }
  return {deciding.begin(), deciding.end()};
}

namespace {

/// A copy with one more location, which is the error. Edges leave out what `keeps` rejects.
template <class Keeps>
Cfa copy_with_error(const Cfa& cfa, const std::vector<LocationId>& places, Keeps keeps) {
  CfaBuilder builder(cfa.store());
  for (Term variable : cfa.variables()) builder.add_variable(variable);
  for (const Location& one : cfa.locations()) builder.add_location(one.name, one.line);
  for (const CfaEdge& one : cfa.edges())
    if (keeps(one)) builder.add_edge(one.from, one.command, one.to, one.line);
  LocationId error = builder.add_location("reached");
  for (LocationId place : places) builder.add_edge(place, Command::skip(), error);
  builder.set_initial(cfa.initial());
  builder.set_error(error);
  Result<Cfa> made = std::move(builder).freeze();
  assert(made.ok() && "a valid automaton with one more location is valid");
  return *std::move(made);
}

/// The locations from which a run comes to the places without passing a claim in between. A
/// location with a claim is among them where it is the first one.
std::set<LocationId> last_part(const Cfa& cfa, const LocationInvariants& proof,
                               const std::vector<LocationId>& places) {
  std::set<LocationId> out(places.begin(), places.end());
  std::vector<LocationId> waiting = places;
  while (!waiting.empty()) {
    LocationId here = waiting.back();
    waiting.pop_back();
    if (proof.at[index(here)]) continue;
    for (EdgeId edge : cfa.in(here))
      if (out.insert(cfa[edge].from).second) waiting.push_back(cfa[edge].from);
  }
  return out;
}

enum class Starts : std::uint8_t { AnyClaim, Initial };

/// Whether no run comes to the places from a location with a claim, in what is claimed there. With
/// Initial: from the start alone.
TermHolds excluded(const Cfa& cfa, const LocationInvariants& proof,
                   const std::vector<LocationId>& places, Starts starts,
                   const std::stop_token& stop) {
  std::set<LocationId> part = last_part(cfa, proof, places);
  TermStore& terms = cfa.terms();
  auto is_start = [&](LocationId id) {
    return proof.at[index(id)] && (starts == Starts::AnyClaim || id == cfa.initial());
  };
  // Only the last part is left, and nothing in it leads back to a location with a claim.
  Cfa last = copy_with_error(cfa, places, [&](const CfaEdge& edge) {
    bool inside = part.contains(edge.from) && part.contains(edge.to);
    bool from_other_claim = proof.at[index(edge.from)] && !is_start(edge.from);
    return inside && !proof.at[index(edge.to)] && !from_other_claim;
  });
  LocationInvariants claim;
  claim.at.resize(last.locations().size());
  for (LocationId id : part)
    if (is_start(id)) claim.at[index(id)] = proof.at[index(id)];
  claim.at[index(cfa.initial())] = terms.boolean(true);
  claim.at.back() = terms.boolean(false);
  return check_invariants(last, claim, stop).holds;
}

/// Of a proof that unwinds loops: the same loops are unwound on the way to the places.
Reach by_unwinding(const Cfa& cfa, const LocationInvariants& proof,
                   const std::vector<LocationId>& places, const std::stop_token& stop) {
  Cfa other = with_error_behind(cfa, places);
  LocationInvariants claim = proof;
  claim.at[index(cfa.error())] = Term();
  claim.at.push_back(cfa.terms().boolean(false));
  claim.rounds.push_back(0);
  bool loops_have_claims = false;
  for (std::uint32_t i = 0; i < proof.at.size(); ++i)
    loops_have_claims = loops_have_claims || (proof.at[i] && LocationId{i} != cfa.initial() &&
                                              LocationId{i} != cfa.error());
  switch (check_invariants(other, claim, stop).holds) {
    case TermHolds::Yes:
      return Reach::Never;
    case TermHolds::No:  // of a run from the start, unless claims are too weak
      return loops_have_claims ? Reach::Unknown : Reach::Some;
    case TermHolds::Undecided:
    case TermHolds::Stopped:
      return Reach::Unknown;
  }
  return Reach::Unknown;
}

}  // namespace

Cfa with_error_behind(const Cfa& cfa, const std::vector<LocationId>& places) {
  return copy_with_error(cfa, places, [](const CfaEdge&) { return true; });
}

Reach PlaceReach::of(const Cfa& cfa, const LocationInvariants& proof,
                     const std::vector<LocationId>& places, const std::stop_token& stop) {
  assert(proof.at.size() == cfa.locations().size() && "the proof is about this automaton");
  auto found = known_.find(places);
  if (found != known_.end()) return found->second;
  Reach answer = Reach::Unknown;
  if (!proof.rounds.empty()) {
    answer = by_unwinding(cfa, proof, places, stop);
  } else if (excluded(cfa, proof, places, Starts::AnyClaim, stop) == TermHolds::Yes) {
    answer = Reach::Never;
  } else if (excluded(cfa, proof, places, Starts::Initial, stop) == TermHolds::No) {
    answer = Reach::Some;
  }
  if (!stop.stop_requested()) known_[places] = answer;
  return answer;
}

}  // namespace lem::check
