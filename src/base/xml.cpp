#include "base/xml.h"

#include <algorithm>
#include <cstdint>

namespace lem {

/// How many bytes of well-formed UTF-8 start here, as XML 1.0 allows them; 0: none.
static std::size_t character(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  if (first < 0x80)
    return first >= 0x20 || first == '\n' || first == '\t' ? (first == 0x7F ? 0 : 1) : 0;
  std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  bool shortest = length == 2 || code >= (length == 3 ? 0x800U : 0x10000U);
  bool allowed = (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE && code != 0xFFFF;
  return shortest && allowed && code <= 0x10FFFF ? length : 0;
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = character(text);
    char c = text.front();
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace lem
