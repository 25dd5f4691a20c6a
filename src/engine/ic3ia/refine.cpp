#include "engine/ic3ia/refine.h"

#include "smt/solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace lem::engine {

static constexpr std::uint32_t kMostPatience = 30'000;  // milliseconds

Refiner::Refiner(TermSystem& system, const Ic3iaConfig& config, const Context& ctx)
    : system_(system),
      terms_(system.terms()),
      config_(config),
      ctx_(ctx),
      concrete_(system, "sim:"),
      abstract_(system, "abs:"),
      simulator_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)),
      patience_(config.source_ms),
      sources_(make_sources(system.terms(), system.current(), config.source, patience_, ctx.stop)) {
  // Trans is usually (commands) & (the rest): the one disjunction that matters is looked for.
  for (Term part : conjuncts(terms_, system.trans()))
    if (terms_.op(part) == Op::Or) {
      std::vector<Term> choices = disjuncts(terms_, part);
      if (choices.size() > commands_.size()) commands_ = std::move(choices);
    }
  if (commands_.empty()) return;
  disjunction_ = terms_.make_or(commands_);
  chooser_ = smt::Solvers(ctx).make(terms_, smt::Workload::Stream);
  for (Term part : conjuncts(terms_, system.trans()))
    if (part != disjunction_) chooser_->add(part);
  for (Term command : commands_) {
    selectors_.push_back(terms_.fresh("command", terms_.bool_sort()));
    chooser_->add(terms_.make_implies(selectors_.back(), command));
  }
}

Refinement Refiner::refine(const std::vector<std::vector<Term>>& path, const Predicates& known) {
  assert(!path.empty() && "a path has a state");
  Refinement result;
  auto concrete = [&] {
    return system_.trace(path.size(), [&](Term variable, std::size_t step) {
      return simulator_->value(concrete_.at(variable, step));
    });
  };
  // Commands alone, with no more of the cubes than where control is, often exclude each other
  // already: their interpolants owe nothing to the predicates there are.
  if (config_.commands_first && commands_first_.due()) {
    PathAnswer commands = simulate(parts_of(path, Cubes::Control));
    if (commands.answer == smt::Answer::Sat) result.trace = concrete();
    if (commands.answer == smt::Answer::Unsat)
      result.predicates = ask_sources(path, commands.parts, known, Try::First);
    commands_first_.record(result.trace || !result.predicates.empty());
    if (result.trace || !result.predicates.empty()) return result;
  }
  PathAnswer simulated = simulate(parts_of(path));
  if (simulated.answer == smt::Answer::Sat) result.trace = concrete();
  if (simulated.answer != smt::Answer::Unsat) return result;
  result.predicates = ask_sources(path, simulated.parts, known, Try::Promising);
  while (result.predicates.empty() && !ctx_.stopped() && patience_ < kMostPatience) {
    patience_ *= 4;
    sources_ =
        make_sources(system_.terms(), system_.current(), config_.source, patience_, ctx_.stop);
    result.predicates = ask_sources(path, simulated.parts, known, Try::All);
  }
  return result;
}

/// The parts without the steps at both ends that the contradiction does not need.
static PathParts without_idle_ends(PathParts parts) {
  auto idle = [](const std::vector<Term>& step) { return step.empty(); };
  if (parts.first.empty())
    parts.steps.erase(parts.steps.begin(),
                      std::find_if_not(parts.steps.begin(), parts.steps.end(), idle));
  if (parts.last.empty())
    while (!parts.steps.empty() && parts.steps.back().empty()) parts.steps.pop_back();
  return parts;
}

/// The predicates of the first source that excludes the path, or of a later one when the first
/// gives nothing but new constants.
std::vector<Term> Refiner::ask_sources(const std::vector<std::vector<Term>>& path,
                                       const PathParts& parts, const Predicates& known, Try which) {
  Vocabulary used = vocabulary_of(system_, parts);
  smt::Path query = path_over(terms_, used, without_idle_ends(parts));
  std::vector<Term> best;
  std::string served_by;
  bool asked_again = false;  // because the predicates of one source differ in constants alone
  bool helped = false;
  reputations_.resize(sources_.size(), BackOff(kGrace, kMostFailures));
  assert(reputations_.size() == sources_.size() && "every source has its own");
  std::size_t count =
      which == Try::First ? std::min<std::size_t>(1, sources_.size()) : sources_.size();
  for (std::size_t i = 0; i < count && !ctx_.stopped(); ++i) {
    smt::Interpolator& source = *sources_[i];
    if (which == Try::Promising && !reputations_[i].due()) continue;
    std::string name = "ic3ia.interpolant-" + std::string(source.name());
    TimerScope timer(ctx_.stats.timer(name));
    std::optional<smt::Sequence> sequence = source.interpolate(query);
    std::vector<Term> fresh;
    if (sequence) fresh = predicates_of(*sequence, known);
    std::optional<std::vector<Term>> enough;
    if (!fresh.empty()) enough = needed(path, known, fresh);
    bool served = enough.has_value();
    if (enough) fresh = std::move(*enough);
    if (which != Try::First) reputations_[i].record(served);
    ctx_.log.debug([&] {
      return fmt::format("ic3ia: path of {} steps, {} of them matter, {} variables: {} gives {}{}",
                         path.size(), query.steps.size(), used.current.size(), source.name(),
                         fresh.size(), served ? "" : ", not enough");
    });
    if (!served) continue;
    bool diverging = only_new_constants(fresh);
    if (best.empty() || !diverging) {
      helped = !best.empty();
      served_by = name;
      best = std::move(fresh);
    }
    if (!diverging) break;
    if (!asked_again && !second_opinions_.due()) break;
    asked_again = true;
  }
  if (asked_again) second_opinions_.record(helped);
  if (!best.empty()) {
    ++ctx_.stats.counter(served_by + "-served");
    for (Term predicate : best)
      if (Term shape = shape_of(predicate)) sums_.count(shape);
  }
  return best;
}

std::vector<Term> Refiner::step_between(const std::vector<Term>& from,
                                        const std::vector<Term>& to) {
  std::vector<Term> parts = conjuncts(terms_, system_.trans());
  if (commands_.empty()) return parts;
  assert(selectors_.size() == commands_.size() && "every command has its selector");
  smt::Scope scope(*chooser_);
  for (Term literal : from) chooser_->add(literal);
  for (Term literal : to) chooser_->add(system_.prime(literal));
  std::vector<Term> open = selectors_;
  std::vector<Term> possible;
  while (!open.empty()) {
    chooser_->add(terms_.make_or(open));
    smt::Answer answer = chooser_->solve();
    if (answer == smt::Answer::Unknown) return parts;
    if (answer == smt::Answer::Unsat) break;
    std::vector<Term> left;
    for (Term selector : open) {
      bool chosen = terms_.is_true(chooser_->value(selector));
      if (!chosen) {
        left.push_back(selector);
        continue;
      }
      auto at = std::find(selectors_.begin(), selectors_.end(), selector) - selectors_.begin();
      possible.push_back(commands_[static_cast<std::size_t>(at)]);
    }
    if (left.size() == open.size()) return parts;
    open = std::move(left);
  }
  std::erase(parts, disjunction_);
  std::vector<Term> chosen = conjuncts(terms_, terms_.make_or(possible));
  parts.insert(parts.end(), chosen.begin(), chosen.end());
  return parts;
}

/// The step with the atoms of both cubes replaced by their values: what is left of a command's
/// choices once the cubes say where it starts and ends.
std::vector<Term> Refiner::under(const std::vector<Term>& from, const std::vector<Term>& to,
                                 const std::vector<Term>& step) {
  Substitution known(terms_);
  auto fix = [&](Term literal) {
    known.add(terms_.atom_of(literal), terms_.boolean(terms_.op(literal) != Op::Not));
  };
  for (Term literal : from) fix(literal);
  for (Term literal : to) fix(system_.prime(literal));
  std::vector<Term> parts;
  for (Term part : step)
    for (Term left : conjuncts(terms_, known.apply(part)))
      if (!terms_.is_true(left)) parts.push_back(left);
  return parts;
}

/// Conjunct by conjunct, so that a core can tell which the contradiction needs.
PathParts Refiner::parts_of(const std::vector<std::vector<Term>>& path, Cubes cubes) {
  std::vector<std::vector<Term>> kept = path;
  if (cubes == Cubes::Control)
    for (std::vector<Term>& cube : kept)
      std::erase_if(cube, [&](Term lit) { return !terms_.is_variable(terms_.atom_of(lit)); });
  PathParts parts;
  parts.first = conjuncts(terms_, system_.init());
  parts.first.insert(parts.first.end(), kept.front().begin(), kept.front().end());
  for (std::size_t i = 1; i < path.size(); ++i) {
    std::vector<Term> step = step_between(path[i - 1], path[i]);
    std::vector<Term>& left = parts.steps.emplace_back(under(kept[i - 1], kept[i], step));
    for (Term literal : kept[i]) left.push_back(system_.prime(literal));
  }
  assert(parts.steps.size() + 1 == path.size() && "a step between two states");
  parts.last = conjuncts(terms_, system_.bad());
  return parts;
}

PathAnswer Refiner::simulate(PathParts parts) {
  smt::Scope scope(*simulator_);
  return ask_path(*simulator_, concrete_, std::move(parts),
                  config_.path_core ? Core::Wanted : Core::Unwanted);
}

/// The sum of an arithmetic atom, which it shares with atoms that differ in the constant.
Term Refiner::shape_of(Term atom) const {
  Op op = terms_.op(atom);
  bool bounded = (op == Op::Le || op == Op::Lt || op == Op::Eq) &&
                 terms_.is_numeric(terms_.sort(terms_.arg(atom, 0))) &&
                 terms_.is_value(terms_.arg(atom, 1));
  return bounded ? terms_.arg(atom, 0) : Term();
}

/// Predicates that differ from many earlier ones in a constant alone are a sign of divergence: a
/// loop is being unrolled, and another source may give its invariant.
bool Refiner::only_new_constants(const std::vector<Term>& predicates) const {
  return std::all_of(predicates.begin(), predicates.end(),
                     [&](Term predicate) { return sums_.diverges(shape_of(predicate)); });
}

std::vector<Term> Refiner::predicates_of(const smt::Sequence& sequence,
                                         const Predicates& known) const {
  std::vector<Term> fresh;
  for (Term cut : sequence)
    for (Term atom : atoms_of(terms_, cut))
      if (!known.contains(atom)) fresh.push_back(atom);
  std::sort(fresh.begin(), fresh.end());
  fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
  return fresh;
}

/// BMC of the abstract system along the path [Cimatti14 5.1], EQ of each new predicate under a
/// switch. Literals of the cubes hold in both twins, which is EQ for the predicates they are of.
std::optional<std::vector<Term>> Refiner::needed(const std::vector<std::vector<Term>>& path,
                                                 const Predicates& known, std::vector<Term> fresh) {
  std::unique_ptr<smt::SmtSolver> solver = smt::Solvers(ctx_).make(terms_, smt::Workload::Stream);
  solver->add(abstract_.at(system_.init(), 0));
  for (std::size_t h = 0; h < path.size(); ++h) {
    for (Term literal : path[h]) {
      solver->add(abstract_.at(literal, 2 * h));
      solver->add(abstract_.at(literal, 2 * h + 1));
    }
    if (h + 1 < path.size()) solver->add(abstract_.between(system_.trans(), 2 * h + 1));
  }
  solver->add(abstract_.at(system_.bad(), 2 * path.size() - 1));
  auto twins_agree = [&](Term predicate, std::size_t h) {
    return terms_.make_eq(abstract_.at(predicate, 2 * h), abstract_.at(predicate, 2 * h + 1));
  };
  for (std::size_t h = 0; h < path.size(); ++h) {
    std::vector<Term> fixed;
    for (Term literal : path[h]) fixed.push_back(terms_.atom_of(literal));
    std::sort(fixed.begin(), fixed.end());
    for (sat::Var p = 0; p < known.size(); ++p)
      if (!std::binary_search(fixed.begin(), fixed.end(), known.atoms()[p]))
        solver->add(twins_agree(known.atoms()[p], h));
  }
  std::vector<Term> switches;
  for (Term predicate : fresh) {
    Term on = terms_.fresh("use", terms_.bool_sort());
    for (std::size_t h = 0; h < path.size(); ++h)
      solver->add(terms_.make_implies(on, twins_agree(predicate, h)));
    switches.push_back(on);
  }
  assert(switches.size() == fresh.size() && "every new predicate has its switch");
  smt::Answer answer = solver->solve(switches);
  if (answer == smt::Answer::Sat) return {};
  if (answer == smt::Answer::Unknown || !config_.minimize) return fresh;
  std::vector<Term> core = solver->core();
  constexpr int kRounds = 3;  // Z3's cores shrink when asked again
  for (int round = 0; round < kRounds && solver->solve(core) == smt::Answer::Unsat; ++round) {
    if (solver->core().size() == core.size()) break;
    core = solver->core();
  }
  std::vector<Term> fewer;
  for (std::size_t i = 0; i < fresh.size(); ++i)
    if (std::find(core.begin(), core.end(), switches[i]) != core.end()) fewer.push_back(fresh[i]);
  return fewer.empty() ? fresh : fewer;
}

}  // namespace lem::engine
