// The order of random automata: all that is reachable, once, and no edge back but to a head.
#include "model/cfa_components.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

namespace lem {
namespace {

Cfa random_graph(std::uint32_t seed) {
  std::mt19937 random(seed);
  CfaBuilder b(std::make_shared<TermStore>());
  std::size_t size = 3 + random() % 10;
  std::vector<LocationId> all;
  for (std::size_t i = 0; i < size; ++i) all.push_back(b.add_location("l"));
  for (std::size_t n = size + random() % size; n > 0; --n)
    b.add_edge(all[random() % (size - 1)], Command::skip(), all[random() % size]);
  b.set_initial(all.front());
  b.set_error(all.back());
  return *std::move(b).freeze();
}

TEST(CfaComponents, EdgesGoForwardOrBackToAHead) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Cfa cfa = random_graph(seed);
    CfaComponents found = components(cfa);
    std::map<LocationId, std::size_t> place;
    std::function<void(const std::vector<CfaElement>&)> walk = [&](const auto& elements) {
      for (const CfaElement& each : elements) {
        ASSERT_TRUE(place.emplace(each.head, place.size()).second) << "twice";
        ASSERT_TRUE(each.is_component || each.body.empty());
        walk(each.body);
      }
    };
    walk(found.order);
    std::vector<LocationId> todo{cfa.initial()};
    std::map<LocationId, bool> reached;
    while (!todo.empty()) {
      LocationId at = todo.back();
      todo.pop_back();
      if (std::exchange(reached[at], true)) continue;
      ASSERT_TRUE(place.contains(at)) << "left out";
      for (EdgeId edge : cfa.out(at)) {
        LocationId to = cfa[edge].to;
        todo.push_back(to);
        const auto& heads = found.heads[index(at)];
        bool back = std::find(heads.begin(), heads.end(), to) != heads.end();
        ASSERT_TRUE(!place.contains(to) || place[to] > place[at] || back);
      }
    }
    EXPECT_EQ(place.size(), reached.size());
  }
}

}  // namespace
}  // namespace lem
