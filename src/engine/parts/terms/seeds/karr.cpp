#include "engine/parts/terms/seeds/karr.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <map>
#include <optional>
#include <set>

#include "engine/parts/terms/seeds/affine.h"
#include "smt/solvers.h"

namespace lem::engine {

namespace {

using Clock = std::chrono::steady_clock;
using Key = std::vector<Term>;  // values of the Bool states

/// How often a chain gives way at a location before it is given up: variables that count through
/// all thresholds would keep everything else waiting.
constexpr std::uint32_t kPatience = 8;

class Karr {
 public:
  Karr(TermSystem& system, std::span<const Chain> chains, const KarrLimits& limits,
       const Context& ctx)
      : system_(system),
        terms_(system.terms()),
        chains_(chains),
        limits_(limits),
        ctx_(ctx),
        end_(Clock::now() + std::chrono::milliseconds(limits.milliseconds)),
        start_(make_solver(system.init())),
        step_(make_solver(system.trans())) {
    std::map<Sort, std::vector<std::size_t>> by_sort;
    for (std::size_t i = 0; i < system.current().size(); ++i) {
      Sort sort = terms_.sort(system.current()[i]);
      if (terms_.kind(sort) == SortKind::Bool) bools_.push_back(i);
      if (terms_.is_numeric(sort) || terms_.kind(sort) == SortKind::BitVec)
        by_sort[sort].push_back(i);
    }
    for (auto& [sort, members] : by_sort) spaces_.push_back({std::move(members), {}});
    for (Space& space : spaces_)
      for (std::size_t i : space.members) space.variables.push_back(system.current()[i]);
  }

  KarrAnalysis run() {
    KarrAnalysis result;
    if (spaces_.empty() && chains_.empty()) return result;
    result.complete = fixpoint();
    if (too_many_) {
      bools_.clear();
      found_.clear();
      order_.clear();
      work_.clear();
      result.complete = fixpoint();
    }
    ctx_.stats.counter("karr.queries") += queries_;
    ctx_.stats.counter("karr.locations") += found_.size();
    for (auto& [key, location] : found_) {
      std::vector<Term> formulas = formulas_of(location);
      result.locations.push_back(
          {location.where, std::move(location.equations), std::move(formulas)});
    }
    return result;
  }

 private:
  struct Space {  // variables of one sort
    std::vector<std::size_t> members;
    std::vector<Term> variables;
  };
  struct Location {
    std::size_t number = 0;
    Term where;
    std::vector<std::vector<AffinePoint>> points;  // by space, affinely independent
    std::vector<Term> equations;
    struct Bound {
      std::size_t at = 0;       // which formula of its chain holds; its end: none
      std::uint32_t given = 0;  // how often it gave way
    };
    std::vector<Bound> strongest;  // by chain
    bool anything = false;         // nothing is claimed but where it is
    std::set<Key> successors;      // as far as known
  };

  std::unique_ptr<smt::SmtSolver> make_solver(Term formula) {
    // Models should be far from each other. Our own solver keeps values from query to query: it
    // needs twice as many, and the numbers in its equations grow.
    const auto chosen = ctx_.options.get<smt::SolverChoice>("smt.solver");
    const bool open = chosen == smt::SolverChoice::Auto;
    std::unique_ptr<smt::SmtSolver> solver =
        smt::Solvers(open ? smt::SolverChoice::Z3 : chosen, ctx_.stop)
            .make(terms_, smt::Workload::Stream);
    solver->add(formula);
    solver->limit_work(limits_.work);
    solver->limit_time(limits_.milliseconds);
    return solver;
  }

  /// ensure: false if a limit was met
  bool fixpoint() {
    too_many_ = false;
    while (std::optional<Key> key = initial_outside()) take_in(*key, *start_, system_.current());
    while (!work_.empty() && !too_many_ && !gave_up_) {
      Location& location = *order_[*work_.begin()];
      work_.erase(work_.begin());
      for (std::set<Key> known = location.successors; const Key& to : known) follow(location, to);
      while (std::optional<Key> to = elsewhere(location)) {
        location.successors.insert(*to);
        take_in(*to, *step_, system_.next());
        follow(location, *to);
      }
    }
    return !too_many_ && !gave_up_;
  }

  /// The location of an initial state that is not described yet, which is the solver's model.
  std::optional<Key> initial_outside() {
    std::vector<Term> known;
    for (const auto& [key, location] : found_) known.push_back(described(location));
    smt::Scope scope(*start_);
    start_->add(terms_.make_not(terms_.make_or(known)));
    if (solve(*start_) != smt::Answer::Sat) return {};
    return key_of(*start_, system_.current());
  }

  /// Takes in where steps between two locations leave what is described of the second. What is
  /// described is asserted anew each time: assumed by labels a query is three times as fast, but
  /// models stay close to the last one and four to seven times as many are needed.
  void follow(const Location& from, const Key& to) {
    for (Location& target = found_.at(to); !target.anything && !too_many_ && !gave_up_;) {
      smt::Scope scope(*step_);
      step_->add(described(from));
      step_->add(system_.prime(target.where));
      step_->add(system_.prime(terms_.make_not(described(target))));
      smt::Answer answer = solve(*step_, OnUnknown::GoOn);
      if (answer == smt::Answer::Unsat) return;
      if (answer == smt::Answer::Sat) {
        take_in(to, *step_, system_.next());
      } else {
        forget(target);
        work_.insert(target.number);
      }
    }
  }

  /// A location that steps lead to and that is not known as a successor.
  std::optional<Key> elsewhere(const Location& from) {
    if (too_many_ || gave_up_) return {};
    smt::Scope scope(*step_);
    step_->add(described(from));
    for (const Key& key : from.successors)
      step_->add(terms_.make_not(system_.prime(found_.at(key).where)));
    if (solve(*step_) != smt::Answer::Sat) return {};
    return key_of(*step_, system_.next());
  }

  enum class OnUnknown : std::uint8_t { GiveUp, GoOn };
  smt::Answer solve(smt::SmtSolver& solver, OnUnknown on_unknown = OnUnknown::GiveUp) {
    bool late = Clock::now() > end_;
    if (ctx_.stopped() || late || ++queries_ > limits_.queries) gave_up_ = true;
    if (gave_up_) return smt::Answer::Unknown;
    smt::Answer answer = solver.solve();
    if (answer == smt::Answer::Unknown && on_unknown == OnUnknown::GiveUp) gave_up_ = true;
    return answer;
  }

  Key key_of(smt::SmtSolver& solver, std::span<const Term> variables) {
    Key key;
    for (std::size_t i : bools_) key.push_back(solver.value(variables[i]));
    return key;
  }

  std::vector<Term> formulas_of(const Location& location) const {
    std::vector<Term> result;
    for (std::size_t i = 0; i < location.strongest.size(); ++i)
      if (location.strongest[i].at < chains_[i].size())
        result.push_back(chains_[i][location.strongest[i].at]);
    return result;
  }

  Term described(const Location& location) {
    std::vector<Term> parts = formulas_of(location);
    parts.insert(parts.end(), location.equations.begin(), location.equations.end());
    parts.push_back(location.where);
    return terms_.make_and(parts);
  }

  /// Describes a state of the solver's model, too.
  void take_in(const Key& key, smt::SmtSolver& solver, std::span<const Term> variables) {
    std::vector<Term> state;
    for (Term variable : variables) state.push_back(solver.value(variable));
    auto [at, added] = found_.try_emplace(key);
    Location& location = at->second;
    if (added) start(location, key);
    work_.insert(location.number);
    if (location.anything) return;
    weaken(location, state);
    location.equations.clear();
    for (std::size_t s = 0; s < spaces_.size(); ++s) {
      AffinePoint point;
      for (std::size_t i : spaces_[s].members) point.push_back(affine_coordinate(terms_, state[i]));
      join(location.points[s], std::move(point));
      for (const AffineEquation& equation : affine_hull(location.points[s], 0))
        if (auto sides = affine_sides(terms_, spaces_[s].variables, equation))
          location.equations.push_back(terms_.make_eq(sides->first, sides->second));
    }
  }

  void start(Location& location, const Key& key) {
    std::vector<Term> where;
    for (std::size_t i = 0; i < bools_.size(); ++i)
      where.push_back(terms_.make_eq(system_.current()[bools_[i]], key[i]));
    location.where = terms_.make_and(where);
    location.number = order_.size();
    order_.push_back(&location);
    location.points.resize(spaces_.size());
    location.strongest.resize(chains_.size());
    too_many_ = found_.size() > limits_.locations;
  }

  /// To formulas that hold in the state.
  void weaken(Location& location, const std::vector<Term>& state) {
    TermMap model;
    for (std::size_t i = 0; i < state.size(); ++i) model[system_.current()[i]] = state[i];
    Substitution values(terms_, std::move(model));
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      const Chain& chain = chains_[i];
      Location::Bound& bound = location.strongest[i];
      std::size_t before = bound.at;
      while (bound.at < chain.size() && !terms_.is_true(values.apply(chain[bound.at]))) ++bound.at;
      if (bound.at != before && ++bound.given > kPatience) bound.at = chain.size();
    }
  }

  void forget(Location& location) {
    location.anything = true;
    location.equations.clear();
    location.strongest.clear();
  }

  /// Adds the point unless the hull has it.
  static void join(std::vector<AffinePoint>& points, AffinePoint point) {
    std::vector<AffineEquation> equations = affine_hull(points, 0);
    bool inside = !points.empty() &&
                  std::all_of(equations.begin(), equations.end(),
                              [&](const AffineEquation& each) { return each.holds_at(point); });
    if (!inside) points.push_back(std::move(point));
  }

  TermSystem& system_;
  TermStore& terms_;
  std::span<const Chain> chains_;
  const KarrLimits& limits_;
  const Context& ctx_;
  Clock::time_point end_;
  std::unique_ptr<smt::SmtSolver> start_, step_;
  std::vector<std::size_t> bools_;  // indices of current variables
  std::vector<Space> spaces_;
  std::map<Key, Location> found_;
  std::vector<Location*> order_;  // in order of discovery
  std::set<std::size_t> work_;    // numbers of locations; what flows from the first settles first
  std::size_t queries_ = 0;
  bool gave_up_ = false;
  bool too_many_ = false;  // locations
};

/// Formulas that imply all of them under what the solver knows, fewer if it can tell in time.
std::vector<Term> independent(TermStore& terms, smt::SmtSolver& solver,
                              const std::vector<Term>& formulas, Clock::time_point end) {
  std::vector<Term> labels, denied;
  for (Term formula : formulas) {
    labels.push_back(terms.fresh("holds", terms.bool_sort()));
    denied.push_back(terms.fresh("fails", terms.bool_sort()));
    solver.add(terms.make_implies(labels.back(), formula));
    solver.add(terms.make_implies(denied.back(), terms.make_not(formula)));
  }
  std::vector<Term> kept = formulas;
  for (std::size_t i = formulas.size(); i-- > 0 && Clock::now() < end;) {
    std::vector<Term> others = labels;
    others[i] = denied[i];
    if (solver.solve(others) != smt::Answer::Unsat) continue;
    labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return kept;
}

}  // namespace

KarrAnalysis karr(TermSystem& system, std::span<const Chain> chains, const KarrLimits& limits,
                  const Context& ctx) {
  return Karr(system, chains, limits, ctx).run();
}

std::vector<Term> invariants(TermSystem& system, const KarrAnalysis& analysis,
                             std::uint32_t milliseconds, const Context& ctx) {
  TermStore& terms = system.terms();
  Clock::time_point end = Clock::now() + std::chrono::milliseconds(milliseconds);
  std::unique_ptr<smt::SmtSolver> solver = smt::Solvers(ctx).make(terms, smt::Workload::Stream);
  std::vector<Term> found, places;
  for (const KarrAnalysis::Location& location : analysis.locations) {
    places.push_back(location.where);
    smt::Scope scope(*solver);
    for (Term equation : location.equations) solver->add(equation);
    std::vector<Term> kept = independent(terms, *solver, location.formulas, end);
    kept.insert(kept.end(), location.equations.begin(), location.equations.end());
    for (Term formula : kept) found.push_back(terms.make_implies(location.where, formula));
  }
  found.push_back(terms.make_or(places));
  return found;
}

}  // namespace lem::engine
