#include "app/evidence/c_evidence.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <map>

#include "app/evidence/form.h"
#include "app/version.h"
#include "check/c/harness.h"
#include "check/c/patch.h"
#include "check/c/readable.h"
#include "writer/c_trace.h"
#include "writer/c_witness.h"

namespace lem::app {

/// Bitcode has no source text.
static Result<ctext::CText> source_text(const Problem& program) {
  const std::string& file = program.source.file;
  std::string extension = extension_of(file);
  if (program.source.c == nullptr || extension == ".ll" || extension == ".bc")
    return Error{{file}, "evidence about programs needs their C source", ErrorKind::Usage};
  return ctext::CText::read(file);
}

static writer::CWitnessTask task_of(const Problem& program) {
  std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return {program.source.file, std::string(version()),
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))};
}

static std::string with_losses(const writer::CWitness& witness) {
  std::string out = witness.text;
  if (witness.lost > 0)
    out += fmt::format("# {} parts cannot be said in the variables in scope\n", witness.lost);
  if (witness.unwound > 0)
    out += fmt::format("# loops are unwound, at most {} rounds: there is no invariant of theirs\n",
                       witness.unwound);
  if (witness.lost_loops > 0)
    out += fmt::format("# {} loops have no line of their own\n", witness.lost_loops);
  return out;
}

Result<std::string> c_invariants(const Problem& program, const check::Certified& outcome) {
  Result<ctext::CText> text = source_text(program);
  if (!text) return text.error();
  writer::CWitnessTask task = task_of(program);
  task.readable = [&](Term fact) { return check::readable(program.cfa().terms(), fact, {}); };
  Result<writer::CWitness> witness = writer::write_invariant_set(
      program.cfa(), *program.source.c, *program.source.c->marks, *text, outcome, task);
  if (!witness) return witness.error();
  return with_losses(*witness);
}

/// Inputs of a run that are no calls in the program's text: volatile memory, arguments.
struct Unnamed {
  std::size_t count = 0;
  std::uint32_t line = 0;  // of the first; 0: it has none

  std::string text() const {
    return fmt::format("{} of this run {} not{}", count, count == 1 ? "is" : "are",
                       line == 0 ? "" : fmt::format(", the first at line {}", line));
  }
};

static Unnamed unnamed_inputs(const Problem& program, const ctext::CText& text,
                              const CfaTrace& run) {
  const CSource& source = *program.source.c;
  ctext::CPlaces places(program.cfa(), source, *source.marks, text);
  std::map<EdgeId, std::vector<const CInput*>> inputs;
  for (const CInput& input : source.inputs)
    if (!places.call_end(input)) inputs[input.edge].push_back(&input);
  Unnamed out;
  for (EdgeId edge : run.edges)
    for (const CInput* input : inputs[edge])
      if (out.count++ == 0) out.line = input->at.line;
  return out;
}

Result<CViolation> c_violation(const Problem& program, const check::Certified& outcome) {
  Result<ctext::CText> text = source_text(program);
  if (!text) return text.error();
  Result<writer::CWitness> witness = writer::write_violation_sequence(
      program.cfa(), *program.source.c, *program.source.c->marks, *text, outcome, task_of(program));
  if (!witness) return witness.error();
  Unnamed unnamed = unnamed_inputs(program, *text, run_as<CfaTrace>(outcome.verdict()));
  std::string note;
  if (unnamed.count > 0)
    note = "witnesses in YAML have words only for inputs that are calls, and " + unnamed.text() +
           "; --witness FILE.txt (steps) and FILE.c (a harness) have them";
  return CViolation{with_losses(*witness), note};
}

Result<CViolation> c_harness(const Problem& program, const check::Certified& outcome) {
  Result<ctext::CText> text = source_text(program);
  if (!text) return text.error();
  const CfaTrace& run = run_as<CfaTrace>(outcome.verdict());
  const Cfa& cfa = program.cfa();
  const CSource& source = *program.source.c;
  Result<std::string> harness = check::harness_text(cfa, source, run, program.source.file,
                                                    source.about(program.property().name));
  if (!harness) return harness.error();
  std::uint32_t last = run.edges.empty() ? 0 : cfa[run.edges.back()].line;
  check::Patch patch =
      check::patch_program(*text, cfa.terms(), check::open_values(cfa, source, run), last);
  std::string all = *harness + patch.functions + patch.instructions;
  Unnamed unnamed = unnamed_inputs(program, *text, run);
  if (unnamed.count == 0) return CViolation{all, {}};
  std::string note = "the functions of a harness give only inputs that are calls, and " +
                     unnamed.text() + ": it lists their values, to be put into the program by hand";
  return CViolation{all + "// " + note + "\n", note};
}

Result<std::string> c_steps(const Problem& program, const check::Certified& outcome) {
  Result<ctext::CText> text = source_text(program);
  if (!text) return text.error();
  return writer::c_trace_text(program, *text, outcome);
}

}  // namespace lem::app
