// Control-flow automata as Graphviz text. Tests: tests/unit/writer/dot_test.cpp.
#pragma once

#include <string>

#include "model/cfa.h"

namespace lem {

/// A graph for `dot`: locations with their source lines, edges with their commands, a line each.
std::string write_dot(const Cfa& cfa);

}  // namespace lem
