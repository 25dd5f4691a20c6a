// The theories of the terms of a store, by which solvers choose their configuration.
#pragma once

#include "term/term_store.h"

namespace lem::smt {

struct Theories {
  bool integers = false;
  bool reals = false;
  bool bit_vectors = false;
  bool floats = false;
  bool arrays = false;
  bool finite_arrays = false;  // over finitely many indices
  bool nonlinear = false;
};

Theories theories_of(const TermStore& terms);

}  // namespace lem::smt
