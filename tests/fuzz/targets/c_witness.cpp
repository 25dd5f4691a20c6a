// Runs of C programs in YAML, up to the replay on the automaton (nothing is compiled here): none is
// right for a safe program.
#include "base/sha256.h"
#include "check/c/witness_file.h"
#include "check/cfa.h"
#include "loop_program.h"

using namespace lem;

static bool accepts(const Problem& program, std::string_view evidence) {
  ctext::CText text = *ctext::CText::read(program.source.file);
  std::string witness = fuzz::about(std::string(evidence), sha256(text.text()), program);
  Result<check::WitnessEntry> entry =
      check::read_witness("witness", witness, check::WitnessKind::ViolationSequence);
  if (!entry) return false;
  CMarks marks = fuzz::loop_marks();
  ctext::CPlaces places(program.cfa(), *program.source.c, marks, text);
  Result<check::WitnessRun> run =
      check::run_of(program.cfa(), *program.source.c, places, entry->waypoints);
  return run && run->undecided.empty() && !check::replay(program.cfa(), run->trace, {});
}

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  std::string good = fuzz::project_file("tests/fuzz/corpus/c_witness/accepted");
  fuzz::must(accepts(fuzz::loop_unsafe(), good), "good evidence is refused");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::must(!accepts(fuzz::loop_safe(), fuzz::text_of(data, size)), "wrong evidence is accepted");
  return 0;
}
