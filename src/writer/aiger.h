// Writes AIGER: models, witnesses of unsafe properties and witness circuits of safe ones. Each
// result is one string; writer/file.h puts it on disk.
//
// Certificates follow the Certifaiger convention [Yu21; Yu22]:
// docs/formats.md says what is in them, check/validate.h what is checked. Tests:
// tests/unit/writer/aiger_test.cpp, tests/unit/check/validate_test.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

enum class AigerEncoding : std::uint8_t { Ascii, Binary };

/// Binary for names that end in ".aig", else ascii.
AigerEncoding aiger_encoding_for(const std::string& path);

/// The model with its properties, constraints, symbols and comments. Properties become outputs if
/// they were outputs in the file they come from, else bad states. Numbering is dense.
std::string write_aiger(const Problem& problem, AigerEncoding encoding);

/// How witnesses name a property: `b` or `j` and its number among those of its kind.
std::string witness_symbol(const Problem& problem, std::size_t property);

/// `1`, the property, the latches at step 0, the inputs of every step, `.`. After the last step
/// of a lasso the state is an earlier one.
///   require: the verdict is Unsafe, for that property of the model
std::string write_aiger_witness(const Problem& original, std::size_t property_index,
                                const check::Certified& certified);

/// The witness circuit of the one property of `focused_original`.
///   require: the verdict is Safe
std::string write_certificate(const Problem& focused_original, const check::Certified& certified,
                              AigerEncoding encoding);

}  // namespace lem::writer
