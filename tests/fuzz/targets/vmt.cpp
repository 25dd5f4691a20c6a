// VMT-LIB: what was read is written and read back as the same system.
#include "frontend/vmt/vmt.h"

#include "same_system.h"
#include "writer/vmt.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lem;
  Result<Problem> first = vmt::read_vmt("model", fuzz::text_of(data, size));
  if (!first || first->has_justice()) return 0;  // the writer has no justice properties
  Result<Problem> second = vmt::read_vmt("written", writer::write_vmt(*first));
  fuzz::must(second.ok(), "what was written is not read: " + (second ? "" : second.error().text()));
  fuzz::must_be_same(*first, *second);
  return 0;
}
