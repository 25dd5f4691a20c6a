// Sampling for contracts that cost a query: checked builds ask about some of the calls.
#pragma once

#include <cstdint>

namespace lem::engine {

class Sample {
 public:
  /// True at the first call and at every fourth after it.
  bool due() { return calls_++ % 4 == 0; }

 private:
  std::uint32_t calls_ = 0;
};

}  // namespace lem::engine
