// BTOR2 text: models, witnesses of unsafe properties and witness circuits of safe ones. The
// conventions are in docs/formats.md; check/validate.h reads the evidence back.
// Tests: tests/unit/writer/btor2_test.cpp.
#pragma once

#include <string>

#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// The system with all its properties. Bool becomes bitvec 1. States and inputs of the system come
/// first and in its order; what its relations need comes after them. Error: Int, Real, or a
/// constant array that is no value.
///   require: the model is a transition system
Result<std::string> write_btor2(const Problem& problem);

/// `sat`, `b<property_index>`, frames `#k` (states) and `@k` (inputs), `.`
///   require: the verdict is Unsafe, for that property of the model, which is over Bool, BitVec and
///   arrays of those
std::string write_btor2_witness(const Problem& original, std::size_t property_index,
                                const check::Certified& certified);

/// The model with one bad state, the negation of `invariant & !bad`.
///   require: the verdict is Safe
Result<std::string> write_btor2_certificate(const Problem& focused,
                                            const check::Certified& certified);

}  // namespace lem::writer
