// Whether the program under analysis may be run to confirm what was found about it.
#pragma once

#include <cstdint>

namespace lem::check {

/// Sandbox: compiled and run in the sandbox; where there is none it is replayed by an interpreter
/// of the LLVM code instead. Never: always replayed.
enum class Native : std::uint8_t { Sandbox, Never };

}  // namespace lem::check
