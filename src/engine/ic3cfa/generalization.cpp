#include "engine/ic3cfa/generalization.h"

#include <algorithm>
#include <cassert>

namespace lem {

namespace {

bool contains(const std::vector<Lit>& cube, Lit lit) {
  return std::find(cube.begin(), cube.end(), lit) != cube.end();
}

std::vector<Lit> united(std::vector<Lit> a, const std::vector<Lit>& b) {
  for (Lit lit : b)
    if (!contains(a, lit)) a.push_back(lit);
  return a;
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
      by_pre_cube_(ctx.stats.counter("ic3cfa.by-predecessor-cube")),
      dont_care_(ctx.stats.counter("ic3cfa.dropped-dont-care")),
      assumed_(ctx.stats.counter("ic3cfa.dropped-assumed")),
      by_core_(ctx.stats.counter("ic3cfa.dropped-by-core")),
      dropped_(ctx.stats.counter("ic3cfa.dropped-by-query")),
      kept_(ctx.stats.counter("ic3cfa.kept-by-query")),
      interpolated_(ctx.stats.counter("ic3cfa.interpolants")),
      weakened_(ctx.stats.counter("ic3cfa.weakened")),
      to_bits_(ctx.stats.counter("ic3cfa.weakened-to-bits")),
      related_(ctx.stats.counter("ic3cfa.related")),
      unrelated_(ctx.stats.counter("ic3cfa.not-related")),
      time_(ctx.stats.timer("ic3cfa.generalize")) {}

std::vector<Lit> CfaGeneralizer::generalize(Level level, LocationId to, const Cube& cube,
                                            std::vector<Lit> core) {
  if (config_.generalize == Ic3cfaConfig::Generalize::None)
    return {cube.lits().begin(), cube.lits().end()};
  TimerScope timer(time_);
  by_core_ += cube.size() - core.size();
  std::vector<Lit> result = config_.edges == Ic3cfaConfig::Edges::Multi
                                ? along_all(previous(level), to, std::move(core))
                                : one_by_one(previous(level), to, cube, std::move(core));
  relate(previous(level), to, result);
  if (config_.weaken > 0) weaken(previous(level), to, result);
  return result;
}

/// Tries to spare each literal but `needed`.
template <class Ask>
void CfaGeneralizer::drop(std::vector<Lit>& cube, const std::vector<Lit>& needed, Ask ask) {
  std::vector<Lit> candidates = cube;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](Lit a, Lit b) { return literals_.activity(a) < literals_.activity(b); });
  for (Lit lit : candidates) {
    if (ctx_.stopped()) return;
    if (contains(needed, lit) || !contains(cube, lit)) continue;
    std::vector<Lit> smaller = cube, core;
    std::erase(smaller, lit);
    if (!ask(smaller, core)) {
      ++kept_;
      continue;
    }
    ++dropped_;
    std::size_t before = smaller.size();
    if (config_.core)
      std::erase_if(smaller,
                    [&](Lit each) { return !contains(core, each) && !contains(needed, each); });
    by_core_ += before - smaller.size();
    cube = std::move(smaller);
  }
}

/// Inequalities of which an equation of numbers is the conjunction.
std::vector<Term> CfaGeneralizer::halves(Term equation) {
  if (terms_.op(equation) != Op::Eq) return {};
  Term a = terms_.arg(equation, 0), b = terms_.arg(equation, 1);
  SortKind kind = terms_.kind(a);
  if (kind == SortKind::Int || kind == SortKind::Real)
    return {terms_.make_le(a, b), terms_.make_le(b, a)};
  if (kind == SortKind::BitVec && terms_.width(a) > 1)
    return {terms_.make_bv_sle(a, b), terms_.make_bv_sle(b, a), terms_.make_bv_ule(a, b),
            terms_.make_bv_ule(b, a)};
  return {};
}

/// Relations in place of values, if they are inductive together: what they do not need goes,
/// literals of the cube first.
void CfaGeneralizer::relate(Level from, LocationId to, std::vector<Lit>& cube) {
  std::vector<Lit> relations = relations_.implied_by(to, cube);
  if (relations.empty()) return;
  std::vector<Lit> core;
  if (!inductivity_.each(from, to, relations, Need::Optional, &core))
    core = united(cube, relations);
  drop(core, relations, [&](const std::vector<Lit>& smaller, std::vector<Lit>& needed) {
    return inductivity_.each(from, to, smaller, Need::Optional, &needed);
  });
  drop(core, {}, [&](const std::vector<Lit>& smaller, std::vector<Lit>& needed) {
    return inductivity_.each(from, to, smaller, Need::Optional, &needed);
  });
  if (std::none_of(core.begin(), core.end(), [&](Lit lit) { return contains(relations, lit); })) {
    ++unrelated_;
    return;
  }
  ++related_;
  cube = std::move(core);
}

/// Lemmas that differ in a constant alone are a sign of divergence: the equation of the next one
/// becomes few of its bits, or one of its halves, if that is inductive.
void CfaGeneralizer::weaken(Level from, LocationId to, std::vector<Lit>& cube) {
  for (std::size_t i = 0; i < cube.size() && !ctx_.stopped(); ++i) {
    Term formula = literals_.formula(cube[i]);
    std::vector<Term> parts = halves(formula);
    if (parts.empty()) continue;
    Term value = terms_.arg(formula, 0), other = terms_.arg(formula, 1);
    if (!terms_.is_value(value)) std::swap(value, other);
    if (++equations_[{to, other}] < config_.weaken) continue;
    if (terms_.is_value(value) && to_bits(from, to, cube, i, other, value)) continue;
    Lit equation = cube[i];
    for (Term part : parts) {
      if (!literals_.is_literal(part)) continue;
      cube[i] = literals_.of(part);
      if (inductivity_.each(from, to, cube, Need::Optional)) break;
      cube[i] = equation;
    }
    weakened_ += cube[i] != equation ? 1 : 0;
  }
}

/// Replaces the equation `subject` = `value` at cube[at] by a few of its bits: parity and flags.
bool CfaGeneralizer::to_bits(Level from, LocationId to, std::vector<Lit>& cube, std::size_t at,
                             Term subject, Term value) {
  constexpr std::size_t kMostBits = 3;
  if (terms_.kind(subject) != SortKind::BitVec) return false;
  std::vector<Lit> others = cube, all;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
  all = others;
  for (std::uint32_t bit = 0; bit < terms_.width(subject); ++bit) {
    Term part = terms_.make_eq(terms_.make_extract(subject, bit, bit),
                               terms_.make_extract(value, bit, bit));
    if (!literals_.is_literal(part)) return false;
    if (Lit lit = literals_.of(part); !contains(all, lit)) all.push_back(lit);
  }
  std::vector<Lit> core;
  if (!inductivity_.each(from, to, all, Need::Optional, &core)) return false;
  core = united(others, core);
  if (core.size() > others.size() + 2 * kMostBits) return false;
  drop(core, others, [&](const std::vector<Lit>& smaller, std::vector<Lit>& needed) {
    return inductivity_.each(from, to, smaller, Need::Optional, &needed);
  });
  if (core.size() > others.size() + kMostBits) return false;
  ++to_bits_;
  cube = std::move(core);
  return true;
}

std::vector<Lit> CfaGeneralizer::along_all(Level from, LocationId to, std::vector<Lit> cube) {
  drop(cube, {}, [&](const std::vector<Lit>& smaller, std::vector<Lit>& core) {
    return inductivity_.all(from, to, smaller, Need::Optional, &core) == smt::Answer::Unsat;
  });
  return cube;
}

std::vector<Lit> CfaGeneralizer::one_by_one(Level from, LocationId to, const Cube& whole,
                                            std::vector<Lit> cube) {
  std::vector<Lit> result;
  bool first = true;
  for (StepId step : steps_.into(to)) {
    if (inductivity_.impossible(from, step)) continue;
    bool incremental = config_.edges == Ic3cfaConfig::Edges::Incremental;
    if (incremental && !first &&
        inductivity_.single(from, step, result, Need::Optional) == smt::Answer::Unsat)
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
      ++interpolated_;
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
          if (contains(cube, lit)) needed = united(needed, {lit});
    }
    cube = without_free_literals(from, step, std::move(cube));
  }
  drop(cube, needed, [&](const std::vector<Lit>& smaller, std::vector<Lit>& core) {
    return inductivity_.single(from, step, smaller, Need::Optional, &core) == smt::Answer::Unsat;
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
  ++by_pre_cube_;
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
      ++assumed_;
      return true;
    }
    if (!config_.dont_care || from == Level{0} || !literals_.is_literal(before)) return false;
    bool unit = frames_.excluding(taken.from, from, Cube({!literals_.of(before)})) != nullptr;
    dont_care_ += unit ? 1 : 0;
    return unit;
  });
  return cube;
}

}  // namespace lem
