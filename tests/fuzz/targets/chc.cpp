// Horn clauses: the system is written as clauses, which are read again.
#include "frontend/chc/chc.h"

#include "target.h"
#include "writer/chc.h"
#include "writer/horn.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lem;
  Result<Problem> first = chc::read_chc("model", fuzz::text_of(data, size));
  if (!first) return 0;
  std::string written =
      first->is_horn() ? writer::write_horn(first->horn()) : writer::write_chc(*first);
  Result<Problem> second = chc::read_chc("written", written);
  fuzz::must(second.ok(), "what was written is not read: " + (second ? "" : second.error().text()));
  return 0;
}
