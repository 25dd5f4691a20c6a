#include "frontend/chc/reduce.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "term/eliminate.h"
#include "term/traverse.h"

namespace lem::chc {

namespace {

// Inlining several definitions into several calls multiplies the number of clauses; this is the
// limit.
constexpr std::size_t kMaxClauses = 5000;

/// Inlines predicates that depend on no recursive one where they occur beside other atoms.
class Linearizer {
 public:
  explicit Linearizer(const HornSystem& system)
      : system_(system), t_(*system.terms), clauses_(system.clauses) {}

  struct Linear {
    std::vector<Clause> clauses;
    std::vector<PredicateId> inlined;  // their definitions are still among the clauses, as facts
  };

  /// nullopt if a clause stays nonlinear, or the clauses become too many.
  std::optional<Linear> run() {
    std::vector<PredicateId> inlined = inlinable();
    for (PredicateId predicate : inlined)
      if (!inline_one(predicate)) return {};
    for (const Clause& clause : clauses_)
      if (clause.body.size() > 1) return {};
    return Linear{std::move(clauses_), std::move(inlined)};
  }

 private:
  std::vector<PredicateId> inlinable() const;
  bool inline_one(PredicateId predicate);
  Clause resolve(const Clause& use, std::size_t atom, const Clause& definition);

  const HornSystem& system_;
  TermStore& t_;
  std::vector<Clause> clauses_;
};

/// Callees before callers. A predicate is ready when all predicates below it are: recursive ones
/// and what depends on them never are. Only those that stand beside another atom, and what they
/// depend on, are of interest.
std::vector<PredicateId> Linearizer::inlinable() const {
  std::set<PredicateId> beside;
  std::vector<PredicateId> work;
  for (const Clause& clause : clauses_)
    if (clause.body.size() > 1)
      for (const Atom& atom : clause.body)
        if (beside.insert(atom.predicate).second) work.push_back(atom.predicate);
  while (!work.empty()) {
    PredicateId head = work.back();
    work.pop_back();
    for (const Clause& clause : clauses_)
      if (clause.head && clause.head->predicate == head)
        for (const Atom& atom : clause.body)
          if (beside.insert(atom.predicate).second) work.push_back(atom.predicate);
  }
  std::vector<PredicateId> order;
  std::vector<bool> ready(system_.predicates.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (PredicateId predicate : beside) {
      if (ready[predicate]) continue;
      bool all = std::ranges::all_of(clauses_, [&](const Clause& clause) {
        return !clause.head || clause.head->predicate != predicate ||
               std::ranges::all_of(clause.body,
                                   [&](const Atom& atom) { return ready[atom.predicate]; });
      });
      if (!all) continue;
      ready[predicate] = more = true;
      order.push_back(predicate);
    }
  }
  return order;
}

/// The definitions are facts by now; they stay, as the meaning of the predicate.
bool Linearizer::inline_one(PredicateId predicate) {
  std::vector<Clause> definitions;
  for (const Clause& clause : clauses_)
    if (clause.head && clause.head->predicate == predicate) definitions.push_back(clause);
  std::vector<Clause> result;
  std::vector<Clause> work(clauses_.rbegin(), clauses_.rend());
  while (!work.empty()) {
    Clause clause = std::move(work.back());
    work.pop_back();
    auto atom =
        std::ranges::find_if(clause.body, [&](const Atom& a) { return a.predicate == predicate; });
    if (atom == clause.body.end()) {
      if (!t_.is_false(clause.constraint)) result.push_back(std::move(clause));
      continue;
    }
    auto index = static_cast<std::size_t>(atom - clause.body.begin());
    for (std::size_t i = definitions.size(); i-- > 0;)
      work.push_back(resolve(clause, index, definitions[i]));
    if (result.size() + work.size() > kMaxClauses) return false;
  }
  clauses_ = std::move(result);
  return true;
}

Clause Linearizer::resolve(const Clause& use, std::size_t atom, const Clause& definition) {
  assert(definition.body.empty() && "callees are inlined first");
  TermMap map;
  std::vector<Term> roots = definition.head->args;
  roots.push_back(definition.constraint);
  for (Term variable : variables_of(t_, roots)) map[variable] = t_.fresh("v", t_.sort(variable));
  Substitution renaming(t_, map);
  Clause result = use;
  result.body.erase(result.body.begin() + static_cast<std::ptrdiff_t>(atom));
  std::vector<Term> parts{use.constraint, renaming.apply(definition.constraint)};
  for (std::size_t i = 0; i < use.body[atom].args.size(); ++i)
    parts.push_back(t_.make_eq(use.body[atom].args[i], renaming.apply(definition.head->args[i])));
  result.constraint = t_.make_and(parts);

  // All variables of the clause are its own, so all that are defined can go.
  std::vector<Term> outputs;
  for (const Atom& other : result.body)
    outputs.insert(outputs.end(), other.args.begin(), other.args.end());
  if (result.head)
    outputs.insert(outputs.end(), result.head->args.begin(), result.head->args.end());
  eliminate_locals(
      t_, [](Term) { return true; }, result.constraint, outputs);
  auto next = outputs.begin();
  for (Atom& other : result.body)
    for (Term& arg : other.args) arg = *next++;
  if (result.head)
    for (Term& arg : result.head->args) arg = *next++;
  return result;
}

/// The graph of predicates while it shrinks. Node 0 stands for "no predicate": the source of facts
/// and the target of queries.
class Graph {
 public:
  Graph(const HornSystem& system, const Linearizer::Linear& linear)
      : t_(*system.terms),
        count_(system.predicates.size()),
        maker_(t_, system.predicates),
        rules_(count_),
        removed_(count_, false) {
    for (const Clause& clause : linear.clauses) add(maker_.from_clause(clause));
    for (PredicateId predicate : linear.inlined) drop_inlined(predicate);
  }

  Reduced run() {
    remove_irrelevant();
    while (auto predicate = next_to_resolve()) resolve_away(*predicate);
    Reduced result{std::move(maker_), {}, {}, std::move(rules_)};
    for (PredicateId p = 0; p < count_; ++p)
      if (!removed_[p]) result.kept.push_back(p);
    for (auto& [ends, edge] : edges_) result.edges.push_back(std::move(edge));
    return result;
  }

 private:
  using Node = std::size_t;
  static Node node(std::optional<PredicateId> predicate) { return predicate ? *predicate + 1 : 0; }

  void add(Edge edge) {
    if (t_.is_false(edge.step.guard)) return;
    std::pair ends{node(edge.from), node(edge.to)};
    auto known = edges_.find(ends);
    if (known == edges_.end())
      edges_.emplace(ends, std::move(edge));
    else
      known->second = maker_.merged(known->second, edge);
  }
  void drop_inlined(PredicateId predicate);
  std::vector<bool> reachable(bool forward) const;
  void remove_irrelevant();
  std::optional<PredicateId> next_to_resolve() const;
  void resolve_away(PredicateId predicate);
  HornRule rule_of(const Edge& in);

  TermStore& t_;
  std::size_t count_;
  EdgeMaker maker_;
  std::map<std::pair<Node, Node>, Edge> edges_;
  std::vector<std::vector<HornRule>> rules_;
  std::vector<bool> removed_;
};

/// Nothing uses the predicate any more; what its facts say is its meaning.
void Graph::drop_inlined(PredicateId predicate) {
  auto fact = edges_.find({0, predicate + 1});
  removed_[predicate] = true;
  if (fact == edges_.end()) return;
  rules_[predicate].push_back(rule_of(fact->second));
  edges_.erase(fact);
}

std::vector<bool> Graph::reachable(bool forward) const {
  std::vector<bool> seen(count_ + 1, false);
  std::vector<Node> work = {0};
  while (!work.empty()) {
    Node at = work.back();
    work.pop_back();
    for (const auto& [ends, edge] : edges_) {
      Node from = forward ? ends.first : ends.second;
      Node to = forward ? ends.second : ends.first;
      if (from != at || to == 0 || seen[to]) continue;
      seen[to] = true;
      work.push_back(to);
    }
  }
  return seen;
}

/// Predicates that cannot be derived are false; of the others, those that lead to no query are
/// true.
void Graph::remove_irrelevant() {
  std::vector<bool> derivable = reachable(true);
  std::vector<bool> relevant = reachable(false);
  for (PredicateId p = 0; p < count_; ++p) {
    if (removed_[p]) continue;
    removed_[p] = !derivable[p + 1] || !relevant[p + 1];
    if (derivable[p + 1] && !relevant[p + 1])
      rules_[p].push_back({std::nullopt, {}, t_.boolean(true)});
  }
  std::erase_if(edges_, [&](const auto& entry) {
    auto gone = [&](Node n) { return n != 0 && removed_[n - 1]; };
    return gone(entry.first.first) || gone(entry.first.second);
  });
}

/// The one that saves most edges; none if all have loops or would cost edges.
std::optional<PredicateId> Graph::next_to_resolve() const {
  std::vector<std::size_t> in(count_, 0);
  std::vector<std::size_t> out(count_, 0);
  for (const auto& [ends, edge] : edges_) {
    if (ends.first != 0) ++out[ends.first - 1];
    if (ends.second != 0) ++in[ends.second - 1];
  }
  std::optional<PredicateId> best;
  std::size_t most = 0;
  for (PredicateId p = 0; p < count_; ++p) {
    if (removed_[p] || edges_.contains({p + 1, p + 1})) continue;
    std::size_t before = in[p] + out[p];
    if (in[p] * out[p] > before) continue;
    std::size_t saved = before - in[p] * out[p] + 1;
    if (saved <= most) continue;
    most = saved;
    best = p;
  }
  return best;
}

void Graph::resolve_away(PredicateId predicate) {
  std::vector<Edge> in;
  std::vector<Edge> out;
  for (const auto& [ends, edge] : edges_) {
    if (ends.second == predicate + 1) in.push_back(edge);
    if (ends.first == predicate + 1) out.push_back(edge);
  }
  // A predicate that implies false must be false; saying so needs no quantifier.
  bool is_error = std::ranges::any_of(
      out, [&](const Edge& edge) { return !edge.to && t_.is_true(edge.step.guard); });
  if (!is_error)
    for (const Edge& edge : in) rules_[predicate].push_back(rule_of(edge));
  std::erase_if(edges_, [&](const auto& entry) {
    return entry.first.first == predicate + 1 || entry.first.second == predicate + 1;
  });
  removed_[predicate] = true;
  for (const Edge& first : in)
    for (const Edge& second : out) add(maker_.compose(first, second));
}

HornRule Graph::rule_of(const Edge& in) {
  Assignment step = maker_.opened(in);
  HornRule rule{in.from, {}, step.guard};
  TermMap map;
  if (in.from)
    for (Term param : maker_.frame_of(*in.from).params)
      rule.args.push_back(map[param] = t_.fresh("v", t_.sort(param)));
  const std::vector<Term>& params = maker_.frame_of(*in.to).params;
  std::vector<Term> parts{step.guard};
  for (std::size_t j = 0; j < params.size(); ++j)
    parts.push_back(t_.make_eq(params[j], step.next[j]));
  // `from` and `to` may be the same predicate only in a loop, which is never resolved.
  rule.formula = substitute(t_, t_.make_and(parts), map);
  std::unordered_map<Term, bool> fixed;
  for (Term param : params) fixed[param] = true;
  eliminate_locals(
      t_, [&](Term variable) { return !fixed.contains(variable); }, rule.formula, rule.args);
  return rule;
}

}  // namespace

std::optional<Reduced> reduce(const HornSystem& system) {
  auto linear = Linearizer(system).run();
  if (!linear) return {};
  return Graph(system, *linear).run();
}

}  // namespace lem::chc
