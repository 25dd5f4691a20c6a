// Where the commands of a C program's automaton come from in its text, call by call: inlined
// commands keep their chain of calls. Only evidence about programs needs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lem {

/// A call that was inlined: where it is in its caller. The first is main, which has no caller.
struct CFrame {
  std::uint32_t parent = 0;
  std::uint32_t line = 0;  // 0: unknown, or in another file than main
  std::uint32_t column = 0;
};

/// A place in the text, as the compiler counts lines, and the call in which control is there.
struct CMark {
  std::uint32_t line = 0;  // as above
  std::uint32_t column = 0;
  std::uint32_t frame = 0;
  std::uint32_t file = 0;  // 0: that of main, or unknown; else one more than the index of its name
};

struct CDeclaration {
  std::optional<std::uint32_t> frame{};  // the call that it belongs to; none of what outlives calls
  std::uint32_t column = 0;              // on its line; 0: unknown
};

struct CMarks {
  std::vector<CFrame> frames{{}};
  std::vector<std::vector<CMark>> edges{};  // of each command in turn; one mark at least
  std::vector<CMark> locations{};           // of the block that begins there; line 0: none does
  std::vector<CDeclaration> variables{};
  std::vector<std::string> files{};  // names of other files than that of main, without folders
};

}  // namespace lem
