// The steps of concrete IC3 modulo theories [Cimatti14 2.2].
#include "engine/ic3smt/search.h"

#include <fmt/format.h>

#include <cassert>

#include "engine/parts/common/progress.h"
#include "engine/parts/terms/concretize.h"
#include "engine/parts/terms/inequalities.h"

namespace lem::engine {

Ic3smtSearch::Ic3smtSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      system_(problem),
      terms_(system_.terms()),
      frames_(system_, ctx, config_.frames),
      loop_(ctx, frames_, "ic3smt", config_.effort,
            {.around_model =
                 [this] {
                   Cube state = cube_of(frames_.predecessor());
                   return std::vector<Lit>(state.lits().begin(), state.lits().end());
                 },
             .weaken =
                 [this](Level level, std::vector<Lit> cube) {
                   if (config_.weaken != Weaken::Combine) return cube;
                   return combine(level, std::move(cube));
                 }}),
      combined_(ctx.stats.counter("ic3smt.combined")) {}

std::optional<Cube> Ic3smtSearch::violation() {
  std::optional<std::vector<Term>> violation = frames_.bad_in_top();
  if (!violation) return {};
  return cube_of(*violation);
}

/// After inductive() failed on the cube of `id`.
Outcome Ic3smtSearch::not_inductive(ObligationId id, Level level) {
  Cube cube = cube_of(frames_.predecessor());
  auto predecessor = loop_.obligations.make({std::move(cube), id, loop_.obligations[id].depth + 1});
  if (level == Level{1}) return counterexample_from(predecessor.id());  // from an initial state
  loop_.obligations.push(predecessor.id(), previous(level));
  loop_.obligations.push(id, level);
  return Outcome::Done;
}

/// A chain of obligations whose first cube meets Init is a counterexample: all states of a cube
/// step into the next one.
Outcome Ic3smtSearch::counterexample_from(ObligationId id) {
  if (loop_.stopped()) return Outcome::Stopped;
  std::vector<std::vector<Term>> cubes;
  for (ObligationId at : loop_.obligations.chain(id))
    cubes.push_back(frames_.atoms().formulas(loop_.obligations[at].cube.lits()));
  loop_.trace = concretize(system_, cubes, ctx_);
  loop_.gave_up = !loop_.trace;  // no counterexample: a projection was wrong
  return loop_.trace ? Outcome::Counterexample : Outcome::Stopped;
}

Cube Ic3smtSearch::cube_of(const std::vector<Term>& literals) {
  std::vector<Lit> cube;
  for (Term literal : literals) {
    if (terms_.is_true(literal)) continue;
    assert(!terms_.is_false(literal) && "a cube that holds in a model is not empty");
    std::vector<Term> parts;
    if (config_.weaken != Weaken::None) parts = sides_of(terms_, literal, BitOrders{});
    if (parts.empty()) parts = {literal};
    for (Term part : parts)
      if (!terms_.is_true(part)) cube.push_back(frames_.literal(part));
  }
  return Cube(std::move(cube));
}

/// Replaces two inequalities by their sum, which both imply, while the cube stays inductive: the
/// constants of single states go, the relation between variables stays. In the manner of the Farkas
/// conflicts of [Hoder12], with factors of 1 and checked by queries.
///   require, ensure: core is inductive relative to F_level-1 and meets no initial state
std::vector<Lit> Ic3smtSearch::combine(Level level, std::vector<Lit> core) {
  constexpr std::size_t kTrials = 12;
  std::size_t trials = 0;
  for (std::size_t i = 0; i < core.size(); ++i)
    for (std::size_t j = i + 1; j < core.size(); ++j) {
      const Atoms& atoms = frames_.atoms();
      std::optional<Term> sum = sum_of(terms_, atoms.formula(core[i]), atoms.formula(core[j]));
      if (!sum || ++trials > kTrials || loop_.stopped()) continue;
      std::vector<Lit> weaker;
      for (std::size_t k = 0; k < core.size(); ++k)
        if (k != i && k != j) weaker.push_back(core[k]);
      weaker.push_back(frames_.literal(*sum));
      if (frames_.meets_initial(weaker)) continue;
      Induction answer = frames_.inductive(level, weaker);
      if (!answer.holds()) continue;
      ++combined_;
      core.assign(answer.core.begin(), answer.core.end());
      i = j = 0;  // from the first pair again
    }
  return core;
}

std::string Ic3smtSearch::progress() const {
  return fmt::format("ic3smt: frame {}, atoms {}, obligations {}, {}", index(frames_.top()),
                     frames_.atoms().size(), loop_.obligations.size(),
                     lemma_counts(frames_.clauses().lists()));
}

}  // namespace lem::engine
