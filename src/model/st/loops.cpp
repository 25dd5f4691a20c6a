#include "model/st/loops.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lem {

std::vector<LocationId> st_loops(const Cfa& cfa, LocationId head) {
  enum class Seen : std::uint8_t { No, Open, Done };
  std::vector<Seen> seen(cfa.locations().size());
  std::vector<LocationId> out;
  auto search = [&](LocationId root) {
    std::vector<std::pair<LocationId, std::size_t>> stack = {{root, 0}};
    seen[index(root)] = Seen::Open;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == cfa.out(at).size()) {
        seen[index(at)] = Seen::Done;
        stack.pop_back();
        continue;
      }
      LocationId to = cfa[cfa.out(at)[next++]].to;
      if (seen[index(to)] == Seen::Open && to != head) out.push_back(to);
      if (seen[index(to)] != Seen::No) continue;
      seen[index(to)] = Seen::Open;
      stack.emplace_back(to, 0);
    }
  };
  search(head);
  if (seen[index(cfa.initial())] == Seen::No) search(cfa.initial());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace lem
