#include "frontend/yosys_place.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace lem::frontend {

bool is_yosys_helper(std::string_view name) {
  if (name.starts_with('$')) return true;
  for (std::string_view part :
       {"_witness_", "$func$", "$unnamed_block$", "$fordecl_block$", "$flatten"})
    if (name.find(part) != name.npos) return true;
  return false;
}

SourcePos yosys_place(std::string_view text) {
  std::size_t bar = text.rfind('|');
  text.remove_prefix(bar == text.npos ? 0 : bar + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0) return {};
  SourcePos at{std::string(text.substr(0, colon))};
  const char* end = text.data() + text.size();
  auto line = std::from_chars(text.data() + colon + 1, end, at.line);
  if (line.ec != std::errc{} || line.ptr == end || *line.ptr != '.' || at.line == 0) return {};
  auto column = std::from_chars(line.ptr + 1, end, at.column);
  return column.ec == std::errc{} ? at : SourcePos{};
}

}  // namespace lem::frontend
