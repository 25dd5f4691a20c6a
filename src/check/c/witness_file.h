// Reads SV-COMP witnesses 2.0 [Ayaziova24] of C programs and checks them without any engine. A file
// must conform to the format and name this program. Its invariants must hold at their places, by
// induction from loop to loop, and exclude the error; its waypoints must describe a run, which is
// executed on the automaton, replayed, and run natively. Of waypoints we follow function_return
// with `\result == number`, assumption, and target; others are refused. Tests:
// tests/unit/check/c/witness_test.cpp.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/terms.h"
#include "ctext/places.h"
#include "model/evidence/cfa.h"
#include "model/problem.h"

namespace lem::check {

/// Text of a witness file and its position there.
struct WitnessText {
  std::string text;
  SourcePos at;
};

/// A place in the program, as a witness gives it.
struct WitnessLocation {
  std::uint32_t row = 0;
  std::uint32_t column = 0;  // 0: none given
  WitnessText file;
  std::optional<WitnessText> function;
  SourcePos at;  // of the location in the witness
};

struct WitnessInvariant {
  ctext::CPlace::Kind kind = ctext::CPlace::Kind::Loop;
  WitnessLocation location;
  WitnessText value;
};

struct Waypoint {
  std::string type;  // assumption, function_return, target
  WitnessLocation location;
  WitnessText value;  // "" if there is no constraint
};

/// One entry of a witness file.
struct WitnessEntry {
  WitnessText file_name;  // the first input file
  WitnessText file_hash;  // of that
  WitnessText specification;
  WitnessText data_model;
  std::vector<WitnessInvariant> invariants;  // of an invariant_set
  std::vector<Waypoint> waypoints;           // of a violation_sequence, in order
};
enum class WitnessKind : std::uint8_t { InvariantSet, ViolationSequence };

/// Fails on what the format does not allow.
Result<WitnessEntry> read_witness(const std::string& path, const std::string& text,
                                  WitnessKind kind);

/// What is claimed before a command of an edge, or behind the last.
struct PointClaim {
  EdgeId edge{};
  std::size_t command = 0;
  Term claim;
};

/// Whether claims at the heads of loops and at points between them hold, and prove that no run ends
/// in the error: from the start and from each head along the paths to the next.
///   require: every cycle passes a head; `at` is by location, null where nothing is claimed
TermFinding check_invariants_of_text(const Cfa& cfa, const std::vector<LocationId>& heads,
                                     const std::vector<Term>& at,
                                     const std::vector<PointClaim>& points, std::stop_token stop);

struct WitnessRun {
  CfaTrace trace;           // of the program, if `undecided` is empty
  std::string undecided{};  // why it is not known whether there is such a run
};
/// The run that the waypoints describe: it passes all in order and ends in the error at the last
/// one. Malformed waypoints are a BadInput error; if there is no such run, an Internal error. For
/// inputs that are no calls in the program's text (volatile memory, arguments) the format has no
/// waypoints: values for these are searched for.
Result<WitnessRun> run_of(const Cfa& cfa, const CSource& source, const ctext::CPlaces& places,
                          const std::vector<Waypoint>& waypoints, std::stop_token stop = {});

/// The token that a location of a witness means, if it is of that kind and in its function.
Result<ctext::CPlace> place_of(const ctext::CPlaces& places, const WitnessLocation& location,
                               ctext::CPlace::Kind kind);

}  // namespace lem::check
