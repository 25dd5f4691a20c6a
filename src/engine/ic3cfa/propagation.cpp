// Propagation of lemmas [Lange18 4.4]. Formula 4.18 as corrected in docs/errata.md: a lemma moves
// to a location when all edges into it allow, not one alone.
//
//   same            to the next level of the lemma's own location, which serves termination
//   edges           along an edge: copies to the next level of successor locations
//   postconditions  strongest postconditions along an edge, valid without a query when no other
//                   edge leads there; only where they are clauses again: what the edge leaves
//                   alone, and x := x + k, which can be undone
//   merged          one frame for each level, of lemmas at sets of locations: a lemma of any
//                   location is tried at all of them
#include <cassert>

#include "base/assert.h"
#include "engine/ic3cfa/search.h"
#include "term/traverse.h"

namespace lem::engine {

/// ensure: at every location a frame that is part of an inductive invariant, if there are such
std::optional<Ic3cfaSearch::Claims> Ic3cfaSearch::propagate() {
  TimerScope timer(stats_.propagate);
  for (Level level{1}; level < frames_.top() && !stopped(); ++level) {
    if (config_.propagate != Ic3cfaConfig::Propagate::Off) propagate_from(level);
    if (fixpoint(level) && !stopped()) return Claims(cfa_.locations().size(), next(level));
  }
  if (config_.coverage && !stopped()) return covered();
  return {};
}

/// Termination as in TreeIC3, where a node that claims no less covers: levels may differ from
/// location to location and grow along edges, as long as around every loop some location has the
/// same frame at the level that arrives as at a level before. The least such levels are looked for;
/// no query is needed.
std::optional<Ic3cfaSearch::Claims> Ic3cfaSearch::covered() {
  Claims claims(cfa_.locations().size());
  claims[index(cfa_.initial())] = Level{0};
  std::vector<LocationId> changed{cfa_.initial()};
  while (!changed.empty()) {
    LocationId from = changed.back();
    changed.pop_back();
    assert(claims[index(from)] && "what changed has a claim");
    Level after = next(*claims[index(from)]);
    if (after > frames_.top()) return {};  // F_top may still lead to the error location
    for (EdgeId edge : cfa_.out(from)) {
      LocationId to = cfa_[edge].to;
      if (to == cfa_.error() || to == cfa_.initial()) continue;
      Level wanted = frames_.at(to).first_equal(after);
      std::optional<Level>& claim = claims[index(to)];
      if (claim && *claim >= wanted) continue;
      claim = wanted;
      changed.push_back(to);
    }
  }
  ++stats_.covered;
  return claims;
}

/// Whether all frames equal those of the next level [Lange18 Lemma 4.1].
bool Ic3cfaSearch::fixpoint(Level level) const {
  for (std::uint32_t i = 0; i < cfa_.locations().size(); ++i)
    if (!frames_.at(LocationId{i}).at(level).empty()) return false;
  return true;
}

void Ic3cfaSearch::propagate_from(Level level) {
  assert(Level{0} < level && "F_0 has no lemmas");
  for (std::uint32_t i = 0; i < cfa_.locations().size(); ++i) {
    LocationId here{i};
    std::vector<Lemma> lemmas = frames_.at(here).at(level);  // a copy: pushing changes the list
    for (const Lemma& lemma : lemmas) {
      if (stopped()) return;
      if (frames_.at(here).subsuming(level, lemma.cube) == nullptr) continue;
      switch (config_.propagate) {
        case Ic3cfaConfig::Propagate::Off:
          break;
        case Ic3cfaConfig::Propagate::Same:
          push_lemma(here, level, lemma.cube);
          break;
        case Ic3cfaConfig::Propagate::Edges:
          copy_along_edges(here, level, lemma.cube);
          break;
        case Ic3cfaConfig::Propagate::Postconditions:
          push_postcondition(here, level, lemma.cube);
          break;
        case Ic3cfaConfig::Propagate::Merged:
          for (std::uint32_t j = 0; j < cfa_.locations().size(); ++j)
            push_lemma(LocationId{j}, level, lemma.cube);
          break;
      }
    }
  }
}

void Ic3cfaSearch::push_lemma(LocationId to, Level level, const Cube& cube) {
  assert(level < frames_.top() && "a lemma is pushed to a frame that exists");
  if (to == cfa_.initial() || to == cfa_.error()) return;
  if (frames_.at(to).blocked_at(next(level), cube)) return;
  auto reply = inductivity_.inductive_on_all_edges(level, to, cube.lits(), Need::Optional);
  if (!reply.inductive()) return;
  ++stats_.pushed;
  bool shrink = config_.core && config_.generalize != Ic3cfaConfig::Generalize::None;
  add_lemma(to, next(level), shrink ? Cube(std::move(reply.core)) : cube);
}

void Ic3cfaSearch::copy_along_edges(LocationId from, Level level, const Cube& cube) {
  for (EdgeId edge : cfa_.out(from)) push_lemma(cfa_[edge].to, level, cube);
}

void Ic3cfaSearch::push_postcondition(LocationId from, Level level, const Cube& cube) {
  assert(level < frames_.top() && "a lemma is pushed to a frame that exists");
  for (EdgeId edge : cfa_.out(from)) {
    LocationId to = cfa_[edge].to;
    if (to == cfa_.initial() || to == cfa_.error()) continue;
    for (StepId step : steps_.into(to)) {
      if (steps_[step].edge != edge) continue;
      std::optional<std::vector<Lit>> after = postcondition(step, cube);
      if (!after) continue;
      if (steps_.into(to).size() > 1) {
        push_lemma(to, level, Cube(*after));
      } else if (!frames_.at(to).blocked_at(next(level), Cube(*after))) {
        ++stats_.without_query;
        add_lemma(to, next(level), Cube(*after));
      }
    }
  }
}

/// The cube d with sp(cmd, !cube) => !d, literal by literal: each literal of the cube is undone by
/// the inverse of the step's effect on the variables it speaks of.
std::optional<std::vector<Lit>> Ic3cfaSearch::postcondition(StepId step, const Cube& cube) {
  std::vector<Lit> after;
  for (Lit lit : cube.lits()) {
    Term formula = literals_.formula(lit);
    TermMap inverse;
    for (Term variable : variables_of(terms_, formula)) {
      auto at = steps_[step].effect.find(variable);
      if (at == steps_[step].effect.end()) continue;
      SortKind kind = terms_.kind(variable);
      bool bits = kind == SortKind::BitVec;
      if (!bits && kind != SortKind::Int && kind != SortKind::Real) return {};
      Term change =
          bits ? terms_.make_bv_sub(at->second, variable) : terms_.make_sub(at->second, variable);
      if (!terms_.is_value(change)) return {};
      inverse[variable] =
          bits ? terms_.make_bv_sub(variable, change) : terms_.make_sub(variable, change);
    }
    Term undone = substitute(terms_, formula, inverse);
    if (!literals_.is_literal(undone)) return {};
    after.push_back(literals_.of(undone));
  }
  return after;
}

}  // namespace lem::engine
