// Counterexample tables: none is right for a safe system.
#include "check/validate.h"
#include "frontend/vmt/vmt.h"
#include "target.h"

using namespace lem;

static bool accepts(const std::string& model_file, std::string_view evidence) {
  Result<Problem> model =
      vmt::read_vmt("model", fuzz::project_file("tests/fuzz/models/" + model_file));
  fuzz::must(model.ok(), "the fixed model is none");
  return check::validate_term_witness(*model, "witness", evidence).ok();
}

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  std::string good = fuzz::project_file("tests/fuzz/corpus/table_witness/accepted");
  fuzz::must(accepts("numbers_unsafe.vmt", good), "good evidence is refused");
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::must(!accepts("numbers_safe.vmt", fuzz::text_of(data, size)), "wrong evidence is accepted");
  return 0;
}
