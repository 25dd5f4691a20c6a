#include "engine/ctigar/refine.h"

#include <fmt/format.h>

#include <algorithm>

#include "smt/solvers.h"
#include "term/implicant.h"
#include "term/smtlib/printer.h"

namespace lem::engine {

CtigarRefiner::CtigarRefiner(TermSystem& system, Domain& domain, const CtigarConfig& config,
                             const Context& ctx)
    : system_(system),
      terms_(system.terms()),
      domain_(domain),
      config_(config),
      ctx_(ctx),
      path_(system, "cti:"),
      sources_(make_sources(system.terms(), system.current(), config.source, config.source_ms,
                            ctx.stop)) {}

/// The roles are swapped, preimage first: the constants of R are then the program's, not the
/// state's.
std::vector<Term> CtigarRefiner::lifting(const Assignment& state, Term preimage,
                                         const Passes& passes) {
  Task here = task(state, passes);
  if (auto found = weakest(here, preimage)) return *found;
  PathParts parts{{terms_.make_not(preimage)}, {}, state.literals(system_)};
  if (auto found = interpolate(here, std::move(parts))) return *found;
  return values_of(state);
}

std::vector<Term> CtigarRefiner::consecution(const Assignment& state, Term preimage, Term frame,
                                             const Passes& passes) {
  Task here = task(state, passes);
  if (auto found = weakest(here, preimage)) return *found;
  std::vector<Term> literals = state.literals(system_);
  PathParts parts{conjuncts(terms_, frame), {conjuncts(terms_, system_.trans())}, literals};
  parts.first.push_back(terms_.make_not(terms_.make_and(literals)));
  parts.first.push_back(terms_.make_not(system_.bad()));
  if (auto found = interpolate(here, std::move(parts))) return *found;
  return values_of(state);
}

CtigarRefiner::Task CtigarRefiner::task(const Assignment& state, const Passes& passes) const {
  return {state, passes, domain_.abstract(state)};
}

/// Whether the abstraction of the state passes once the domain has the candidates.
bool CtigarRefiner::serves(const Task& task, std::span<const Term> candidates) const {
  std::vector<Lit> cube = task.known;
  for (Lit lit : domain_.literals_of(candidates, task.state)) cube.push_back(lit);
  return task.passes(Cube(std::move(cube)).lits());
}

/// Those of the candidates that are needed; nullopt if all of them do not serve.
std::optional<std::vector<Term>> CtigarRefiner::accepted(const Task& task, std::string_view source,
                                                         std::vector<Term> candidates) {
  std::erase_if(candidates, [&](Term each) { return domain_.contains(each); });
  bool served = !candidates.empty() && serves(task, candidates);
  for (std::size_t i = candidates.size(); served && i-- > 0 && candidates.size() > 1;) {
    std::vector<Term> fewer = candidates;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (serves(task, fewer)) candidates = std::move(fewer);
  }
  ctx_.log.debug([&] {
    std::string text;
    for (Term predicate : candidates) text += " " + smtlib::term_text(terms_, predicate);
    return fmt::format("ctigar: {} says{}{}", source, text, served ? "" : ", too weak");
  });
  if (!served) return {};
  ++ctx_.stats.counter("ctigar.predicates-from-" + std::string(source));
  return candidates;
}

/// The literals of the preimage that the state satisfies, in the manner of weakest preconditions:
/// always enough for lifting, and often for consecution.
std::optional<std::vector<Term>> CtigarRefiner::weakest(const Task& task, Term preimage) {
  if (!config_.weakest || !preimage) return {};
  TermMap model = task.state.values;
  for (Term variable : variables_of(terms_, preimage))  // any value: the state implies the preimage
    model.try_emplace(variable, terms_.default_value(terms_.sort(variable)));
  std::optional<std::vector<Term>> literals = implicant(terms_, preimage, std::move(model));
  if (!literals) return {};
  std::vector<Term> found;
  for (Term literal : *literals)
    for (Term predicate : predicates_of(literal)) found.push_back(predicate);
  return accepted(task, "preimage", std::move(found));
}

/// The predicates of the first source whose interpolant before the last part is enough.
std::optional<std::vector<Term>> CtigarRefiner::interpolate(const Task& task, PathParts parts) {
  std::unique_ptr<smt::SmtSolver> solver = smt::Solvers(ctx_).make(terms_, smt::Workload::Stream);
  parts = ask_path(*solver, path_, std::move(parts), Core::Wanted).parts;  // less to interpolate
  Vocabulary used = vocabulary_of(system_, parts);
  smt::Path path = path_over(terms_, used, parts);
  for (const std::unique_ptr<smt::Interpolator>& source : sources_) {
    if (ctx_.stopped()) return {};
    std::optional<smt::Sequence> sequence;
    {
      TimerScope timer(ctx_.stats.timer("ctigar.interpolant-" + std::string(source->name())));
      sequence = source->interpolate(path);
    }
    if (!sequence) continue;
    Term cut = (*sequence)[path.steps.size()];
    if (auto found = accepted(task, source->name(), predicates_of(terms_.make_not(cut))))
      return found;
  }
  return {};
}

std::vector<Term> CtigarRefiner::predicates_of(Term formula) const {
  std::vector<Term> found;
  auto keep = [&](Term part) {
    for (Term predicate : domain_.split(part)) found.push_back(predicate);
  };
  if (config_.keep != Keep::Atoms) keep(formula);
  if (config_.keep != Keep::Whole)
    for (Term atom : atoms_of(terms_, formula)) keep(atom);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Predicates that tell the state from all others: they make every query pass that the concrete
/// state passes.
std::vector<Term> CtigarRefiner::values_of(const Assignment& state) const {
  ++ctx_.stats.counter("ctigar.predicates-from-values");
  std::vector<Term> found;
  for (Term literal : state.literals(system_))
    for (Term predicate : domain_.split(literal)) found.push_back(predicate);
  return found;
}

}  // namespace lem::engine
