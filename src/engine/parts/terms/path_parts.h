// A path formula as its conjuncts, so that an unsatisfiable core says which of them a contradiction
// needs: what refinement by interpolation starts from.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/parts/terms/system.h"
#include "smt/interpolate/interpolator.h"
#include "smt/smt_solver.h"

namespace lem::engine {

struct PathParts {
  std::vector<Term> first;               // over X
  std::vector<std::vector<Term>> steps;  // over X, I, X'
  std::vector<Term> last;                // over X
};

struct PathAnswer {
  smt::Answer answer;
  PathParts parts;  // those of an unsatisfiable core, if there is one; else all
};

/// Whether some run satisfies all parts. Without `Core::Wanted` they are asserted, not assumed.
enum class Core : std::uint8_t { Unwanted, Wanted };
PathAnswer ask_path(smt::SmtSolver& solver, TermUnroller& path, PathParts parts, Core core);

/// State variables that the parts mention: interpolants need no others.
struct Vocabulary {
  std::vector<Term> current, next;
};
Vocabulary vocabulary_of(const TermSystem& system, const PathParts& parts);

/// What an interpolator is asked. Borrows the vocabulary.
smt::Path path_over(TermStore& terms, const Vocabulary& used, const PathParts& parts);

}  // namespace lem::engine
