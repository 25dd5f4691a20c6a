// Structured Text: a program that is accepted runs, by the automaton and by the interpreter alike.
#include "frontend/st/st.h"

#include "check/st/replay.h"
#include "support/random_walk.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lem;
  StOptions options;
  options.requirements.push_back({"", "forbidden", {"FALSE"}, {"--require", 1, 1}});
  options.checks = {true, true, true};
  Result<StProgram> program = read_st("program.st", fuzz::text_of(data, size), options);
  if (!program) return 0;
  CfaTrace trace = test::RandomWalk(program->cfa, 1).run(program->source->cycle_end, 2);
  std::string said = check::replay_plc(*program, program->source->properties[0].name, trace, {})
                         .value_or("violated");
  fuzz::must(said.find("has another value") == said.npos, said);
  return 0;
}
