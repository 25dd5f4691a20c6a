// Invariants of control-flow automata with loops that have none: these are unwound here, with code
// of its own. From each location with a claim, runs are executed symbolically, loop by loop, and
// one formula says that some run violates the next claim, or goes around a loop once more than it
// was unwound. The order of execution is that of model/cfa_components.h; nothing rests on it, since
// no state may be left over at the end. The formula is asked about in slices: of a path, the
// conditions that are connected with its last one (term/connected.h). What a part of the conditions
// excludes, all of them exclude; where a part does not, all are asked about.
#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/assert.h"
#include "check/cfa.h"
#include "check/question.h"
#include "model/cfa_components.h"
#include "term/connected.h"
#include "term/postorder.h"

namespace lem::check {

namespace {

/// Terms over the values of a state. Reads go through writes and choices to what was written.
class Evaluation {
 public:
  explicit Evaluation(TermStore& terms) : terms_(terms) {}

  Term operator()(Term root, const std::function<Term(Term)>& variable) {
    if (terms_.is_value(root)) return root;
    if (terms_.is_variable(root)) return variable(root);
    std::unordered_map<Term, Term> done;
    postorder(
        terms_, root, [&](Term term) { return done.contains(term); },
        [&](Term term) {
          done[term] = terms_.is_variable(term) ? variable(term) : make(term, done);
        });
    return done[root];
  }

 private:
  Term make(Term term, const std::unordered_map<Term, Term>& done) {
    if (terms_.is_value(term)) return term;
    std::vector<Term> args;
    for (Term arg : terms_.args(term)) args.push_back(done.at(arg));
    if (terms_.op(term) == Op::Select) return read(args[0], args[1]);
    if (terms_.op(term) == Op::ConstArray)
      return terms_.make_const_array(terms_.sort(term), args[0]);
    return terms_.make(terms_.op(term), args, terms_.param(term, 0), terms_.param(term, 1));
  }

  Term read(Term array, Term index) {
    while (terms_.op(array) == Op::Store && terms_.is_value(index) &&
           terms_.is_value(terms_.arg(array, 1)) && terms_.arg(array, 1) != index)
      array = terms_.arg(array, 0);
    if (terms_.op(array) != Op::Store && terms_.op(array) != Op::Ite)
      return terms_.make_select(array, index);
    auto [known, added] = read_.try_emplace({array, index});
    if (!added) return known->second;
    Term first = terms_.arg(array, 0), second = terms_.arg(array, 1), third = terms_.arg(array, 2);
    Term result;
    if (terms_.op(array) == Op::Ite) {
      result = terms_.make_ite(first, read(second, index), read(third, index));
    } else {
      Term same = terms_.make_eq(second, index);
      result = terms_.is_true(same) ? third : terms_.make_ite(same, third, read(first, index));
    }
    return read_[{array, index}] = result;
  }

  struct Hash {
    std::size_t operator()(const std::pair<Term, Term>& pair) const {
      return std::hash<Term>()(pair.first) * 31 + std::hash<Term>()(pair.second);
    }
  };
  TermStore& terms_;
  std::unordered_map<std::pair<Term, Term>, Term, Hash> read_;  // by array and index
};

/// Paths as lists of conditions that share their beginnings.
class PathLists {
 public:
  enum class Path : std::uint32_t { Empty = 0 };
  explicit PathLists(TermStore& terms) : terms_(terms) { clear(); }
  void clear() { nodes_.assign(1, {Path::Empty, {}, terms_.boolean(true), 0}); }

  Path extend(Path path, Term condition) {
    if (terms_.is_true(condition)) return path;
    Term whole = terms_.make_and(at(path).whole, condition);
    nodes_.push_back({path, condition, whole, at(path).depth + 1});
    return Path{static_cast<std::uint32_t>(nodes_.size() - 1)};
  }
  std::size_t length(Path path) const { return at(path).depth; }
  /// All conditions as one.
  Term whole(Path path) const { return at(path).whole; }
  std::vector<Term> conditions(Path start, Path path) const {
    std::vector<Term> all;
    for (; path != start; path = at(path).before) all.push_back(at(path).condition);
    std::reverse(all.begin(), all.end());
    return all;
  }
  Term after(Path start, Path path) const { return terms_.make_and(conditions(start, path)); }
  /// What both begin with.
  Path common(Path a, Path b) const {
    while (a != b) {
      Path& longer = at(a).depth >= at(b).depth ? a : b;
      longer = at(longer).before;
    }
    return a;
  }

 private:
  struct Node {
    Path before;
    Term condition, whole;
    std::size_t depth;
  };
  const Node& at(Path path) const { return nodes_[static_cast<std::uint32_t>(path)]; }

  TermStore& terms_;
  std::vector<Node> nodes_;
};
using Path = PathLists::Path;

class UnwindingCheck {
 public:
  UnwindingCheck(const Cfa& cfa, const LocationInvariants& claim, std::stop_token stop)
      : cfa_(cfa),
        terms_(cfa.terms()),
        claim_(claim),
        stop_(std::move(stop)),
        evaluate_(terms_),
        paths_(terms_),
        connected_(terms_),
        order_(components(cfa).order),
        pending_(cfa.locations().size()) {
    for (std::uint32_t i = 0; i < cfa.variables().size(); ++i) place_[cfa.variables()[i]] = i;
  }

  TermFinding check() {
    if (claim_.at.size() != cfa_.locations().size() ||
        claim_.rounds.size() != cfa_.locations().size())
      return {TermHolds::No, "a location is missing"};
    for (LocationId end : {cfa_.initial(), cfa_.error()})
      if (!at(end)) return {TermHolds::No, "a location is missing"};
    TermHolds everything = excludes(terms_.make_not(at(cfa_.initial())));
    if (everything != TermHolds::Yes) return {everything, "initiation"};
    TermHolds nothing = excludes(at(cfa_.error()));
    if (nothing != TermHolds::Yes) return {nothing, "safety"};
    find_relevant();
    set_bounds(order_);
    for (std::uint32_t i = 0; i < claim_.at.size(); ++i) {
      if (!claim_.at[i] || terms_.is_false(claim_.at[i])) continue;
      TermFinding kept = from(LocationId{i});
      if (kept.holds != TermHolds::Yes) return kept;
    }
    return {TermHolds::Yes};
  }

 private:
  struct State {
    std::vector<Term> values;  // by variable; those that do not matter have none
    Path path = Path::Empty;
  };

  Term at(LocationId id) const { return claim_.at[index(id)]; }
  TermHolds excludes(Term violation) {
    if (terms_.is_false(violation)) return TermHolds::Yes;
    if (terms_.is_true(violation)) return TermHolds::No;
    auto [known, added] = asked_.try_emplace(violation, TermHolds::Stopped);
    if (!added && known->second != TermHolds::Stopped) return known->second;
    if (!question_) question_.emplace(terms_, stop_);
    return known->second = question_->excludes(violation);
  }

  bool is_dead(Path path) const { return terms_.is_false(paths_.whole(path)); }
  std::vector<Term> conditions(Path path) const { return paths_.conditions(Path::Empty, path); }

  /// Whether no path can be taken.
  TermHolds excludes(const std::vector<Path>& paths) {
    for (Path path : paths)
      for (Term condition : conditions(path)) connected_.add(condition);
    std::map<Connected::Class, std::vector<Path>> parts;
    for (Path path : paths) {
      std::vector<Term> all = conditions(path);
      parts[all.empty() ? Connected::Class::None : connected_.of(all.back())].push_back(path);
    }
    // One answer ends it. The longest path first: where a run gets to an end of the program, that
    // is its path, and the questions about loops on the way need not be asked.
    std::vector<std::pair<Connected::Class, std::vector<Path>>> order(parts.begin(), parts.end());
    auto longest = [&](const auto& part) {
      std::size_t most = 0;
      for (Path path : part.second) most = std::max(most, paths_.length(path));
      return most;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return longest(a) > longest(b); });
    for (const auto& [part, some] : order) {
      std::vector<Term> slices, whole;
      for (Path path : some) {
        slices.push_back(terms_.make_and(connected_.among(conditions(path), part)));
        whole.push_back(paths_.whole(path));
      }
      Term sliced = terms_.make_or(slices), all = terms_.make_or(whole);
      TermHolds holds = excludes(sliced);
      constexpr std::size_t kFew = 16;
      if (holds != TermHolds::Yes && sliced != all)
        holds = some.size() <= kFew ? excludes_one_by_one(some) : excludes(all);
      if (holds != TermHolds::Yes) return holds;
    }
    return TermHolds::Yes;
  }

  TermHolds excludes_one_by_one(const std::vector<Path>& paths) {
    for (Path path : paths)
      if (TermHolds holds = excludes_by_class(path); holds != TermHolds::Yes) return holds;
    return TermHolds::Yes;
  }

  /// Conditions of different classes have nothing to do with each other: a path cannot be taken
  /// exactly if one of its classes excludes it.
  TermHolds excludes_by_class(Path path) {
    std::vector<Term> all = conditions(path);
    std::set<Connected::Class> classes;
    for (Term condition : all) classes.insert(connected_.of(condition));
    TermHolds result = TermHolds::No;
    for (Connected::Class one : classes) {
      TermHolds holds = excludes(terms_.make_and(connected_.among(all, one)));
      if (holds == TermHolds::Yes || holds == TermHolds::Stopped) return holds;
      if (holds == TermHolds::Undecided) result = holds;
    }
    return result;
  }

  /// Variables that a guard or a claim speaks of, or the value of such a variable.
  void find_relevant() {
    std::vector<Term> waiting;
    std::unordered_map<Term, std::vector<Term>> assigned;
    for (Term claim : claim_.at)
      if (claim) waiting.push_back(claim);
    std::function<void(const Command&)> look = [&](const Command& command) {
      if (command.kind() == Command::Kind::Assume) waiting.push_back(command.guard());
      if (command.kind() == Command::Kind::Assign)
        assigned[command.variable()].push_back(command.value());
      for (const Command& part : command.parts()) look(part);
    };
    for (const CfaEdge& edge : cfa_.edges()) look(edge.command);
    while (!waiting.empty()) {
      Term term = waiting.back();
      waiting.pop_back();
      for (Term variable : variables_of(terms_, term))
        if (relevant_.insert(variable).second)
          for (Term value : assigned[variable]) waiting.push_back(value);
    }
  }

  /// A loop is unwound as often as the hint at one of its locations says.
  std::uint32_t set_bounds(const std::vector<CfaElement>& elements) {
    std::uint32_t most = 0;
    for (const CfaElement& element : elements) {
      std::uint32_t here = claim_.rounds[index(element.head)];
      if (element.is_component) {
        here = std::max(here, set_bounds(element.body));
        bounds_[element.head] = here + 1;
      }
      most = std::max(most, here);
    }
    return most;
  }

  /// Checks that runs that start at the location in its claim satisfy the next claims.
  TermFinding from(LocationId start) {
    constexpr int kTries = 7;
    TermHolds holds = TermHolds::Undecided;
    for (int i = 0; i < kTries && !stop_.stop_requested(); ++i) {
      if (!unwind(start)) return {TermHolds::Stopped, {}};
      std::vector<Path> ends = violations_;
      for (const auto& [head, path] : unfinished_) ends.push_back(path);
      holds = excludes(ends);
      if (holds != TermHolds::No) break;
      TermHolds kept = unfinished_.empty() ? holds : excludes(violations_);
      if (kept != TermHolds::Yes)
        return {kept, "a claim that follows the one at " + cfa_[start].name};
      holds = TermHolds::Undecided;
      std::set<LocationId> heads;
      for (const auto& [head, path] : unfinished_)
        if (heads.insert(head).second) bounds_[head] *= 2;
    }
    if (stop_.stop_requested() && holds != TermHolds::Yes) return {TermHolds::Stopped, {}};
    return {holds, "the unwinding of the loops after " + cfa_[start].name};
  }

  /// False: stopped.
  bool unwind(LocationId start) {
    violations_.clear();
    unfinished_.clear();
    paths_.clear();
    State state;
    for (Term variable : cfa_.variables())
      state.values.push_back(relevant_.contains(variable) ? variable : Term());
    state.path = paths_.extend(Path::Empty, value(at(start), state));
    leave(start, std::move(state));
    run(order_);
    bool stopped = stop_.stop_requested();
    assert((waiting_ == 0 || stopped) && "every state is executed");
    if (waiting_ == 0) return !stopped;
    violations_.push_back(Path::Empty);  // nothing is shown
    for (std::vector<State>& left : pending_) left.clear();
    waiting_ = 0;
    return !stopped;
  }

  void run(const std::vector<CfaElement>& elements) {
    for (const CfaElement& element : elements) {
      if (waiting_ == 0 || stop_.stop_requested()) return;
      if (element.is_component)
        run_loop(element);
      else
        pass(element.head, nullptr);
    }
  }

  /// Rounds that leave no condition open are not counted, but for one of many.
  void run_loop(const CfaElement& loop) {
    constexpr std::uint64_t kMany = 10'000;
    std::vector<Term> before;
    std::uint32_t counted = 0;
    for (std::uint64_t round = 0; !stop_.stop_requested(); ++round) {
      std::uint64_t open = open_;
      pass(loop.head, &before);
      run(loop.body);
      std::vector<State>& back = pending_[index(loop.head)];
      if (back.empty()) return;
      if (open_ == open && round % kMany != kMany - 1) continue;
      if (++counted < bounds_[loop.head]) continue;
      for (const State& state : back) unfinished_.emplace_back(loop.head, state.path);
      waiting_ -= back.size();
      back.clear();
      return;
    }
  }

  /// States that meet here go on as one. `before`: the values at the last round of a loop; where
  /// they are the same again, whatever follows has followed then.
  void pass(LocationId here, std::vector<Term>* before) {
    std::vector<State> states = std::move(pending_[index(here)]);
    pending_[index(here)].clear();
    if (states.empty()) return;
    waiting_ -= states.size();
    State met = meet(std::move(states));
    if (before != nullptr) {
      if (met.values == *before) return;
      *before = met.values;
    }
    leave(here, std::move(met));
  }

  void leave(LocationId here, State state) {
    std::vector<State> ends;
    std::vector<LocationId> targets;
    for (EdgeId id : cfa_.out(here)) {
      bool last = id == cfa_.out(here).back();  // programs have many variables: not copied in vain
      State end{last ? std::move(state.values) : state.values, state.path};
      if (!execute(cfa_[id].command, end)) continue;
      ends.push_back(std::move(end));
      targets.push_back(cfa_[id].to);
    }
    separate(state.path, ends);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (is_dead(ends[i].path)) continue;
      Term claim = at(targets[i]);
      if (claim) {
        Term broken = terms_.make_not(value(claim, ends[i]));
        if (Path path = paths_.extend(ends[i].path, broken); !is_dead(path))
          violations_.push_back(path);
        continue;
      }
      pending_[index(targets[i])].push_back(std::move(ends[i]));
      ++waiting_;
    }
  }

  /// Conditions that can hold together are told apart by a choice, so that no value is lost where
  /// these states meet.   require: they come from `start`
  void separate(Path start, std::vector<State>& ends) {
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      Term here = paths_.after(start, ends[i].path);
      bool apart = true;
      for (std::size_t j = i + 1; apart && j < ends.size(); ++j)
        apart = terms_.is_false(terms_.make_and(here, paths_.after(start, ends[j].path)));
      if (apart) continue;
      ++open_;
      Term taken = terms_.fresh("taken", terms_.bool_sort());
      ends[i].path = paths_.extend(ends[i].path, taken);
      for (std::size_t j = i + 1; j < ends.size(); ++j)
        ends[j].path = paths_.extend(ends[j].path, terms_.make_not(taken));
    }
  }

  /// require: no two of their paths hold together
  State meet(std::vector<State> states) {
    State met = std::move(states.back());
    for (std::size_t i = states.size() - 1; i-- > 0;) {
      const State& other = states[i];
      Path start = paths_.common(other.path, met.path);
      Term first = paths_.after(start, other.path);
      Term second = paths_.after(start, met.path);
      for (std::size_t v = 0; v < met.values.size(); ++v)
        if (met.values[v] != other.values[v])
          met.values[v] = terms_.make_ite(first, other.values[v], met.values[v]);
      met.path = paths_.extend(start, terms_.make_or(first, second));
    }
    return met;
  }

  Term value(Term term, const State& state) {
    return evaluate_(term, [&](Term variable) {
      auto at = place_.find(variable);
      return at == place_.end() ? variable : state.values[at->second];
    });
  }

  /// False: nothing executes it from there.
  bool execute(const Command& command, State& state) {
    switch (command.kind()) {
      case Command::Kind::Assign:
      case Command::Kind::Havoc: {
        if (!relevant_.contains(command.variable())) return true;
        state.values[place_.at(command.variable())] =
            command.kind() == Command::Kind::Assign
                ? value(command.value(), state)
                : terms_.fresh("any", terms_.sort(command.variable()));
        return true;
      }
      case Command::Kind::Assume: {
        Term guard = value(command.guard(), state);
        if (!terms_.is_value(guard)) ++open_;
        state.path = paths_.extend(state.path, guard);
        return !is_dead(state.path);
      }
      case Command::Kind::Sequence:
        return std::all_of(command.parts().begin(), command.parts().end(),
                           [&](const Command& part) { return execute(part, state); });
      case Command::Kind::Choice: {
        std::vector<State> ends;
        for (const Command& part : command.parts()) {
          State end{state.values, state.path};
          if (execute(part, end)) ends.push_back(std::move(end));
        }
        if (ends.empty()) return false;
        separate(state.path, ends);
        state = meet(std::move(ends));
        return !is_dead(state.path);
      }
    }
    unreachable();
  }

  const Cfa& cfa_;
  TermStore& terms_;
  const LocationInvariants& claim_;
  std::stop_token stop_;
  Evaluation evaluate_;
  PathLists paths_;
  Connected connected_;
  std::unordered_map<Term, TermHolds> asked_;
  std::optional<Question> question_;  // one for all: there are hundreds, and most are small
  std::vector<CfaElement> order_;
  std::unordered_map<Term, std::uint32_t> place_;  // by variable: its index
  std::set<Term> relevant_;
  std::map<LocationId, std::uint32_t> bounds_;           // by head of a loop
  std::vector<std::vector<State>> pending_;              // by location
  std::size_t waiting_ = 0;                              // states that are pending
  std::uint64_t open_ = 0;                               // conditions that no value decided
  std::vector<Path> violations_;                         // of claims
  std::vector<std::pair<LocationId, Path>> unfinished_;  // loops that may go on, and when
};

}  // namespace

TermFinding check_unwinding(const Cfa& cfa, const LocationInvariants& claim, std::stop_token stop) {
  return UnwindingCheck(cfa, claim, std::move(stop)).check();
}

TermFinding check_unwinding(const Cfa& cfa, std::stop_token stop) {
  constexpr std::uint32_t kFirst = 8;
  std::size_t size = cfa.locations().size();
  LocationInvariants claim{std::vector<Term>(size), std::vector<std::uint32_t>(size, kFirst)};
  claim.at[index(cfa.initial())] = cfa.terms().boolean(true);
  claim.at[index(cfa.error())] = cfa.terms().boolean(false);
  return check_unwinding(cfa, claim, std::move(stop));
}

}  // namespace lem::check
