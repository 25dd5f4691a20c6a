// Sequence interpolants from one refutation. The asserted clauses are in parts 0..n; for every cut
// between part i and part i + 1 a formula over the variables that both sides have follows from the
// parts up to i and contradicts the others.
//
// Labels of shared literals choose the system: McMillan's (the strongest of the three), Pudlak's,
// and the dual of McMillan's (the weakest). The leaf of an arithmetic conflict is the weighted sum
// of its bounds on the side of A [McMillan05]. All cuts are labelled alike, so the results are a
// sequence: each one and the part behind its cut imply the next.
// Tests: tests/unit/smt/arith_test.cpp.
#pragma once

#include <vector>

#include "arith/dpllt.h"
#include "term/term_store.h"

namespace lem::arith {

enum class System : std::uint8_t { McMillan, Pudlak, Dual };
constexpr std::string_view words(System) {
  return "mcmillan|pudlak|dual";
}

/// The terms of what may occur in interpolants, by variable and column of the solver; no term for
/// what is local to a part.
struct Vocabulary {
  std::vector<Term> booleans;  // by variable; those that are no atoms
  std::vector<Term> columns;
};

/// One formula for each of the cuts 0 .. cuts - 1.
///   require: the solver's last answer was Unsat, with a proof
std::vector<Term> interpolate(TermStore& terms, const Dpllt& solver, const Vocabulary& vocabulary,
                              std::uint32_t cuts, System system);

}  // namespace lem::arith
