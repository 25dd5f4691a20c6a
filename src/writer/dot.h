// Control-flow automata as Graphviz text. Tests: tests/unit/writer/dot_test.cpp.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "model/cfa.h"

namespace lem::writer {

/// A graph for `dot`: locations with their source lines, edges with their commands, a line each.
std::string write_dot(const Cfa& cfa);

/// The picture, made by Graphviz's `dot`; an error if that is not installed.
Result<std::string> draw_svg(const std::string& graph,
                             std::chrono::milliseconds time = std::chrono::minutes(10));

/// What the command of an edge does, a line for each assignment and guard.
std::string command_lines(const TermStore& terms, const Command& command);
/// Lines as a left-aligned label in dot's notation.
std::string dot_label(const std::string& lines);

}  // namespace lem::writer
