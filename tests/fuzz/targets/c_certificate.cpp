// Invariants of C programs in YAML: none are right for an unsafe program.
#include "base/sha256.h"
#include "check/validate.h"
#include "ctext/text.h"
#include "loop_program.h"

using namespace lem;

static bool accepts(const Problem& program, std::string_view evidence) {
  ctext::CText text = *ctext::CText::read(program.source.file);
  std::string certificate = fuzz::about(std::string(evidence), sha256(text.text()), program);
  fuzz::Deadline deadline(std::chrono::seconds(2));
  return check::validate_c_certificate(program, fuzz::loop_marks(), "certificate", certificate,
                                       {{}, deadline.token()})
      .ok();
}

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  std::string good = fuzz::project_file("tests/fuzz/corpus/c_certificate/accepted");
  fuzz::must(accepts(fuzz::loop_safe(), good), "good evidence is refused");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::must(!accepts(fuzz::loop_unsafe(), fuzz::text_of(data, size)),
             "wrong evidence is accepted");
  return 0;
}
