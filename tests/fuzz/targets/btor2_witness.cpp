// BTOR2 witnesses: none is right for a safe system.
#include "check/validate.h"
#include "frontend/btor2/btor2.h"
#include "target.h"

using namespace lem;

static bool accepts(const std::string& model_file, std::string_view evidence) {
  Result<Problem> model =
      btor2::read_btor2("model", fuzz::project_file("tests/fuzz/models/" + model_file));
  fuzz::must(model.ok(), "the fixed model is none");
  return check::validate_btor2_witness(*model, "witness", evidence).ok();
}

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  std::string good = fuzz::project_file("tests/fuzz/corpus/btor2_witness/accepted");
  fuzz::must(accepts("words_unsafe.btor2", good), "good evidence is refused");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::must(!accepts("words_safe.btor2", fuzz::text_of(data, size)), "wrong evidence is accepted");
  return 0;
}
