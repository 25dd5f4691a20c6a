// What an automaton's variables, locations and properties are in the PLC program it was made from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/cfa.h"
#include "model/st/program.h"

namespace lem {

struct StVariable {
  enum class Role : std::uint8_t { Input, InOut, Output, State, Temp, Parameter, Internal };
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
  std::vector<st::ExprPtr> parts{};
};

/// Something that the program leaves open: a read out of bounds, a division by zero.
struct StChoice {
  Term variable;
  SourcePos at;
};

struct StSource {
  std::shared_ptr<const st::Program> program;
  std::string entry;                  // the block that runs in every cycle
  std::vector<StVariable> variables;  // in the order of the automaton's
  std::vector<StProperty> properties;
  std::vector<StChoice> choices;
  LocationId cycle_begin{}, cycle_end{};  // inputs are taken; the entry block has run
};

/// A PLC program as an automaton. Its error is that of the first property; the others' locations
/// are in the source.
struct StProgram {
  Cfa cfa;
  std::shared_ptr<const StSource> source;
};

}  // namespace lem
