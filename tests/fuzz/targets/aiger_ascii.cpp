// AIGER, the ascii encoding.
#include "aiger.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = lem::fuzz::text_of(data, size);
  if (!text.starts_with("aag")) return -1;  // the other encoding has a target of its own
  lem::fuzz::round_trip(text);
  return 0;
}
