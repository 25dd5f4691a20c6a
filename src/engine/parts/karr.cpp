#include "engine/parts/karr.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <optional>

#include "engine/parts/affine.h"
#include "smt/smt_solver.h"

namespace lem {

namespace {

using Key = std::vector<Term>;  // values of the Bool states

class Karr {
 public:
  Karr(TermSystem& system, const KarrLimits& limits, const Context& ctx)
      : system_(system),
        terms_(system.terms()),
        limits_(limits),
        ctx_(ctx),
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
    if (spaces_.empty()) return result;
    result.complete = fixpoint();
    if (too_many_) {
      bools_.clear();
      found_.clear();
      work_.clear();
      result.complete = fixpoint();
    }
    for (auto& [key, location] : found_)
      result.locations.push_back({location.where, std::move(location.equations)});
    return result;
  }

 private:
  struct Space {  // variables of one sort
    std::vector<std::size_t> members;
    std::vector<Term> variables;
  };
  struct Location {
    Term where;
    std::vector<std::vector<AffinePoint>> points;  // by space, affinely independent
    std::vector<Term> equations;
  };

  std::unique_ptr<smt::SmtSolver> make_solver(Term formula) {
    std::unique_ptr<smt::SmtSolver> solver = smt::make_z3(terms_, smt::Workload::Stream, ctx_.stop);
    solver->add(formula);
    solver->limit_work(limits_.work);
    return solver;
  }

  /// ensure: false if a limit was met
  bool fixpoint() {
    too_many_ = false;
    while (std::optional<bool> added = absorb(*start_, Term(), system_.current()))
      if (!*added) break;
    if (gave_up_) return false;
    while (!work_.empty() && !too_many_) {
      Key key = work_.front();
      work_.pop_front();
      std::optional<bool> added = absorb(*step_, described(found_.at(key)), system_.next());
      if (!added) return false;
      if (!*added) continue;
      work_.push_front(key);  // until no step from here leaves what is described
    }
    return !too_many_;
  }

  /// Looks for a state that is not described yet and takes it in. Nothing: gave up.
  std::optional<bool> absorb(smt::SmtSolver& solver, Term from, std::span<const Term> to) {
    if (ctx_.stopped() || ++queries_ > limits_.queries) return give_up();
    std::vector<Term> known;
    for (const auto& [key, location] : found_) known.push_back(described(location));
    Term outside = terms_.make_not(terms_.make_or(known));
    bool stepping = to.data() == system_.next().data();
    smt::Scope scope(solver);
    if (from) solver.add(from);
    solver.add(stepping ? system_.prime(outside) : outside);
    switch (solver.solve()) {
      case smt::Answer::Unsat:
        return false;
      case smt::Answer::Unknown:
        return give_up();
      case smt::Answer::Sat:
        break;
    }
    std::vector<Term> state;
    for (Term variable : to) state.push_back(solver.value(variable));
    take_in(state);
    return true;
  }
  std::optional<bool> give_up() {
    gave_up_ = true;
    return {};
  }

  Term described(const Location& location) {
    return terms_.make_and(location.where, terms_.make_and(location.equations));
  }

  void take_in(const std::vector<Term>& state) {
    Key key;
    std::vector<Term> where;
    for (std::size_t i : bools_) {
      key.push_back(state[i]);
      where.push_back(terms_.make_eq(system_.current()[i], state[i]));
    }
    auto [at, added] = found_.try_emplace(key);
    Location& location = at->second;
    if (added) {
      location.where = terms_.make_and(where);
      location.points.resize(spaces_.size());
      too_many_ = found_.size() > limits_.locations;
    }
    location.equations.clear();
    for (std::size_t s = 0; s < spaces_.size(); ++s) {
      AffinePoint point;
      for (std::size_t i : spaces_[s].members) point.push_back(affine_coordinate(terms_, state[i]));
      join(location.points[s], std::move(point));
      for (const AffineEquation& equation : affine_hull(location.points[s], 0))
        if (auto sides = affine_sides(terms_, spaces_[s].variables, equation))
          location.equations.push_back(terms_.make_eq(sides->first, sides->second));
    }
    if (std::find(work_.begin(), work_.end(), key) == work_.end()) work_.push_back(key);
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
  const KarrLimits& limits_;
  const Context& ctx_;
  std::unique_ptr<smt::SmtSolver> start_, step_;
  std::vector<std::size_t> bools_;  // indices of current variables
  std::vector<Space> spaces_;
  std::map<Key, Location> found_;
  std::deque<Key> work_;
  std::size_t queries_ = 0;
  bool gave_up_ = false;
  bool too_many_ = false;  // locations
};

}  // namespace

KarrAnalysis karr(TermSystem& system, const KarrLimits& limits, const Context& ctx) {
  return Karr(system, limits, ctx).run();
}

}  // namespace lem
