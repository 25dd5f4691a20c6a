#include "frontend/st/st.h"

#include "base/try.h"
#include "frontend/st/configuration.h"
#include "frontend/st/declarations.h"
#include "frontend/st/lexer.h"
#include "frontend/st/parser.h"
#include "frontend/st/translate/translator.h"
#include "frontend/st/xml_files.h"

namespace lem {

/// Adds the declarations of a file to the unit; the programs that its CONFIGURATION runs are
/// returned.
static Result<std::vector<st::ConfiguredProgram>> parse_text(const std::string& path,
                                                             std::string_view bytes, st::Unit& unit,
                                                             std::vector<Warning>& warnings) {
  if (st::is_container(bytes)) return st::read_container(path, bytes, unit, warnings);
  LEM_LET(std::vector<st::Token> tokens, st::tokenize(path, bytes));
  st::Parser parser(std::move(tokens), warnings);
  LEM_TRY(parser.unit(unit));
  return parser.configured();
}

Result<StProgram> read_st(const std::string& path, std::string_view bytes, const StOptions& options,
                          Remarks* remarks) {
  std::vector<Warning> warnings;
  st::Unit unit;
  LEM_LET(std::vector<st::ConfiguredProgram> programs, parse_text(path, bytes, unit, warnings));
  if (options.entry.empty()) LEM_TRY(st::add_configuration(unit, std::move(programs)));
  LEM_LET(std::shared_ptr<const st::Program> program, st::resolve(std::move(unit), warnings));
  std::vector<Warning> first = warnings;
  Result<StProgram> program_of = st::Translator(program, options, first).run(path);
  if (!program_of && !options.checks.any() && program_of.error().message == st::kNothingToCheck) {
    StOptions all = options;
    all.checks = {true, true, true};
    first = warnings;
    program_of = st::Translator(program, all, first).run(path);
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
