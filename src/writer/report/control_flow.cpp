// The control flow of a program, drawn by Graphviz. The page links locations to source lines.
#include <fmt/format.h>

#include <chrono>
#include <sstream>

#include "writer/dot.h"
#include "writer/report/parts.h"

namespace lem::writer::report {

namespace {

constexpr std::size_t kMostEdges = 300;  // a larger picture shows nothing
constexpr std::size_t kMostLines = 4;    // of an edge
constexpr std::size_t kMostColumns = 44;
constexpr std::chrono::seconds kTime{10};

/// The first lines of a command, cut to a width.
std::string shortened(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    if (count == kMostLines) return out + "...\n";
    if (line.size() > kMostColumns) {
      std::size_t end = kMostColumns;
      while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
      line = line.substr(0, end) + "...";
    }
    out += line + "\n";
  }
  return out;
}

std::string graph_of(const Cfa& cfa) {
  std::string out =
      "digraph cfa {\n  bgcolor=\"transparent\";\n  node [shape=circle, fontname=\"Helvetica\"];\n"
      "  edge [fontname=\"Courier\", fontsize=10];\n";
  for (std::uint32_t i = 0; i < cfa.locations().size(); ++i) {
    LocationId id{i};
    std::string line = cfa[id].line == 0 ? "" : std::to_string(cfa[id].line);
    const char* shape = id == cfa.initial() ? "doublecircle"
                        : id == cfa.error() ? "octagon"
                                            : "circle";
    out += fmt::format("  n{0} [id=\"n{0}\", label=\"{1}\", shape={2}, class=\"{3}\"];\n", i,
                       id == cfa.error() && line.empty() ? "error" : line, shape,
                       id == cfa.error() ? "error" : "");
  }
  for (std::uint32_t i = 0; i < cfa.edges().size(); ++i) {
    const CfaEdge& edge = cfa.edges()[i];
    out += fmt::format("  n{} -> n{} [id=\"e{}\", label={}];\n", index(edge.from), index(edge.to),
                       i, dot_label(shortened(command_lines(cfa.terms(), edge.command))));
  }
  return out + "}\n";
}

}  // namespace

Json control_flow(const Subject& subject) {
  if (!subject.problem.is_program()) return {};
  const Cfa& cfa = subject.problem.cfa();
  if (cfa.edges().size() > kMostEdges)
    return {{"note", fmt::format("The automaton has {} edges, too many for a picture here; "
                                 "`lemmata convert` draws it.",
                                 cfa.edges().size())}};
  Result<std::string> picture = draw_svg(graph_of(cfa), kTime);
  if (!picture)
    return {{"note", "There is no picture: `dot` of the package graphviz failed or is missing."}};
  Json lines = Json::object();
  for (std::uint32_t i = 0; i < cfa.locations().size(); ++i)
    if (cfa.locations()[i].line != 0)
      lines[fmt::format("n{}", i)] = row_of(subject, cfa.locations()[i].line);
  for (std::uint32_t i = 0; i < cfa.edges().size(); ++i)
    if (cfa.edges()[i].line != 0)
      lines[fmt::format("e{}", i)] = row_of(subject, cfa.edges()[i].line);
  return {{"svg", *std::move(picture)}, {"lines", std::move(lines)}};
}

Json growth(const Growth& growth) {
  Json out = Json::array();
  for (const auto& [engine, samples] : growth.engines()) {
    Json& series = out.emplace_back(Json{{"engine", engine}, {"samples", Json::array()}});
    for (const GrowthSample& sample : samples) {
      Json row{{"t", sample.seconds}, {"memory", sample.memory_bytes}, {"counts", Json::object()}};
      for (const auto& [name, count] : sample.counts) row["counts"][name] = count;
      if (!sample.lemmas.empty()) {
        row["lemmas"] = sample.lemmas;
        row["first"] = sample.first_frame;
      }
      series["samples"].push_back(std::move(row));
    }
  }
  return out;
}

}  // namespace lem::writer::report
