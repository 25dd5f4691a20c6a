#include "engine/ic3ia/seeds.h"

#include <algorithm>

namespace lem {

std::vector<Term> initial_predicates(TermSystem& system, const Problem& problem,
                                     const Ic3iaConfig& config, const Context&) {
  TermStore& terms = system.terms();
  std::vector<Term> found;
  auto add_atoms = [&](Term formula) {
    std::vector<Term> atoms = atoms_of(terms, formula);
    found.insert(found.end(), atoms.begin(), atoms.end());
  };
  add_atoms(system.bad());
  add_atoms(system.init());
  if (config.hints)
    for (Term hint : problem.source.hints) add_atoms(hint);
  return found;
}

}  // namespace lem
