// Watch lists of all literals in one array, so that copying a solver is a few memcpys and walking a
// list touches contiguous memory. A list that outgrows its slot moves to the end; the holes are
// reclaimed by compact(). Speed outranks form here: bench `ic3` profile, propagate() is 60 % of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "sat/sat_solver.h"

namespace lem::sat {

/// One entry of a watch list: the clause, and a literal of it whose truth makes a visit needless.
/// For binary clauses the blocker is the other literal, so the clause itself is never read.
struct Watch {
  Lit blocker;
  std::uint32_t tagged;  // 2 * clause reference + 1 if binary

  Watch(Lit blocker_, std::uint32_t clause, bool binary)
      : blocker(blocker_), tagged(2 * clause + (binary ? 1 : 0)) {}
  std::uint32_t clause() const { return tagged >> 1; }
  bool binary() const { return (tagged & 1) != 0; }
};
static_assert(sizeof(Watch) == 8);

class WatchPool {
 public:
  void resize(std::size_t literals) { lists_.resize(literals); }

  std::span<Watch> operator[](Lit lit) {
    const List& list = lists_[lit.code()];
    return {pool_.data() + list.begin, list.size};
  }
  void shrink(Lit lit, std::size_t size) {
    LEM_DASSERT(size <= lists_[lit.code()].size);
    lists_[lit.code()].size = static_cast<std::uint32_t>(size);
  }
  void push(Lit lit, Watch watch) {
    List& list = lists_[lit.code()];
    if (list.size == list.capacity) grow(list);
    pool_[list.begin + list.size++] = watch;
  }
  void remove(Lit lit, std::uint32_t clause) {
    std::span<Watch> all = (*this)[lit];
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const Watch& watch) { return watch.clause() == clause; });
    LEM_DASSERT(at != all.end());
    *at = all.back();
    --lists_[lit.code()].size;
  }
  void clear() {
    pool_.clear();
    wasted_ = 0;
    std::fill(lists_.begin(), lists_.end(), List{});
  }
  /// True when more than a third are holes; the solver then calls compact() at a quiet moment.
  /// Lists double when they move, so holes never reach one half, and after compact() all of them
  /// have to move twice before it pays again.
  bool wasteful() const { return wasted_ > 1024 && 3 * wasted_ > pool_.size(); }
  void compact() {
    std::vector<Watch> fresh;
    fresh.reserve(pool_.size() - wasted_ + lists_.size());
    for (List& list : lists_) {
      auto begin = static_cast<std::uint32_t>(fresh.size());
      fresh.insert(fresh.end(), pool_.begin() + list.begin, pool_.begin() + list.begin + list.size);
      list = {begin, list.size, list.size};
    }
    pool_ = std::move(fresh);
    wasted_ = 0;
  }

 private:
  struct List {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };
  void grow(List& list) {
    std::uint32_t capacity = list.capacity == 0 ? 4 : 2 * list.capacity;
    auto begin = static_cast<std::uint32_t>(pool_.size());
    pool_.resize(pool_.size() + capacity, Watch(Lit(), 0, false));
    std::copy_n(pool_.begin() + list.begin, list.size, pool_.begin() + begin);
    wasted_ += list.capacity;
    list = {begin, list.size, capacity};
  }

  std::vector<List> lists_;  // by literal code
  std::vector<Watch> pool_;
  std::size_t wasted_ = 0;
};

}  // namespace lem::sat
