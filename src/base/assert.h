// Assertions and the unreachable marker. `assert` stays on in every build (see CMakeLists.txt);
// LEM_DASSERT is for hot loops and LEM_CHECKED for costly conditions: both only in checked builds.
#pragma once

#include <cassert>
#include <cstdlib>

namespace lem {

[[noreturn]] inline void unreachable() {
  assert(false && "unreachable code was reached");
  std::abort();
}

}  // namespace lem

#ifdef LEM_CHECKED_BUILD
#define LEM_DASSERT(condition) assert(condition)
#define LEM_CHECKED(condition, message) assert((condition) && (message))
#else
#define LEM_DASSERT(condition) static_cast<void>(0)
#define LEM_CHECKED(condition, message) static_cast<void>(0)
#endif
