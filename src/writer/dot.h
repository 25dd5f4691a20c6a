// Control-flow automata as Graphviz text. Tests: tests/unit/writer/dot_test.cpp.
#pragma once

#include <string>

#include "base/result.h"
#include "model/cfa.h"

namespace lem::writer {

/// A graph for `dot`: locations with their source lines, edges with their commands, a line each.
std::string write_dot(const Cfa& cfa);

/// The picture, made by Graphviz's `dot`; an error if that is not installed.
Result<std::string> draw_svg(const std::string& graph);

}  // namespace lem::writer
