// Witness circuits of BTOR2 models: none is right for an unsafe system.
#include "check/validate.h"
#include "frontend/btor2/btor2.h"
#include "target.h"

using namespace lem;

static bool accepts(const std::string& model_file, std::string_view evidence) {
  Result<Problem> circuit = btor2::read_btor2("certificate", evidence);
  if (!circuit) return false;
  Result<Problem> model =
      btor2::read_btor2("model", fuzz::project_file("tests/fuzz/models/" + model_file));
  fuzz::must(model.ok(), "the fixed model is none");
  fuzz::Deadline deadline(std::chrono::seconds(2));
  return check::validate_btor2_certificate(*model, *circuit, "certificate", evidence,
                                           {{}, deadline.token()})
      .ok();
}

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  std::string good = fuzz::project_file("tests/fuzz/corpus/btor2_certificate/accepted");
  fuzz::must(accepts("words_safe.btor2", good), "good evidence is refused");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::must(!accepts("words_unsafe.btor2", fuzz::text_of(data, size)),
             "wrong evidence is accepted");
  return 0;
}
