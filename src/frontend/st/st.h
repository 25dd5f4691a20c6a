// PLC programs in Structured Text and SCL, as text, in PLCopen XML or in TwinCAT's .TcPOU, to
// control-flow automata that run one scan cycle after the other. docs/plc.md has the language, what
// it means and the requirements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/st/options.h"
#include "model/problem.h"
#include "model/remarks.h"
#include "model/st/source.h"

namespace lem {

Result<StProgram> read_st(const std::string& path, std::string_view bytes, const StOptions& options,
                          Remarks* remarks = nullptr);
/// The same with a property for each of the program's.
Problem st_problem(const std::string& path, StProgram program);

/// `implication: p | q`, as on the command line.
Result<StRequirement> parse_requirement(const std::string& text);
/// Requirements, entry block, parameters and assumptions from a file: YAML, JSON or PLCverif's
/// .vc3; what it says is added to `options`.
Status read_requirements(const std::string& path, std::string_view bytes, StOptions& options);
/// The lines of a proof in Structured Text (writer/st_invariant.h); they go to StOptions::claims.
struct StProof {
  std::string property;
  std::vector<StClaimText> claims;
};
Result<StProof> read_proof(const std::string& path, std::string_view bytes);
/// `nondet`, `fixed:MS` or `range:MIN:MAX`.
Status parse_time(const std::string& text, StOptions& options);
/// `overflow,division,bounds`.
Status parse_checks(const std::string& text, StOptions& options);

}  // namespace lem
