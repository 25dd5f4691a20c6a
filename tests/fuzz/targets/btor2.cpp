// BTOR2 text: what was read is written and read back as the same system.
#include "frontend/btor2/btor2.h"

#include "same_system.h"
#include "writer/btor2.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lem;
  Result<Problem> first = btor2::read_btor2("model", fuzz::text_of(data, size));
  if (!first) return 0;
  Result<std::string> text = writer::write_btor2(*first);
  if (!text) return 0;
  Result<Problem> second = btor2::read_btor2("written", *text);
  fuzz::must(second.ok(), "what was written is not read: " + (second ? "" : second.error().text()));
  fuzz::must_be_same(*first, *second);
  return 0;
}
