// Proof obligations: cubes that must be shown unreachable within `level` steps, or lead to a
// counterexample along their successors [Een11 section III].
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "base/id.h"
#include "engine/parts/common/cube.h"

namespace lem::engine {

enum class ObligationId : std::uint32_t { None = UINT32_MAX };

struct NoDetails {};

/// A cube whose states reach the successor's cube in one step, or violate the property if there is
/// no successor. `details` is what one engine alone knows about it.
template <class Details = NoDetails>
struct Obligation {
  Cube cube = {};
  ObligationId successor = ObligationId::None;
  std::uint32_t depth = 0;  // steps to the violation
  Details details = {};
};

/// Within a level: the one closest to the violation first.
template <class Details>
std::uint64_t shallow_first(const Obligation<Details>& obligation) {
  return obligation.depth;
}

/// Lowest level first; then least rank; then oldest: a total order.
template <class Details = NoDetails>
class ObligationQueue {
 public:
  using Entry = Obligation<Details>;
  using Rank = std::uint64_t (*)(const Entry&);
  explicit ObligationQueue(Rank rank = shallow_first<Details>) : rank_(rank) {}

  /// A use of an obligation: it and its successors stay in the pool as long as the handle lives.
  class Handle {
   public:
    Handle(Handle&& other) noexcept
        : queue_(other.queue_), id_(std::exchange(other.id_, ObligationId::None)) {}
    Handle& operator=(Handle&& other) noexcept {
      std::swap(queue_, other.queue_);
      std::swap(id_, other.id_);
      return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { queue_->release(id_); }

    ObligationId id() const { return id_; }

   private:
    friend class ObligationQueue;
    /// Takes over a use that was counted already.
    Handle(ObligationQueue& queue, ObligationId id) : queue_(&queue), id_(id) {}

    ObligationQueue* queue_;
    ObligationId id_;
  };

  Entry& operator[](ObligationId id) { return slot(id).obligation; }
  const Entry& operator[](ObligationId id) const {
    assert(static_cast<std::size_t>(id) < pool_.size() && "an obligation of this queue");
    return pool_[static_cast<std::size_t>(id)].obligation;
  }

  Handle make(Entry obligation) {
    if (obligation.successor != ObligationId::None) {
      assert(slot(obligation.successor).users > 0 && "the successor has left the pool");
      ++slot(obligation.successor).users;
    }
    if (free_.empty()) {
      pool_.push_back({std::move(obligation), 1});
      return {*this, ObligationId{static_cast<std::uint32_t>(pool_.size() - 1)}};
    }
    ObligationId id = free_.back();
    free_.pop_back();
    assert(slot(id).users == 0 && "a free place has no user");
    slot(id) = {std::move(obligation), 1};
    return {*this, id};
  }
  Handle use(ObligationId id) {
    assert(slot(id).users > 0 && "the obligation has left the pool");
    ++slot(id).users;
    return {*this, id};
  }
  /// The obligation and its successors up to the violation.
  std::vector<ObligationId> chain(ObligationId id) const {
    std::vector<ObligationId> ids;
    for (; id != ObligationId::None; id = (*this)[id].successor) ids.push_back(id);
    assert(ids.size() <= pool_.size() && "successors form no cycle");
    return ids;
  }
  void push(ObligationId id, Level level) {
    assert(slot(id).users > 0 && "the obligation has left the pool");
    ++slot(id).users;
    queue_.push({level, rank_((*this)[id]), sequence_++, id});
  }
  struct Popped {
    Handle obligation;
    Level level;
  };
  /// The next obligation of a level <= `top`.
  std::optional<Popped> pop(Level top) {
    if (queue_.empty() || queue_.top().level > top) return {};
    Key key = queue_.top();
    queue_.pop();
    assert((queue_.empty() || !(key < queue_.top())) && "the least comes first");
    return Popped{{*this, key.id}, key.level};  // the use that push() counted
  }
  /// Takes out all of a level <= `top`.
  void clear(Level top) {
    while (pop(top)) continue;
  }
  std::size_t size() const { return queue_.size(); }
  bool empty() const { return queue_.empty(); }

 private:
  struct Slot {
    Entry obligation;
    std::uint32_t users;  // predecessors in the pool, queue entries and handles
  };
  struct Key {
    Level level;
    std::uint64_t rank;
    std::uint64_t sequence;
    ObligationId id;
    friend bool operator<(const Key& a, const Key& b) {  // std::priority_queue takes the greatest
      return std::tie(b.level, b.rank, b.sequence) < std::tie(a.level, a.rank, a.sequence);
    }
  };
  Slot& slot(ObligationId id) {
    assert(static_cast<std::size_t>(id) < pool_.size() && "an obligation of this queue");
    return pool_[static_cast<std::size_t>(id)];
  }
  /// Ends one use; frees obligations that nobody needs any more.
  void release(ObligationId id) {
    while (id != ObligationId::None) {
      assert(slot(id).users > 0 && "every use ends once");
      if (--slot(id).users > 0) return;
      ObligationId successor = (*this)[id].successor;
      slot(id) = {};
      free_.push_back(id);
      id = successor;
    }
  }

  Rank rank_;
  std::vector<Slot> pool_;
  std::vector<ObligationId> free_;
  std::priority_queue<Key> queue_;
  std::uint64_t sequence_ = 0;
};

}  // namespace lem::engine
