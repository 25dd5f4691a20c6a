// A vector whose copies share what they have in common: a trie of 16-way nodes. Copying is free,
// changing one place copies a path, and two vectors that come from one are compared and merged
// where they differ alone. Places that were never set have the value T{}.
// Tests: tests/unit/engine/bmc/persistent_vector_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace lem::engine {

template <class T>
class PersistentVector {
 public:
  T operator[](std::size_t i) const {
    if ((i >> (kBits * height_)) != 0) return T{};
    const Node* node = root_.get();
    for (std::uint32_t level = height_; node != nullptr && level > 1; --level)
      node = inner(*node).children[digit(i, level)].get();
    return node == nullptr ? T{} : leaf(*node).values[digit(i, 1)];
  }

  void set(std::size_t i, T value) {
    raise(i);
    root_ = with(root_.get(), height_, i, std::move(value));
  }

  /// Calls visit(i, value) where the value is not T{}, in ascending order.
  template <class Visit>
  void for_each(Visit visit) const {
    walk(root_.get(), height_, 0, visit);
  }

  /// Takes choose(i, a[i], b[i]) where a and b differ, and what they have in common elsewhere.
  template <class Choose>
  static PersistentVector merge(PersistentVector a, PersistentVector b, Choose choose) {
    while (a.height_ < b.height_) a.raise();
    while (b.height_ < a.height_) b.raise();
    a.root_ = merge_nodes(a.root_, b.root_, a.height_, 0, choose);
    return a;
  }

  friend bool operator==(const PersistentVector& a, const PersistentVector& b) {
    bool same = true;
    merge(a, b, [&](std::size_t, const T& x, const T&) {
      same = false;
      return x;
    });
    return same;
  }

 private:
  static constexpr std::uint32_t kBits = 4;
  static constexpr std::size_t kWays = std::size_t{1} << kBits;
  struct Node {};
  using Ref = std::shared_ptr<const Node>;
  struct Leaf : Node {
    std::array<T, kWays> values{};
  };
  struct Inner : Node {
    std::array<Ref, kWays> children{};
  };
  static const Leaf& leaf(const Node& node) { return static_cast<const Leaf&>(node); }
  static const Inner& inner(const Node& node) { return static_cast<const Inner&>(node); }
  static std::size_t digit(std::size_t i, std::uint32_t level) {
    return (i >> (kBits * (level - 1))) & (kWays - 1);
  }

  void raise() {
    if (root_ != nullptr) {
      auto above = std::make_shared<Inner>();
      above->children[0] = std::move(root_);
      root_ = std::move(above);
    }
    ++height_;
  }
  void raise(std::size_t i) {
    while ((i >> (kBits * height_)) != 0) raise();
  }

  static Ref with(const Node* node, std::uint32_t level, std::size_t i, T value) {
    if (level == 1) {
      auto copy = node == nullptr ? std::make_shared<Leaf>() : std::make_shared<Leaf>(leaf(*node));
      copy->values[digit(i, 1)] = std::move(value);
      return copy;
    }
    auto copy = node == nullptr ? std::make_shared<Inner>() : std::make_shared<Inner>(inner(*node));
    Ref& child = copy->children[digit(i, level)];
    child = with(child.get(), level - 1, i, std::move(value));
    return copy;
  }

  template <class Visit>
  static void walk(const Node* node, std::uint32_t level, std::size_t first, Visit& visit) {
    if (node == nullptr) return;
    for (std::size_t k = 0; k < kWays; ++k) {
      std::size_t at = first + (k << (kBits * (level - 1)));
      if (level > 1)
        walk(inner(*node).children[k].get(), level - 1, at, visit);
      else if (!(leaf(*node).values[k] == T{}))
        visit(at, leaf(*node).values[k]);
    }
  }

  template <class Choose>
  static Ref merge_nodes(const Ref& a, const Ref& b, std::uint32_t level, std::size_t first,
                         Choose& choose) {
    if (a == b) return a;
    if (level == 1) {
      auto made = std::make_shared<Leaf>();
      for (std::size_t k = 0; k < kWays; ++k) {
        T x = a == nullptr ? T{} : leaf(*a).values[k];
        T y = b == nullptr ? T{} : leaf(*b).values[k];
        made->values[k] = x == y ? x : choose(first + k, x, y);
      }
      return made;
    }
    auto made = std::make_shared<Inner>();
    for (std::size_t k = 0; k < kWays; ++k) {
      Ref x = a == nullptr ? nullptr : inner(*a).children[k];
      Ref y = b == nullptr ? nullptr : inner(*b).children[k];
      made->children[k] =
          merge_nodes(x, y, level - 1, first + (k << (kBits * (level - 1))), choose);
    }
    return made;
  }

  Ref root_;
  std::uint32_t height_ = 1;
};

}  // namespace lem::engine
