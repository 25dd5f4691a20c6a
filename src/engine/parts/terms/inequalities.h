// Equalities as inequalities, and sums of inequalities.
// Tests: tests/unit/engine/parts/inequalities_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "engine/parts/terms/system.h"
#include "term/term_store.h"

namespace lem::engine {

/// In which orders bit-vectors are compared; numbers have one.
struct BitOrders {
  bool as_signed = false;
  bool as_unsigned = true;
};

/// Those that the system compares in; if it compares no bit-vectors, unsigned.
BitOrders compared_orders(const TermSystem& system);

/// a <= b and b <= a in each order, for an equality a = b of numbers or of bit-vectors: its
/// conjuncts. Nothing for other formulas.
std::vector<Term> sides_of(TermStore& terms, Term formula, BitOrders orders);
/// a < b in each order; nothing for sorts without one.
std::vector<Term> less_than(TermStore& terms, Term a, Term b, BitOrders orders);
/// The sum of two inequalities between numbers of one sort, which both together imply. Nothing if
/// it says nothing.
std::optional<Term> sum_of(TermStore& terms, Term a, Term b);

}  // namespace lem::engine
