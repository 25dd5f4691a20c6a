// Invariants at the heads of loops: the paths between them, all at once (witness_file.h).
#include <algorithm>
#include <map>
#include <span>

#include "check/c/witness_file.h"
#include "check/question.h"

namespace lem::check {

namespace {

/// From which states a run leaves the claim, or ends in the error, before it is at a head again.
/// Nondeterminism is expressed by fresh variables, existentially quantified.
class Escapes {
 public:
  Escapes(const Cfa& cfa, const std::vector<LocationId>& heads, const std::vector<Term>& at,
          const std::vector<PointClaim>& points)
      : cfa_(cfa), terms_(cfa.terms()), claim_(at), from_(cfa.locations().size()) {
    for (const PointClaim& point : points) points_[point.edge].push_back(point);
    is_head_.resize(cfa.locations().size());
    for (LocationId head : heads) is_head_[index(head)] = true;
  }
  Term claim(LocationId id) const {
    return claim_[index(id)] ? claim_[index(id)] : terms_.boolean(true);
  }
  /// By one edge at least.
  Term from(LocationId start) {
    order(start);
    for (LocationId at : order_)
      if (!from_[index(at)]) from_[index(at)] = step(at);
    order_.clear();
    return from_[index(start)];
  }

 private:
  /// Where the formula of a location is needed, and that of all that follow before it. No
  /// recursion: programs are long.
  void order(LocationId start) {
    std::vector<std::pair<LocationId, std::size_t>> stack = {{start, 0}};
    std::vector<bool> seen(cfa_.locations().size());
    seen[index(start)] = true;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == cfa_.out(at).size()) {
        order_.push_back(at);
        stack.pop_back();
        continue;
      }
      LocationId to = cfa_[cfa_.out(at)[next++]].to;
      if (seen[index(to)] || is_head_[index(to)] || from_[index(to)] || to == cfa_.error())
        continue;
      seen[index(to)] = true;
      stack.push_back({to, 0});
    }
  }
  Term step(LocationId at) {
    std::vector<Term> ways;
    for (EdgeId id : cfa_.out(at)) {
      const CfaEdge& edge = cfa_[id];
      Term escaped = edge.to == cfa_.error()    ? terms_.boolean(true)
                     : is_head_[index(edge.to)] ? terms_.make_not(claim(edge.to))
                                                : from_[index(edge.to)];
      ways.push_back(before(id, escaped));
    }
    return terms_.make_or(ways);
  }
  /// The states before the edge from which a run leaves a claim on the edge, or has `escaped` at
  /// its end.
  Term before(EdgeId id, Term escaped) {
    const Command& command = cfa_[id].command;
    auto points = points_.find(id);
    if (points == points_.end()) return wep(terms_, command, escaped).formula;
    bool several = command.kind() == Command::Kind::Sequence;
    std::span<const Command> parts = several ? command.parts() : std::span(&command, 1);
    for (std::size_t i = parts.size() + 1; i-- > 0;) {
      if (i < parts.size()) escaped = wep(terms_, parts[i], escaped).formula;
      for (const PointClaim& point : points->second)
        if (std::min(point.command, parts.size()) == i)
          escaped = terms_.make_or(terms_.make_not(point.claim), escaped);
    }
    return escaped;
  }

  const Cfa& cfa_;
  TermStore& terms_;
  const std::vector<Term>& claim_;
  std::vector<bool> is_head_;
  std::vector<Term> from_;
  std::vector<LocationId> order_;
  std::map<EdgeId, std::vector<PointClaim>> points_;
};

}  // namespace

TermFinding check_invariants_of_text(const Cfa& cfa, const std::vector<LocationId>& heads,
                                     const std::vector<Term>& at,
                                     const std::vector<PointClaim>& points, std::stop_token stop) {
  TermStore& terms = cfa.terms();
  Escapes escapes(cfa, heads, at, points);
  Term begin = escapes.claim(cfa.initial());
  if (TermHolds holds = Question(terms, stop).excludes(terms.make_not(begin));
      holds != TermHolds::Yes)
    return {holds, "what holds from the start"};
  std::vector<LocationId> starts = {cfa.initial()};
  starts.insert(starts.end(), heads.begin(), heads.end());
  for (LocationId start : starts) {
    // Nothing is known where a run starts, even if that is a head.
    bool first = start == cfa.initial();
    Term holds = first ? terms.boolean(true) : escapes.claim(start);
    Term escape = terms.make_and(holds, escapes.from(start));
    TermHolds kept = Question(terms, stop).excludes(escape);
    if (kept != TermHolds::Yes)
      return {kept, first ? "what holds from the start"
                          : "what holds from line " + std::to_string(cfa[start].line)};
  }
  return {TermHolds::Yes};
}

}  // namespace lem::check
