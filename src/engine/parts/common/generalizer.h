// Generalization: from a cube that is inductive relative to F_i-1 to a smaller one that still is.
// Written once for all IC3-style engines and templated on the engine's relative-induction oracle.
//
// An Oracle offers, for literals over the engine's atoms:
//   Induction inductive(Level i, std::span<const Lit> cube)
//   std::vector<Lit> counterexample()     after Fails: the model's state in F_i-1
//   bool meets_initial(std::span<const Lit> cube)
//   void order(std::vector<Lit>& cube)    sorts: first to be dropped first
//   bool block_ctg(Level i, const Effort& effort, std::uint32_t depth)
//        after Fails: lifts the model's state, a counterexample to generalization, and blocks it at
//        level i or higher if that takes at most effort.ctg_chain blocked cubes; the lemmas are
//        generalized at recursion depth `depth`
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/id.h"
#include "engine/parts/common/cube.h"
#include "engine/parts/common/induction.h"

namespace lem::engine {

enum class Generalize : std::uint8_t { None, Core, Drop, Binary, Down, Ctg, Dynamic };
constexpr std::string_view words(Generalize) {
  return "none|core|drop|binary|down|ctg|dynamic";
}

/// How hard one generalization tries.
struct Effort {
  Generalize method = Generalize::Down;
  std::uint32_t ctg_depth = 1;  // recursion depth of ctgDown [Hassan13]
  std::uint32_t ctg_count = 3;  // counterexamples blocked per literal
  std::uint32_t ctg_chain =
      1;                       // obligations followed to block one of them; 1: itself [Su25a EXCTG]
  std::uint32_t failures = 0;  // give up after so many kept literals in a row; 0: never
};

template <class Oracle>
class Generalizer {
 public:
  explicit Generalizer(Oracle& oracle) : oracle_(oracle) {}

  /// require: cube is inductive relative to F_i-1 and meets no initial state.
  ///   ensure: result subset of cube, same two conditions
  std::vector<Lit> generalize(Level i, std::vector<Lit> cube, const Effort& effort,
                              std::uint32_t depth = 0) {
    switch (effort.method) {
      case Generalize::None:
      case Generalize::Core:
        return cube;
      case Generalize::Binary:
        oracle_.order(cube);
        return binary(i, cube, {});
      case Generalize::Drop:
      case Generalize::Down:
      case Generalize::Ctg:
        return mic(i, std::move(cube), effort, depth);
      case Generalize::Dynamic:
        break;
    }
    unreachable();
  }

 private:
  /// [Bradley11 MIC]: tries to drop each literal in turn.
  std::vector<Lit> mic(Level i, std::vector<Lit> cube, const Effort& effort, std::uint32_t depth) {
    LEM_DASSERT(!cube.empty() && "a cube that meets no initial state has a literal");
    oracle_.order(cube);
    std::vector<Lit> kept;
    std::uint32_t failures = 0;
    std::size_t at = 0;
    while (at < cube.size() && !stopped_) {
      Lit lit = cube[at];
      if (std::find(kept.begin(), kept.end(), lit) != kept.end()) {
        ++at;
        continue;
      }
      std::vector<Lit> smaller = cube;
      smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(at));
      if (!smaller.empty() && down(i, smaller, kept, effort, depth)) {
        keep_order(cube, smaller);
        failures = 0;
        at = 0;
        while (at < cube.size() && std::find(kept.begin(), kept.end(), cube[at]) != kept.end())
          ++at;
      } else {
        kept.push_back(lit);
        ++at;
        if (effort.failures != 0 && ++failures >= effort.failures) break;
      }
    }
    return cube;
  }

  /// cube := the literals of `smaller`, in cube's order.
  static void keep_order(std::vector<Lit>& cube, std::vector<Lit>& smaller) {
    std::sort(smaller.begin(), smaller.end());
    std::erase_if(
        cube, [&](Lit lit) { return !std::binary_search(smaller.begin(), smaller.end(), lit); });
  }

  /// Looks for an inductive subset of `cube` that keeps `kept`: DOWN [Bradley07], with
  /// counterexamples to generalization blocked on the way [Hassan13 ctgDown]. Initiation fails when
  /// the cube meets the initial states (docs/errata.md on [Lange18 Alg. 4]).
  bool down(Level i, std::vector<Lit>& cube, const std::vector<Lit>& kept, const Effort& effort,
            std::uint32_t depth) {
    std::uint32_t ctgs = 0;
    while (!oracle_.meets_initial(cube)) {
      Induction answer = ask(i, cube);
      if (answer.holds()) {
        LEM_DASSERT(answer.core.size() <= cube.size() && "a core is a part of the cube");
        cube.assign(answer.core.begin(), answer.core.end());
        return true;
      }
      if (effort.method == Generalize::Drop || answer.stopped()) return false;
      std::vector<Lit> state = oracle_.counterexample();
      bool try_ctg = effort.method == Generalize::Ctg && depth < effort.ctg_depth &&
                     ctgs < effort.ctg_count && index(i) > 1 && !oracle_.meets_initial(state);
      if (try_ctg && oracle_.block_ctg(previous(i), effort, depth + 1)) {
        ++ctgs;
        continue;
      }
      ctgs = 0;
      if (!join(cube, state, kept)) return false;
    }
    return false;
  }

  /// The meet of the clauses: cube := literals common with `state`; fails if a kept one is lost.
  static bool join(std::vector<Lit>& cube, std::vector<Lit>& state, const std::vector<Lit>& kept) {
    std::sort(state.begin(), state.end());
    for (Lit lit : kept) {
      if (!std::binary_search(state.begin(), state.end(), lit)) return false;
    }
    std::size_t before = cube.size();
    std::erase_if(cube,
                  [&](Lit lit) { return !std::binary_search(state.begin(), state.end(), lit); });
    return cube.size() < before && !cube.empty();
  }

  /// [Lange18 Alg. 11] with its errata: a minimal part of `cube` that with `support` is inductive.
  ///   require: cube + support is inductive and meets no initial state
  std::vector<Lit> binary(Level i, std::vector<Lit> cube, std::vector<Lit> support) {
    if (cube.size() <= 1 || stopped_) return cube;
    auto middle = cube.begin() + static_cast<std::ptrdiff_t>(cube.size() / 2);
    std::vector<Lit> left(cube.begin(), middle);
    std::vector<Lit> right(middle, cube.end());
    if (works(i, left, support)) return binary(i, left, support);
    if (works(i, right, support)) return binary(i, right, support);
    std::vector<Lit> with_right = join_lits(support, right);
    left = binary(i, left, with_right);
    right = binary(i, right, join_lits(support, left));
    return join_lits(left, right);
  }
  bool works(Level i, const std::vector<Lit>& part, const std::vector<Lit>& support) {
    std::vector<Lit> all = join_lits(part, support);
    return !oracle_.meets_initial(all) && ask(i, all).holds();
  }
  static std::vector<Lit> join_lits(std::vector<Lit> a, const std::vector<Lit>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  Induction ask(Level i, std::span<const Lit> cube) {
    Induction answer = oracle_.inductive(i, cube);
    stopped_ = stopped_ || answer.stopped();
    return answer;
  }

  Oracle& oracle_;
  bool stopped_ = false;  // an answer was: there will be no others
};

}  // namespace lem::engine
