// The graph of predicates as a transition system: one state for each place of an argument, and the
// location in binary.
#include "frontend/chc/chc.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/chc/horn.h"
#include "frontend/chc/reduce.h"
#include "term/traverse.h"

namespace lem::chc {

namespace {

/// Where the first query is.
SourcePos query_place(const HornSystem& system) {
  auto query = std::ranges::find_if(system.clauses, [](const Clause& one) { return !one.head; });
  return query == system.clauses.end() ? SourcePos{} : query->at;
}

class Encoder {
 public:
  Encoder(const HornSystem& horn, Reduced graph)
      : horn_(horn), t_(*horn.terms), graph_(std::move(graph)), builder_(horn.terms) {}

  Result<Problem> run(const std::string& path) {
    make_locations();
    make_states();
    encode_init();
    encode_trans();
    Term bad = encode_query();
    for (Term input : inputs_) builder_.add_input(input);
    auto system = std::move(builder_).freeze();
    if (!system) return Error{{path, 0, 0}, system.error().message, ErrorKind::Internal};
    Problem problem{
        std::move(*system), {{"query", bad, "query", Goal::Avoid, query_place(horn_)}}, {}};
    problem.source.file = path;
    problem.source.format = "chc";
    problem.source.predicates = predicates();
    return problem;
  }

 private:
  void make_locations();
  void make_states();
  std::string state_name(const std::string& wanted, PredicateId predicate, std::size_t arg);
  void add_place(const std::string& name, Sort sort);
  void encode_init();
  void encode_trans();
  Term encode_query();
  std::vector<HornPredicate> predicates() const;

  /// Values of the location bits.
  std::vector<Term> code(std::size_t location) const {
    std::vector<Term> bits;
    for (std::size_t i = 0; i < bits_; ++i) bits.push_back(t_.boolean(((location >> i) & 1) != 0));
    return bits;
  }
  /// Control is at that predicate (without one: at the start).
  Term at(std::optional<PredicateId> predicate) const {
    std::vector<Term> bits;
    std::size_t location = predicate ? location_.at(*predicate) : 0;
    for (std::size_t i = 0; i < bits_; ++i)
      bits.push_back(((location >> i) & 1) != 0 ? frame_.params[i] : t_.make_not(frame_.params[i]));
    return t_.make_and(bits);
  }
  Assignment over_states(const Edge& edge) const;
  void separate(Assignment& fact) const;
  Assignment with_inputs(const Assignment& step);

  const HornSystem& horn_;
  TermStore& t_;
  Reduced graph_;
  TransitionSystemBuilder builder_;
  bool start_ = false;  // location 0 is before the first predicate
  std::size_t bits_ = 0;
  std::map<PredicateId, std::size_t> location_;
  std::map<PredicateId, std::vector<std::size_t>> places_;  // of the arguments
  Frame frame_;  // places of the system: location bits, then arguments
  std::set<std::string> names_;
  std::vector<Term> inputs_;
  std::map<Sort, std::vector<Term>> inputs_by_sort_;
};

/// Facts with locals, and queries without a predicate, need a step of their own: there is no state
/// yet that could hold the values of their locals.
void Encoder::make_locations() {
  for (const Edge& edge : graph_.edges) {
    if (edge.from) continue;
    Frame frame = graph_.maker.frame(edge.from, edge.to);
    start_ = start_ || !edge.to || !locals_of(t_, frame, edge.step).empty();
  }
  std::size_t count = start_ ? 1 : 0;
  for (PredicateId predicate : graph_.kept) location_[predicate] = count++;
  while ((std::size_t{1} << bits_) < count) ++bits_;
}

std::string Encoder::state_name(const std::string& wanted, PredicateId predicate, std::size_t arg) {
  std::string name = wanted;
  if (name.empty() || names_.contains(name))
    name = horn_.predicates[predicate].name + "_" + std::to_string(arg);
  while (names_.contains(name)) name += "_";
  return name;
}

void Encoder::add_place(const std::string& name, Sort sort) {
  names_.insert(name);
  Term state = t_.variable(name, sort);
  Term next = t_.fresh(name + "'", sort);
  builder_.add_state(state, next);
  frame_.params.push_back(state);
  frame_.posts.push_back(next);
}

/// Predicates share places: the k-th argument of a sort has the k-th place of that sort.
void Encoder::make_states() {
  for (std::size_t i = 0; i < bits_; ++i) add_place("loc!" + std::to_string(i), t_.bool_sort());
  std::map<Sort, std::vector<std::size_t>> by_sort;
  for (PredicateId predicate : graph_.kept) {
    const Predicate& info = horn_.predicates[predicate];
    std::map<Sort, std::size_t> used;
    for (std::size_t i = 0; i < info.sorts.size(); ++i) {
      std::vector<std::size_t>& places = by_sort[info.sorts[i]];
      std::size_t rank = used[info.sorts[i]]++;
      if (rank == places.size()) {
        places.push_back(frame_.params.size());
        add_place(state_name(info.arg_names[i], predicate, i), info.sorts[i]);
      }
      places_[predicate].push_back(places[rank]);
    }
  }
}

/// The edge with states for parameters and a value for every place.
Assignment Encoder::over_states(const Edge& edge) const {
  Assignment result;
  TermMap map;
  if (edge.from) {
    const std::vector<Term>& params = graph_.maker.frame_of(*edge.from).params;
    for (std::size_t i = 0; i < params.size(); ++i)
      map[params[i]] = frame_.params[places_.at(*edge.from)[i]];
  }
  if (edge.to) {
    const std::vector<Term>& posts = graph_.maker.frame_of(*edge.to).posts;
    for (std::size_t j = 0; j < posts.size(); ++j)
      map[posts[j]] = frame_.posts[places_.at(*edge.to)[j]];
  }
  // A local may bear the name of a state.
  for (Term local : locals_of(t_, graph_.maker.frame(edge.from, edge.to), edge.step))
    map[local] = t_.fresh("v", t_.sort(local));
  Substitution substitution(t_, map);
  result.guard = substitution.apply(edge.step.guard);
  if (!edge.to) return result;
  result.next = code(location_.at(*edge.to));
  for (std::size_t i = bits_; i < frame_.params.size(); ++i)  // places the target does not use
    result.next.push_back(t_.default_value(t_.sort(frame_.params[i])));
  for (std::size_t j = 0; j < edge.step.next.size(); ++j)
    result.next[places_.at(*edge.to)[j]] = substitution.apply(edge.step.next[j]);
  return result;
}

void Encoder::encode_init() {
  if (start_) {
    std::vector<Term> bits = code(0);
    for (std::size_t i = 0; i < frame_.params.size(); ++i)
      builder_.set_init(frame_.params[i],
                        i < bits_ ? bits[i] : t_.default_value(t_.sort(frame_.params[i])));
    return;
  }
  TermMap to_current;
  for (std::size_t i = 0; i < frame_.params.size(); ++i)
    to_current[frame_.posts[i]] = frame_.params[i];
  std::vector<Assignment> facts;
  for (const Edge& edge : graph_.edges)
    if (!edge.from) facts.push_back(over_states(edge));
  std::vector<Term> choices;
  for (const Assignment& fact : facts) {
    std::vector<Term> parts{substitute(t_, fact.guard, to_current)};
    for (std::size_t i = 0; i < fact.next.size(); ++i) {
      Term value = substitute(t_, fact.next[i], to_current);
      if (facts.size() == 1 && t_.is_value(value))
        builder_.set_init(frame_.params[i], value);
      else
        parts.push_back(t_.make_eq(frame_.params[i], value));
    }
    choices.push_back(t_.make_and(parts));
  }
  builder_.add_init(t_.make_or(choices));
}

/// Locals are inputs, shared by all steps and queries.
Assignment Encoder::with_inputs(const Assignment& step) {
  std::map<Sort, std::size_t> used;
  TermMap map;
  for (Term local : locals_of(t_, frame_, step)) {
    Sort sort = t_.sort(local);
    std::vector<Term>& pool = inputs_by_sort_[sort];
    std::size_t rank = used[sort]++;
    if (rank == pool.size()) {
      std::string name = "in" + std::to_string(inputs_.size());
      while (names_.contains(name)) name += "_";
      pool.push_back(t_.variable(name, sort));
      inputs_.push_back(pool.back());
    }
    map[local] = pool[rank];
  }
  Substitution substitution(t_, map);
  Assignment result{substitution.apply(step.guard), {}};
  for (Term value : step.next) result.next.push_back(substitution.apply(value));
  return result;
}

/// A fact as a step: the guard defines what depends on posts.
void Encoder::separate(Assignment& fact) const {
  for (std::size_t i = 0; i < fact.next.size(); ++i) {
    std::vector<Term> variables = variables_of(t_, fact.next[i]);
    bool on_posts = std::ranges::any_of(variables, [&](Term variable) {
      return std::ranges::find(frame_.posts, variable) != frame_.posts.end();
    });
    if (!on_posts || fact.next[i] == frame_.posts[i]) continue;
    fact.guard = t_.make_and(fact.guard, t_.make_eq(frame_.posts[i], fact.next[i]));
    fact.next[i] = frame_.posts[i];
  }
}

void Encoder::encode_trans() {
  std::vector<Assignment> steps;
  for (const Edge& edge : graph_.edges) {
    if (!edge.to || (!edge.from && !start_)) continue;
    steps.push_back(over_states(edge));
    if (!edge.from) separate(steps.back());
    steps.back().guard = t_.make_and(at(edge.from), steps.back().guard);
  }
  if (steps.empty()) return builder_.add_trans(t_.boolean(false));
  Assignment all = with_inputs(merge_all(t_, frame_, std::move(steps)));
  builder_.add_trans(all.guard);
  for (std::size_t i = 0; i < all.next.size(); ++i)
    if (all.next[i] != frame_.posts[i]) builder_.set_update(frame_.params[i], all.next[i]);
}

Term Encoder::encode_query() {
  std::vector<Term> queries;
  for (const Edge& edge : graph_.edges)
    if (!edge.to)
      queries.push_back(t_.make_and(at(edge.from), with_inputs(over_states(edge)).guard));
  return t_.make_or(queries);
}

std::vector<HornPredicate> Encoder::predicates() const {
  std::vector<HornPredicate> result;
  for (PredicateId p = 0; p < horn_.predicates.size(); ++p) {
    HornPredicate predicate{horn_.predicates[p].name, {}, {}, {}};
    if (location_.contains(p)) {
      predicate.guard = at(p);
      if (auto places = places_.find(p); places != places_.end())
        for (std::size_t place : places->second) predicate.params.push_back(frame_.params[place]);
    } else {
      predicate.params = graph_.maker.frame_of(p).params;
      predicate.rules = graph_.rules[p];
    }
    result.push_back(std::move(predicate));
  }
  return result;
}

}  // namespace

Result<Problem> read_chc(const std::string& path, std::string_view bytes) {
  auto document = smtlib::read_document(path, bytes);
  if (!document) return document.error();
  auto horn = parse_horn(*document);
  if (!horn) return horn.error();
  if (!horn->asserted)
    return Error{{path, 0, 0}, "nothing to check (it would need a clause)", ErrorKind::Usage};
  const HornSystem& system = horn->system;
  std::optional<Reduced> graph = reduce(system);
  if (graph) return Encoder(system, *std::move(graph)).run(path);
  Problem problem{system, {{"query", NoQuery{}, "query", Goal::Avoid, query_place(system)}}, {}};
  problem.source.file = path;
  problem.source.format = "chc";
  return problem;
}

}  // namespace lem::chc
