// Problem: a model, its properties and where they come from. What front ends make and everything
// else shares; immutable once made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/aig.h"

namespace lem {

/// A safety property: `bad` must never hold at a step at which all constraints hold (now and
/// before).
struct Property {
  std::string name;
  AigLit bad;
  std::string symbol{};  // its place in the input file: "b2", "o0"; "" if derived
};

/// How the model's signals are called in the input file. Vectors may be empty (derived models).
struct SourceMap {
  std::string file;
  std::string format;                    // "aiger"
  std::vector<std::string> input_names;  // "" where the file gives none
  std::vector<std::string> latch_names;
  std::vector<std::uint32_t> file_var;  // AIGER variable of each Aig variable
  std::vector<std::string> comments;    // the comment section, a line each
  std::vector<std::string> constraint_names{};
};

struct Problem {
  Aig aig;
  std::vector<Property> properties;
  SourceMap source;

  /// The one property of a problem handed to a transform or an engine.
  const Property& property() const {
    assert(properties.size() == 1 && "engines take one property at a time");
    return properties.front();
  }
};

/// The same model with property `index` alone.
inline Problem focus(const Problem& problem, std::size_t index) {
  assert(index < problem.properties.size() && "no such property");
  return {problem.aig, {problem.properties[index]}, problem.source};
}

}  // namespace lem
