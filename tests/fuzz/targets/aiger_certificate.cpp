// Witness circuits of AIGER models: none is right for an unsafe circuit.
#include "check/validate.h"
#include "frontend/aiger/aiger.h"
#include "target.h"

using namespace lem;

static bool accepts(const std::string& model_file, std::string_view evidence) {
  Result<Problem> circuit = aiger::read_aiger("certificate", evidence);
  if (!circuit) return false;
  Result<Problem> model =
      aiger::read_aiger("model", fuzz::project_file("tests/fuzz/models/" + model_file));
  fuzz::must(model.ok(), "the fixed model is none");
  fuzz::Deadline deadline(std::chrono::seconds(2));
  return check::validate_certificate(*model, *circuit, {{}, deadline.token()}).ok();
}

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  std::string good = fuzz::project_file("tests/fuzz/corpus/aiger_certificate/accepted");
  fuzz::must(accepts("counter_safe.aag", good), "good evidence is refused");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::must(!accepts("counter_unsafe.aag", fuzz::text_of(data, size)),
             "wrong evidence is accepted");
  return 0;
}
