#include "engine/parts/terms/path_parts.h"

#include <algorithm>

#include "term/traverse.h"

namespace lem::engine {

PathAnswer ask_path(smt::SmtSolver& solver, TermUnroller& path, PathParts parts, Core core) {
  std::vector<Term> assumptions;
  std::vector<Term*> origins;
  auto demand = [&](Term& part, Term here) {
    if (core == Core::Unwanted) {
      solver.add(here);
      return;
    }
    assumptions.push_back(here);
    origins.push_back(&part);
  };
  for (Term& part : parts.first) demand(part, path.at(part, 0));
  for (std::size_t i = 0; i < parts.steps.size(); ++i)
    for (Term& part : parts.steps[i]) demand(part, path.between(part, i));
  for (Term& part : parts.last) demand(part, path.at(part, parts.steps.size()));
  smt::Answer answer = solver.solve(assumptions);
  if (answer != smt::Answer::Unsat || core == Core::Unwanted) return {answer, std::move(parts)};
  const std::vector<Term>& needed = solver.core();
  for (std::size_t i = 0; i < assumptions.size(); ++i)
    if (std::find(needed.begin(), needed.end(), assumptions[i]) == needed.end())
      *origins[i] = Term();
  std::erase(parts.first, Term());
  for (std::vector<Term>& step : parts.steps) std::erase(step, Term());
  std::erase(parts.last, Term());
  return {answer, std::move(parts)};
}

Vocabulary vocabulary_of(const TermSystem& system, const PathParts& parts) {
  std::vector<Term> roots = parts.first;
  for (const std::vector<Term>& step : parts.steps)
    roots.insert(roots.end(), step.begin(), step.end());
  roots.insert(roots.end(), parts.last.begin(), parts.last.end());
  std::vector<Term> seen = variables_of(system.terms(), roots);
  auto occurs = [&](Term v) { return std::binary_search(seen.begin(), seen.end(), v); };
  Vocabulary used;
  for (std::size_t i = 0; i < system.current().size(); ++i) {
    if (!occurs(system.current()[i]) && !occurs(system.next()[i])) continue;
    used.current.push_back(system.current()[i]);
    used.next.push_back(system.next()[i]);
  }
  return used;
}

smt::Path path_over(TermStore& terms, const Vocabulary& used, const PathParts& parts) {
  smt::Path path{
      used.current, used.next, terms.make_and(parts.first), {}, terms.make_and(parts.last)};
  for (const std::vector<Term>& step : parts.steps) path.steps.push_back(terms.make_and(step));
  return path;
}

}  // namespace lem::engine
