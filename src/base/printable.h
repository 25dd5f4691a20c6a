// Names of files in lines of text: a line end in one must not begin a line of its own, which could
// be read as a verdict, as a line of a model or as code.
#pragma once

#include <algorithm>
#include <string>

namespace lem {

inline bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Control characters become question marks.
inline std::string printable(std::string name) {
  std::replace_if(name.begin(), name.end(), is_control, '?');
  return name;
}

}  // namespace lem
