#include "engine/ic3cfa/generalization.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "engine/parts/terms/inequalities.h"

namespace lem::engine {

namespace {

bool contains(const std::vector<Lit>& cube, Lit lit) {
  return std::find(cube.begin(), cube.end(), lit) != cube.end();
}

}  // namespace

CfaGeneralizer::CfaGeneralizer(CfaSteps& steps, CfaLiterals& literals, CfaFrames& frames,
                               Inductivity& inductivity, const Ic3cfaConfig& config,
                               const Context& ctx)
    : steps_(steps),
      literals_(literals),
      frames_(frames),
      inductivity_(inductivity),
      config_(config),
      ctx_(ctx),
      terms_(inductivity.terms()),
      contexts_(frames, config.contexts, ctx.stats),
      interpolation_(steps, literals, frames, inductivity, config, ctx),
      relations_(terms_, literals, config.relate, config.optional_ms, ctx),
      equations_(config.weaken),
      stats_(ctx.stats) {}

std::vector<Lit> CfaGeneralizer::generalize(Level level, LocationId to, const Cube& cube,
                                            std::vector<Lit> core) {
  if (config_.generalize == Ic3cfaConfig::Generalize::None)
    return {cube.lits().begin(), cube.lits().end()};
  assert(Level{0} < level && level <= frames_.top() && "cubes are blocked in F_1 .. F_top");
  assert(core.size() <= cube.size() && "a core is a part of the cube");
  TimerScope timer(stats_.generalize);
  stats_.by_core += cube.size() - core.size();
  std::vector<Lit> result = config_.edges == Ic3cfaConfig::Edges::Multi
                                ? along_all(previous(level), to, std::move(core))
                                : one_by_one(previous(level), to, cube, std::move(core));
  result = relate(previous(level), to, std::move(result));
  return equations_.enabled() ? weaken(previous(level), to, std::move(result)) : result;
}

/// Tries to spare each literal but `needed`; `ask` says whether the rest is inductive.
template <class Ask>
std::vector<Lit> CfaGeneralizer::drop(std::vector<Lit> cube, const std::vector<Lit>& needed,
                                      Ask ask) {
  std::vector<Lit> candidates = cube;
  literals_.activity().order(candidates);
  for (Lit lit : candidates) {
    if (ctx_.stopped()) break;
    if (contains(needed, lit) || !contains(cube, lit)) continue;
    std::vector<Lit> smaller = cube;
    std::erase(smaller, lit);
    Inductivity::Reply reply = ask(smaller);
    if (!reply.inductive()) {
      ++stats_.kept;
      continue;
    }
    ++stats_.dropped;
    std::size_t before = smaller.size();
    if (config_.core)
      std::erase_if(smaller, [&](Lit each) {
        return !contains(reply.core, each) && !contains(needed, each);
      });
    stats_.by_core += before - smaller.size();
    cube = std::move(smaller);
  }
  return cube;
}

/// The same along all edges into the location, each alone.
std::vector<Lit> CfaGeneralizer::drop_on_all_edges(Level from, LocationId to, std::vector<Lit> cube,
                                                   const std::vector<Lit>& needed) {
  return drop(std::move(cube), needed, [&](const std::vector<Lit>& smaller) {
    return inductivity_.inductive_on_all_edges(from, to, smaller, Need::Optional);
  });
}

/// Relations in place of values, if they are inductive together: what they do not need goes,
/// literals of the cube first.
std::vector<Lit> CfaGeneralizer::relate(Level from, LocationId to, std::vector<Lit> cube) {
  std::vector<Lit> relations = relations_.implied_by(to, cube);
  if (relations.empty()) return cube;
  Inductivity::Reply reply =
      inductivity_.inductive_on_all_edges(from, to, relations, Need::Optional);
  std::vector<Lit> core = reply.inductive() ? std::move(reply.core) : united(cube, relations);
  core = drop_on_all_edges(from, to, std::move(core), relations);
  core = drop_on_all_edges(from, to, std::move(core), {});
  if (std::none_of(core.begin(), core.end(), [&](Lit lit) { return contains(relations, lit); })) {
    ++stats_.unrelated;
    return cube;
  }
  ++stats_.related;
  return core;
}

/// Where lemmas diverge, the equation of the next one becomes few of its bits, or one of its sides,
/// if that is inductive.
std::vector<Lit> CfaGeneralizer::weaken(Level from, LocationId to, std::vector<Lit> cube) {
  for (std::size_t i = 0; i < cube.size() && !ctx_.stopped(); ++i) {
    Term formula = literals_.formula(cube[i]);
    std::vector<Term> sides = sides_of(terms_, formula, {.as_signed = true, .as_unsigned = true});
    if (sides.empty() || is_bit(terms_.arg(formula, 0))) continue;
    Term value = terms_.arg(formula, 0), other = terms_.arg(formula, 1);
    if (!terms_.is_value(value)) std::swap(value, other);
    equations_.count({to, other});
    if (!equations_.diverges({to, other})) continue;
    if (terms_.is_value(value))
      if (auto bits = to_bits(from, to, cube, i, other, value)) {
        cube = std::move(*bits);
        continue;
      }
    Lit equation = cube[i];
    for (Term side : sides) {
      if (!literals_.is_literal(side)) continue;
      cube[i] = literals_.of(side);
      if (inductivity_.inductive_on_all_edges(from, to, cube, Need::Optional).inductive()) break;
      cube[i] = equation;
    }
    stats_.weakened += cube[i] != equation ? 1 : 0;
  }
  return cube;
}

/// A few bits of `subject` = `value` in place of that equation at cube[at]: parity and flags.
std::optional<std::vector<Lit>> CfaGeneralizer::to_bits(Level from, LocationId to,
                                                        const std::vector<Lit>& cube,
                                                        std::size_t at, Term subject, Term value) {
  constexpr std::size_t kMostBits = 3;
  assert(at < cube.size() && "the equation is in the cube");
  if (terms_.kind(subject) != SortKind::BitVec) return {};
  std::vector<Lit> others = cube, all;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
  all = others;
  for (std::uint32_t bit = 0; bit < terms_.width(subject); ++bit) {
    Term part = terms_.make_eq(terms_.make_extract(subject, bit, bit),
                               terms_.make_extract(value, bit, bit));
    if (!literals_.is_literal(part)) return {};
    if (Lit lit = literals_.of(part); !contains(all, lit)) all.push_back(lit);
  }
  Inductivity::Reply reply = inductivity_.inductive_on_all_edges(from, to, all, Need::Optional);
  if (!reply.inductive()) return {};
  std::vector<Lit> core = united(others, reply.core);
  if (core.size() > others.size() + 2 * kMostBits) return {};
  core = drop_on_all_edges(from, to, std::move(core), others);
  if (core.size() > others.size() + kMostBits) return {};
  ++stats_.to_bits;
  return core;
}

std::vector<Lit> CfaGeneralizer::along_all(Level from, LocationId to, std::vector<Lit> cube) {
  return drop(std::move(cube), {}, [&](const std::vector<Lit>& smaller) {
    return inductivity_.on_edges_at_once(from, to, smaller, Need::Optional);
  });
}

std::vector<Lit> CfaGeneralizer::one_by_one(Level from, LocationId to, const Cube& whole,
                                            std::vector<Lit> cube) {
  std::vector<Lit> result;
  bool first = true;
  for (StepId step : steps_.into(to)) {
    if (inductivity_.impossible(from, step)) continue;
    bool incremental = config_.edges == Ic3cfaConfig::Edges::Incremental;
    if (incremental && !first &&
        inductivity_.on_edge(from, step, result, Need::Optional).inductive())
      continue;
    std::vector<Lit> fixed = incremental ? result : std::vector<Lit>();
    result = united(result, along(from, step, whole, united(cube, fixed), fixed));
    first = false;
  }
  return result;
}

std::vector<Lit> CfaGeneralizer::along(Level from, StepId step, const Cube& whole,
                                       std::vector<Lit> cube, const std::vector<Lit>& fixed) {
  std::vector<Lit> needed = fixed;
  LocationId source = steps_[step].from;
  if (config_.generalize == Ic3cfaConfig::Generalize::New) {
    if (auto found = interpolation_.along(from, step, cube)) {
      ++stats_.interpolants;
      return *found;
    }
    if (config_.pre_cubes)
      if (auto found = by_predecessor_cube(from, step, cube)) return *found;
    if (contexts_.enabled()) {
      if (auto bound = contexts_.upper(step, source, from, whole, config_.extended))
        cube = united({bound->lits().begin(), bound->lits().end()}, fixed);
      if (auto bound =
              config_.lower_bounds ? contexts_.lower(step, source, from, whole) : std::nullopt)
        for (Lit lit : bound->lits())
          if (contains(cube, lit)) needed = united(std::move(needed), std::array{lit});
    }
    cube = without_free_literals(from, step, std::move(cube));
  }
  cube = drop(std::move(cube), needed, [&](const std::vector<Lit>& smaller) {
    return inductivity_.on_edge(from, step, smaller, Need::Optional);
  });
  if (contexts_.enabled()) contexts_.remember(step, source, from, whole, Cube(cube));
  return cube;
}

std::optional<std::vector<Lit>> CfaGeneralizer::by_predecessor_cube(Level from, StepId step,
                                                                    std::span<const Lit> cube) {
  if (from == Level{0}) return {};
  std::vector<Lit> before;                   // wep(cmd, cube), as far as it is a cube
  std::vector<std::pair<Lit, Lit>> inverse;  // the mapping g of Definition 4.10
  for (Term guard : steps_[step].guards)
    if (literals_.is_literal(guard)) before.push_back(literals_.of(guard));
  std::size_t assumed = before.size();
  for (Lit lit : cube) {
    Term term = steps_.before(step, literals_.formula(lit));
    if (terms_.is_false(term)) return std::vector<Lit>{lit};
    if (!literals_.is_literal(term)) continue;
    before.push_back(literals_.of(term));
    inverse.emplace_back(before.back(), lit);
  }
  const Cube* lemma = frames_.excluding(steps_[step].from, from, Cube(before));
  if (lemma == nullptr) return {};
  ++stats_.by_pre_cube;
  assert(assumed <= before.size() && "guards come first");
  before.resize(assumed);
  std::vector<Lit> result, done = before;
  for (auto [image, lit] : inverse)
    if (lemma->contains(image) && !contains(done, image)) {
      result.push_back(lit);
      done.push_back(image);
    }
  return result;
}

std::vector<Lit> CfaGeneralizer::without_free_literals(Level from, StepId step,
                                                       std::vector<Lit> cube) {
  const CfaStep& taken = steps_[step];
  std::erase_if(cube, [&](Lit lit) {
    Term before = steps_.before(step, literals_.formula(lit));
    bool assumed = terms_.is_true(before) || std::find(taken.guards.begin(), taken.guards.end(),
                                                       before) != taken.guards.end();
    if (config_.assumed && assumed) {
      ++stats_.assumed;
      return true;
    }
    if (!config_.dont_care || from == Level{0} || !literals_.is_literal(before)) return false;
    bool unit = frames_.excluding(taken.from, from, Cube({!literals_.of(before)})) != nullptr;
    stats_.dont_care += unit ? 1 : 0;
    return unit;
  });
  return cube;
}

}  // namespace lem::engine
