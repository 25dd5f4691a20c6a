// Lustre: the system is written as VMT-LIB, which has constraints in its transition relation and
// so is no more than read again.
#include "frontend/lustre/lustre.h"

#include "frontend/vmt/vmt.h"
#include "target.h"
#include "writer/vmt.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lem;
  Result<Problem> first = lustre::read_lustre("model", fuzz::text_of(data, size));
  if (!first) return 0;
  Result<Problem> second = vmt::read_vmt("written", writer::write_vmt(*first));
  fuzz::must(second.ok(), "what was written is not read: " + (second ? "" : second.error().text()));
  fuzz::must(first->properties.size() == second->properties.size(), "another number of properties");
  return 0;
}
