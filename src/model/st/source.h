// What an automaton's variables, locations and properties are in the PLC program it was made from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/assert.h"
#include "model/cfa.h"
#include "model/st/program.h"

namespace lem {

/// Names of variables that the program does not have.
inline constexpr const char* kStClock = "__CLOCK";  // milliseconds since the start
inline constexpr const char* kStCycle = "__CYCLE";  // the length of a cycle

struct StVariable {
  /// Time: the age of a timer, the clock, the length of a cycle.
  enum class Role : std::uint8_t { Input, InOut, Output, State, Temp, Parameter, Time, Internal };
  Term term{};
  std::string name{};              // x, instance.x, a[3]; empty for internal ones
  const st::Type* type = nullptr;  // of the scalar; of one element where the term is an array
  Role role = Role::Internal;
  bool arbitrary = false;  // any value at the start: parameters, retained variables on request
};

struct StProperty {
  enum class Kind : std::uint8_t {
    Assertion,
    Requirement,
    Reachability,
    Overflow,
    Division,
    Bounds
  };
  std::string name;
  Kind kind;
  LocationId error;
  SourcePos at;
  std::string text;  // what is claimed
  // Of requirements
  std::string pattern{};
  std::optional<LocationId> premise{};  // reached where the condition of `if ..., then` holds
  std::vector<st::ExprPtr> parts{};
};

/// Something that the program leaves open: a read out of bounds, a division by zero.
struct StChoice {
  Term variable;
  SourcePos at;
};

/// What a proof says; see StClaimText in frontend/st/options.h.
struct StClaim {
  std::size_t loop = 0;
  Term holds;
};

struct StSource {
  std::shared_ptr<const st::Program> program;
  std::string entry;                  // the block that runs in every cycle
  std::vector<StVariable> variables;  // in the order of the automaton's
  std::vector<StProperty> properties;
  std::vector<StChoice> choices;
  std::vector<StClaim> claims;  // of a proof, where one was to be read
  ///   require: a property of that name
  const StProperty& about(const std::string& property) const {
    for (const StProperty& one : properties)
      if (one.name == property) return one;
    assert(false && "properties come from the source");
    return properties.front();
  }
  /// Whether a variable is one of the program's, or of its timers, and has a place in a table.
  bool is_shown(std::size_t variable) const {
    const StVariable& one = variables[variable];
    return !one.name.empty() && one.type != nullptr && one.role != StVariable::Role::Internal &&
           one.role != StVariable::Role::Temp;
  }
  /// Scan cycles that a run along these edges begins.
  std::size_t cycles(const Cfa& cfa, std::span<const EdgeId> edges) const {
    return static_cast<std::size_t>(std::count_if(
        edges.begin(), edges.end(), [&](EdgeId edge) { return cfa[edge].to == cycle_begin; }));
  }
  /// Where there are assumptions: reached when some cycle keeps them to its end.
  std::optional<LocationId> ended{};
  LocationId head{};                      // between two cycles
  LocationId cycle_begin{}, cycle_end{};  // inputs are taken; the entry block has run
};

/// A PLC program as an automaton. Its error is that of the first property; the others' locations
/// are in the source.
struct StProgram {
  Cfa cfa;
  std::shared_ptr<const StSource> source;
};

}  // namespace lem
