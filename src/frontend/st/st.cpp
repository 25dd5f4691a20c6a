#include "frontend/st/st.h"

#include "frontend/st/configuration.h"
#include "frontend/st/containers.h"
#include "frontend/st/declarations.h"
#include "frontend/st/lexer.h"
#include "frontend/st/parser.h"
#include "frontend/st/translate.h"

namespace lem {

/// Adds the declarations of a file to the unit; the programs that its CONFIGURATION runs are
/// returned.
static Result<std::vector<st::ConfiguredProgram>> parse_text(const std::string& path,
                                                             std::string_view bytes, st::Unit& unit,
                                                             std::vector<Warning>& warnings) {
  if (st::is_container(bytes)) return st::read_container(path, bytes, unit, warnings);
  Result<std::vector<st::Token>> tokens = st::tokenize(path, bytes);
  if (!tokens) return tokens.error();
  st::Parser parser(*std::move(tokens), warnings);
  if (Status done = parser.unit(unit); !done) return done.error();
  return parser.configured();
}

Result<StProgram> read_st(const std::string& path, std::string_view bytes, const StOptions& options,
                          Remarks* remarks) {
  std::vector<Warning> warnings;
  st::Unit unit;
  Result<std::vector<st::ConfiguredProgram>> programs = parse_text(path, bytes, unit, warnings);
  if (!programs) return programs.error();
  if (options.entry.empty())
    if (Status done = st::add_configuration(unit, *std::move(programs)); !done) return done.error();
  Result<std::shared_ptr<const st::Program>> program = st::resolve(std::move(unit), warnings);
  if (!program) return program.error();
  std::vector<Warning> first = warnings;
  Result<StProgram> program_of = st::Translator(*program, options, first).run(path);
  if (!program_of && !options.checks.any() && program_of.error().message == st::kNothingToCheck) {
    StOptions all = options;
    all.checks = {true, true, true};
    first = warnings;
    program_of = st::Translator(*program, all, first).run(path);
  }
  warnings = std::move(first);
  if (remarks != nullptr) remarks->warnings = std::move(warnings);
  return program_of;
}

Problem st_problem(const std::string& path, StProgram program) {
  Problem out{std::move(program.cfa), {}, {}};
  out.source.file = path;
  out.source.format = "st";
  for (const StProperty& one : program.source->properties) {
    bool goal = one.kind == StProperty::Kind::Reachability;
    out.properties.push_back(
        {one.name, ErrorLocation{one.error}, {}, goal ? Goal::Reach : Goal::Avoid, one.at});
  }
  out.source.st = std::move(program.source);
  return out;
}

}  // namespace lem
