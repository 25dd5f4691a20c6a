#include "frontend/lustre/lustre.h"

#include <memory>
#include <utility>

#include "frontend/lustre/checker.h"
#include "frontend/lustre/elaborator.h"
#include "frontend/lustre/lexer.h"
#include "frontend/lustre/parser.h"
#include "frontend/lustre/system.h"

namespace lem::lustre {

namespace {

Result<Problem> read_text(const std::string& path, std::string_view bytes, Remarks* remarks,
                          std::string_view main) {
  auto tokens = tokenize(bytes);
  if (!tokens) return tokens.error();
  auto program = Parser(*std::move(tokens)).run();
  if (!program) return program.error();
  if (Status status = Checker(*program, main).run(); !status) return status.error();
  auto terms = std::make_shared<TermStore>();
  auto parts = Elaborator(*program, *terms).run();
  if (!parts) return parts.error();
  return make_problem(path, std::move(terms), *std::move(parts), remarks);
}

}  // namespace

Result<Problem> read_lustre(const std::string& path, std::string_view bytes, Remarks* remarks,
                            std::string_view main) {
  auto problem = read_text(path, bytes, remarks, main);
  if (problem) return problem;
  Error error = problem.error();
  error.at.file = path;
  return error;
}

Enumerators read_enumerators(std::string_view bytes, std::string_view main) {
  Enumerators out;
  auto tokens = tokenize(bytes);
  if (!tokens) return out;
  auto program = Parser(*std::move(tokens)).run();
  if (!program || !Checker(*program, main).run()) return out;
  for (const Variable& variable : (*program)[program->main].vars)
    for (const Leaf& leaf : program->types.leaves(variable.type))
      if (const Type& type = program->types[leaf.type]; type.kind == TypeKind::Enum)
        out[variable.name + leaf.path] = type.enumerators;
  TermStore terms;
  if (auto parts = Elaborator(*program, terms).run())  // names of states, as in the problem
    out.merge(parts->enumerators);
  return out;
}

}  // namespace lem::lustre
