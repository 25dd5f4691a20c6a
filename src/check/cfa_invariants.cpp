// Invariants of control-flow automata. All paths from a location with a claim to the next ones are
// executed symbolically, through the locations without claims; where paths join, they are merged.
#include <algorithm>
#include <map>
#include <set>

#include "check/cfa.h"
#include "check/question.h"
#include "model/read_variables.h"
#include "model/symbolic_run.h"

namespace lem::check {

namespace {

class InvariantCheck {
 public:
  InvariantCheck(const Cfa& cfa, const LocationInvariants& claim, std::stop_token stop)
      : cfa_(cfa),
        terms_(cfa.terms()),
        claim_(claim),
        stop_(stop),
        order_(cfa.locations().size()),
        symbolic_(terms_, fresh_) {}

  TermFinding check() {
    if (claim_.at.size() != cfa_.locations().size())
      return {TermHolds::No, "a location is missing"};
    for (LocationId end : {cfa_.initial(), cfa_.error()})
      if (!at(end)) return {TermHolds::No, "a location is missing"};
    TermHolds everything = excludes(terms_.make_not(at(cfa_.initial())));
    if (everything != TermHolds::Yes) return {everything, "initiation"};
    TermHolds nothing = excludes(at(cfa_.error()));
    if (nothing != TermHolds::Yes) return {nothing, "safety"};
    if (auto loop = order_open_locations())
      return {TermHolds::No, "a loop through " + cfa_[*loop].name + " without an invariant"};
    std::vector<Term> claims;
    for (Term claim : claim_.at)
      if (claim) claims.push_back(claim);
    read_ = read_variables(cfa_, std::move(claims));
    for (std::uint32_t i = 0; i < claim_.at.size(); ++i) {
      if (!claim_.at[i]) continue;
      TermFinding kept = from(LocationId{i});
      if (kept.holds != TermHolds::Yes) return kept;
    }
    return {TermHolds::Yes};
  }

 private:
  using State = SymbolicRun::State;

  Term at(LocationId id) const { return claim_.at[index(id)]; }
  TermHolds excludes(Term violation) {
    if (terms_.is_false(violation)) return TermHolds::Yes;
    return Question(terms_, stop_).excludes(violation);
  }

  TermHolds implies(Term path, Term claim) {
    if (terms_.is_true(claim)) return TermHolds::Yes;
    Question question(terms_, stop_);
    question.add(path);
    return question.imply(claim);
  }

  /// Numbers locations without a claim against the edges, from 1; returns one that leads to itself.
  std::optional<LocationId> order_open_locations() {
    std::vector<bool> entered(claim_.at.size());  // and not numbered: on the path to the top
    for (std::uint32_t root = 0; root < entered.size(); ++root) {
      if (claim_.at[root]) continue;
      std::vector<std::uint32_t> stack{root};
      while (!stack.empty()) {
        std::uint32_t here = stack.back();
        if (!entered[here]) {
          entered[here] = true;
          for (EdgeId edge : cfa_.out(LocationId{here})) {
            std::uint32_t to = index(cfa_[edge].to);
            if (claim_.at[to] || order_[to] != 0) continue;
            if (entered[to]) return LocationId{to};
            stack.push_back(to);
          }
          continue;
        }
        stack.pop_back();
        if (order_[here] == 0) order_[here] = ++ordered_;
      }
    }
    return {};
  }

  /// Checks that runs that start at the location in its claim satisfy the next claims.
  TermFinding from(LocationId start) {
    fresh_.clear();
    arrived_.clear();
    TermFinding kept = leave(start, {{}, at(start)});
    while (kept.holds == TermHolds::Yes && !arrived_.empty()) {
      Arrivals next = std::move(arrived_.begin()->second);
      arrived_.erase(arrived_.begin());
      kept = leave(next.at, meet(next.states));
    }
    return kept;
  }

  TermFinding leave(LocationId here, const State& state) {
    for (EdgeId id : cfa_.out(here)) {
      const CfaEdge& edge = cfa_[id];
      State end = state;
      symbolic_.execute(edge.command, end);
      std::erase_if(end.values, [this](const auto& one) { return !read_.contains(one.first); });
      if (terms_.is_false(end.path)) continue;
      if (!at(edge.to)) {
        Arrivals& there = arrived_[order_[index(edge.to)]];
        there.at = edge.to;
        there.states.push_back(std::move(end));
        continue;
      }
      TermHolds kept = implies(end.path, symbolic_.value(at(edge.to), end));
      if (kept != TermHolds::Yes)
        return {kept, "the edge from " + cfa_[here].name + " to " + cfa_[edge.to].name};
    }
    return {TermHolds::Yes};
  }

  State meet(const std::vector<State>& ends) {
    std::vector<Term> written;
    for (const State& end : ends)
      for (const auto& [variable, value] : end.values) written.push_back(variable);
    std::sort(written.begin(), written.end());
    written.erase(std::unique(written.begin(), written.end()), written.end());
    return symbolic_.meet(ends, written).state;
  }

  struct Arrivals {
    LocationId at{};
    std::vector<State> states;
  };

  const Cfa& cfa_;
  TermStore& terms_;
  const LocationInvariants& claim_;
  std::stop_token stop_;
  std::vector<std::uint32_t> order_;  // by location without a claim: higher than its successors
  std::uint32_t ordered_ = 0;
  std::map<std::uint32_t, Arrivals, std::greater<>> arrived_;  // by order, the next one first
  std::set<Term> read_;
  std::vector<Term> fresh_;
  SymbolicRun symbolic_;
};

}  // namespace

TermFinding check_invariants(const Cfa& cfa, const LocationInvariants& claim,
                             std::stop_token stop) {
  if (!claim.rounds.empty()) return check_unwinding(cfa, claim, std::move(stop));
  return InvariantCheck(cfa, claim, stop).check();
}

}  // namespace lem::check
