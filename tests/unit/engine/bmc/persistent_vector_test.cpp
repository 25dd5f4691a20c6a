// Against a plain vector; copies must not see each other's changes.
#include "engine/bmc/persistent_vector.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace lem::engine {
namespace {

using Plain = std::map<std::size_t, int>;

Plain plain(const PersistentVector<int>& vector) {
  Plain all;
  vector.for_each([&](std::size_t i, int value) { all[i] = value; });
  return all;
}

TEST(PersistentVector, IsAVectorWhoseCopiesAreApart) {
  std::mt19937 random(7);
  std::vector<std::pair<PersistentVector<int>, Plain>> all(1);
  for (int step = 0; step < 3000; ++step) {
    auto copy = all[random() % all.size()];
    std::size_t at = random() % (step % 5 == 0 ? 5000 : 40);
    int value = 1 + static_cast<int>(random() % 9);
    copy.first.set(at, value);
    copy.second[at] = value;
    EXPECT_EQ(copy.first[at], value);
    if (all.size() < 50)
      all.push_back(std::move(copy));
    else
      all[random() % all.size()] = std::move(copy);
  }
  for (const auto& [persistent, expected] : all) EXPECT_EQ(plain(persistent), expected);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const auto& [a, plain_a] = all[i];
    const auto& [b, plain_b] = all[i + 1];
    EXPECT_EQ(a == b, plain_a == plain_b);
    Plain larger;
    for (const Plain& each : {plain_a, plain_b})
      for (auto [at, value] : each) larger[at] = std::max(larger[at], value);
    auto merged = PersistentVector<int>::merge(a, b, [&](std::size_t at, int x, int y) {
      EXPECT_NE(x, y);
      EXPECT_EQ(plain_a.contains(at) ? plain_a.at(at) : 0, x);
      return std::max(x, y);
    });
    EXPECT_EQ(plain(merged), larger);
  }
}

TEST(PersistentVector, PlacesNeverSetAreEmpty) {
  PersistentVector<int> vector;
  EXPECT_EQ(vector[0], 0);
  EXPECT_EQ(vector[1'000'000], 0);
  vector.set(70'000, 1);
  EXPECT_EQ(vector[0], 0);
  EXPECT_EQ(vector[70'001], 0);
  EXPECT_EQ(vector[70'000], 1);
}

}  // namespace
}  // namespace lem::engine
