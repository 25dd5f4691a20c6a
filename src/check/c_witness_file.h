// SV-COMP witnesses 2.0 [Ayaziova24] of C programs, read and judged without any engine. A file must
// keep to the format and be about this very program. Its invariants must be inductive from loop to
// loop and exclude the error; its waypoints must describe a run, which is executed on the
// automaton, replayed, and run natively. Of waypoints we follow those that we write:
// function_return with
// `\result == number`, assumption with `variable == number`, and target. Tests:
// tests/unit/evidence_c/witness_test.cpp.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/terms.h"
#include "model/c_places.h"
#include "model/cfa_evidence.h"
#include "model/problem.h"

namespace lem::check {

struct WitnessInvariant {
  CPlace::Kind kind = CPlace::Kind::Loop;
  std::uint32_t row = 0;
  std::uint32_t column = 0;  // 0: none given
  std::string value;
};

struct Waypoint {
  std::string type;  // assumption, function_return, target ...
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::string value;  // "" if there is no constraint
};

/// One entry of a witness file.
struct WitnessEntry {
  std::string file_hash;  // of the first input file
  std::string data_model;
  std::vector<WitnessInvariant> invariants;  // of an invariant_set
  std::vector<Waypoint> waypoints;           // of a violation_sequence, in order
};
enum class WitnessKind : std::uint8_t { InvariantSet, ViolationSequence };

/// Fails on what the format does not allow.
Result<WitnessEntry> read_witness(const std::string& path, const std::string& text,
                                  WitnessKind kind);

/// Whether invariants at the heads of loops prove that no run ends in the error: from the start and
/// from each head along the paths to the next. Missing ones are true.
///   require: every cycle passes a head; `at` is by location, null where nothing is claimed
TermFinding check_loop_invariants(const Cfa& cfa, const std::vector<LocationId>& heads,
                                  const std::vector<Term>& at, std::stop_token stop);

/// The run that the waypoints describe.
Result<CfaTrace> run_of(const Cfa& cfa, const CSource& source, const CText& text,
                        const std::vector<Waypoint>& waypoints);

}  // namespace lem::check
