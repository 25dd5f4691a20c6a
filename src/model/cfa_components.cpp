#include "model/cfa_components.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace lem {

namespace {

/// Tarjan's components, and again inside each without the edges to its head. Without recursion
/// along paths: programs have long ones; nesting of loops is shallow.
class Order {
 public:
  explicit Order(const Cfa& cfa)
      : cfa_(cfa), number_(cfa.locations().size()), inside_(cfa.locations().size()) {}

  std::vector<CfaElement> all() {
    std::fill(inside_.begin(), inside_.end(), 1U);
    return sort({index(cfa_.initial())}, 1, kNone);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Frame {
    std::uint32_t at;
    std::size_t next = 0;  // edge to look at
    std::uint32_t low = 0;
  };

  /// Elements reachable from the roots through locations whose `inside_` is `level`, without edges
  /// to `cut`.
  std::vector<CfaElement> sort(const std::vector<std::uint32_t>& roots, std::uint32_t level,
                               std::uint32_t cut) {
    std::vector<std::vector<std::uint32_t>> found;  // components, successors first
    std::uint32_t counter = 0;
    std::vector<std::uint32_t> stack;
    std::vector<Frame> frames;
    auto enter = [&](std::uint32_t at) {
      number_[at] = ++counter;
      stack.push_back(at);
      frames.push_back({at, 0, counter});
    };
    for (std::uint32_t root : roots) {
      if (inside_[root] != level || number_[root] != 0 || root == cut) continue;
      enter(root);
      while (!frames.empty()) {
        Frame& frame = frames.back();
        auto edges = cfa_.out(LocationId{frame.at});
        if (frame.next < edges.size()) {
          std::uint32_t to = index(cfa_[edges[frame.next++]].to);
          if (to == cut || inside_[to] != level) continue;
          if (number_[to] == 0)
            enter(to);
          else if (number_[to] != kNone)
            frame.low = std::min(frame.low, number_[to]);
          continue;
        }
        Frame done = frame;
        frames.pop_back();
        if (!frames.empty()) frames.back().low = std::min(frames.back().low, done.low);
        if (done.low != number_[done.at]) continue;
        auto first = std::prev(std::find(stack.rbegin(), stack.rend(), done.at).base());
        found.emplace_back(first, stack.end());
        stack.erase(first, stack.end());
        for (std::uint32_t member : found.back()) number_[member] = kNone;
      }
    }
    for (const auto& component : found)
      for (std::uint32_t member : component) number_[member] = 0;
    std::vector<CfaElement> elements;
    for (auto component = found.rbegin(); component != found.rend(); ++component)
      elements.push_back(element(*component, level));
    return elements;
  }

  /// The head is what was entered first.
  CfaElement element(const std::vector<std::uint32_t>& component, std::uint32_t level) {
    std::uint32_t head = component.front();
    bool loop = component.size() > 1;
    for (EdgeId edge : cfa_.out(LocationId{head})) loop = loop || index(cfa_[edge].to) == head;
    if (component.size() == 1) return {LocationId{head}, {}, loop};
    // Levels only grow and no two components overlap, so marks of inner ones need no undoing.
    std::uint32_t inner = ++levels_;
    for (std::uint32_t member : component) inside_[member] = inner;
    std::vector<CfaElement> body = sort(component, inner, head);
    for (std::uint32_t member : component) inside_[member] = level;
    return {LocationId{head}, std::move(body), true};
  }

  const Cfa& cfa_;
  std::vector<std::uint32_t> number_;  // by location: of entry; kNone: in a component; 0: not yet
  std::vector<std::uint32_t> inside_;  // by location: the component that is being sorted
  std::uint32_t levels_ = 1;
};

void note_heads(const std::vector<CfaElement>& elements, std::vector<LocationId>& around,
                std::vector<std::vector<LocationId>>& heads) {
  for (const CfaElement& element : elements) {
    if (element.is_component) around.push_back(element.head);
    heads[index(element.head)] = around;
    note_heads(element.body, around, heads);
    if (element.is_component) around.pop_back();
  }
}

}  // namespace

CfaComponents components(const Cfa& cfa) {
  CfaComponents result{Order(cfa).all(), {}};
  result.heads.resize(cfa.locations().size());
  std::vector<LocationId> around;
  note_heads(result.order, around, result.heads);
  return result;
}

}  // namespace lem
