#include "writer/dot.h"

#include <fmt/format.h>

#include <chrono>

#include "base/assert.h"
#include "base/process.h"
#include "writer/infix.h"

namespace lem::writer {

namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// A line for every assignment and guard; choices in braces.
void list(const TermStore& terms, const Command& command, const std::string& indent,
          std::string& out) {
  auto line = [&](const std::string& text) { out += indent + text + "\n"; };
  switch (command.kind()) {
    case Command::Kind::Assign:
      line(terms.name(command.variable()) + " = " + infix_text(terms, command.value()));
      return;
    case Command::Kind::Assume:
      line("[" + infix_text(terms, command.guard()) + "]");
      return;
    case Command::Kind::Havoc:
      line(terms.name(command.variable()) + " = *");
      return;
    case Command::Kind::Sequence:
      for (const Command& part : command.parts()) list(terms, part, indent, out);
      return;
    case Command::Kind::Choice:
      for (const Command& part : command.parts()) {
        line("{");
        list(terms, part, indent + "  ", out);
        line("}");
      }
      return;
  }
  unreachable();
}

}  // namespace

std::string command_lines(const TermStore& terms, const Command& command) {
  std::string out;
  list(terms, command, "", out);
  return out;
}

std::string dot_label(const std::string& lines) {
  std::string out = "\"";
  for (char c : lines) {
    if (c == '\n') {
      out += "\\l";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string write_dot(const Cfa& cfa) {
  std::string out =
      "digraph cfa {\n  node [shape=circle, fontname=\"Helvetica\"];\n"
      "  edge [fontname=\"Courier\", fontsize=10];\n";
  for (std::uint32_t i = 0; i < cfa.locations().size(); ++i) {
    LocationId id{i};
    const Location& location = cfa[id];
    std::string name = location.line == 0 ? location.name : std::to_string(location.line);
    std::string style;
    if (id == cfa.initial()) style = ", shape=doublecircle";
    if (id == cfa.error()) style = ", shape=octagon, style=filled, fillcolor=\"#f4c7c3\"";
    out += fmt::format("  n{} [label={}{}];\n", i, in_quotes(name), style);
  }
  for (const CfaEdge& edge : cfa.edges()) {
    std::string label = dot_label(command_lines(cfa.terms(), edge.command));
    out += fmt::format("  n{} -> n{} [label={}];\n", index(edge.from), index(edge.to), label);
  }
  return out + "}\n";
}

Result<std::string> draw_svg(const std::string& graph, std::chrono::milliseconds time) {
  Invocation dot{.args = {"dot", "-Tsvg"}, .input = graph, .keep_output = true};
  ProcessEnd end = run_process(dot, {.time = time}, {});
  if (end.fine()) return std::move(end.output);
  return Error{{},
               "cannot draw: 'dot' of the package graphviz failed or is not installed",
               ErrorKind::NotFound};
}

}  // namespace lem::writer
