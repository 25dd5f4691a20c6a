// What the preprocessing steps on control-flow automata share [Lange18 5.1.2]: each gives a
// smaller automaton and the way back for evidence about it. Steps compose; the checker judges the
// evidence on the automaton before the first. Tests: tests/unit/transform/cfa_*_test.cpp,
// tests/fuzz/cfa_preprocess_fuzz_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/evidence/cfa.h"
#include "transform/transform.h"

namespace lem::transform {

struct Reduction {
  Cfa cfa;
  std::unique_ptr<CfaBackTranslator> back;
};

/// Where the parts of a reduced automaton come from.
struct CfaOrigins {
  std::vector<LocationId> location;  // by new location: the old one
  std::vector<EdgeId> edge;          // by new edge

  /// An invariant for each old location: that of its image, `elsewhere` where it has none.
  LocationInvariants spread(const LocationInvariants& claim, std::vector<Term> elsewhere) const;
  /// The same values along the old edges.
  CfaTrace along(const CfaTrace& run) const;
};

struct Derived {
  Cfa cfa;
  CfaOrigins origins;
};

/// The automaton over `variables` with the locations that `kept` says, the initial and the error
/// location, and with the edges between them that have a command.
///   require: kept by old location, commands by old edge, over `variables`
Derived derive(const Cfa& old, std::span<const Term> variables, const std::vector<bool>& kept,
               std::span<const std::optional<Command>> commands);

/// The commands as they are, for derive().
std::vector<std::optional<Command>> commands_of(const Cfa& cfa);

}  // namespace lem::transform
