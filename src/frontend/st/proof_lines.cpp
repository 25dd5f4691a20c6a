// Proofs in Structured Text, read back: lines PROPERTY name, INVARIANT condition; and LOOP number.
#include <algorithm>
#include <charconv>

#include "frontend/st/st.h"

namespace lem {

Result<StProof> read_proof(const std::string& path, std::string_view bytes) {
  StProof out;
  SourcePos at{path, 0, 1};
  std::size_t loop = 0;
  while (!bytes.empty()) {
    std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++at.line;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (line.starts_with("(*") && line.ends_with("*)"))) continue;
    auto starts = [&](std::string_view word) {
      bool found = line.starts_with(word);
      if (found) line.remove_prefix(word.size());
      return found;
    };
    if (starts("PROPERTY ")) {
      if (!out.property.empty()) return Error{at, "a proof is about one property"};
      out.property = line;
    } else if (starts("LOOP ")) {
      auto [rest, failed] = std::from_chars(line.data(), line.data() + line.size(), loop);
      if (failed != std::errc{} || loop == 0 || loop > 100'000)
        return Error{at, "expected the number of a loop"};
    } else if (starts("INVARIANT ")) {
      if (!line.ends_with(';')) return Error{at, "expected ';' at the end of the line"};
      line.remove_suffix(1);
      out.claims.push_back({loop, std::string(line), at});
    } else {
      return Error{at, "expected PROPERTY, INVARIANT or LOOP"};
    }
  }
  if (out.property.empty()) return Error{{path, 1, 1}, "expected a line PROPERTY"};
  return out;
}

}  // namespace lem
