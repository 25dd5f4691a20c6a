// Proof obligations: cubes that must be shown unreachable within `level` steps, or lead to a
// counterexample along their successors [Een11 section III].
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/id.h"
#include "engine/parts/common/cube.h"

namespace lem::engine {

enum class ObligationId : std::uint32_t { None = UINT32_MAX };

/// A cube all of whose states reach the successor's cube in one step under `inputs` (or violate the
/// property, if there is no successor).
struct Obligation {
  Cube cube;
  std::vector<Lit> inputs = {};
  ObligationId successor = ObligationId::None;
  std::uint32_t depth = 0;  // steps to the violation
  std::uint32_t rank = 0;   // for Ties::Rank: least first
  double effort = 0;        // how often it came back unblocked, decayed [Su25a DynAMic]
  bool may = false;         // would help, but need not hold [Ivrii15 Quip]
  std::uint32_t users = 0;  // predecessors in the pool, queue entries and handles
};

class ObligationQueue;

/// A use of an obligation: it and its successors stay in the pool as long as the handle lives.
class ObligationHandle {
 public:
  ObligationHandle(ObligationHandle&& other) noexcept
      : queue_(other.queue_), id_(std::exchange(other.id_, ObligationId::None)) {}
  ObligationHandle& operator=(ObligationHandle&& other) noexcept {
    std::swap(queue_, other.queue_);
    std::swap(id_, other.id_);
    return *this;
  }
  ObligationHandle(const ObligationHandle&) = delete;
  ObligationHandle& operator=(const ObligationHandle&) = delete;
  inline ~ObligationHandle();

  ObligationId id() const { return id_; }

 private:
  friend class ObligationQueue;
  /// Takes over a use that was counted already.
  ObligationHandle(ObligationQueue& queue, ObligationId id) : queue_(&queue), id_(id) {}

  ObligationQueue* queue_;
  ObligationId id_;
};

/// Lowest level first; then as `Ties` says; then oldest: a total order.
class ObligationQueue {
 public:
  enum class Ties : std::uint8_t { Shallow, Deep, Rank };
  friend constexpr std::string_view words(Ties) { return "shallow|deep|rank"; }
  explicit ObligationQueue(Ties ties) : ties_(ties) {}

  Obligation& operator[](ObligationId id) { return pool_[static_cast<std::uint32_t>(id)]; }
  const Obligation& operator[](ObligationId id) const {
    return pool_[static_cast<std::uint32_t>(id)];
  }

  ObligationHandle make(Obligation obligation) {
    if (obligation.successor != ObligationId::None) ++(*this)[obligation.successor].users;
    obligation.users = 1;
    if (free_.empty()) {
      pool_.push_back(std::move(obligation));
      return {*this, ObligationId{static_cast<std::uint32_t>(pool_.size() - 1)}};
    }
    ObligationId id = free_.back();
    free_.pop_back();
    (*this)[id] = std::move(obligation);
    return {*this, id};
  }
  ObligationHandle use(ObligationId id) {
    ++(*this)[id].users;
    return {*this, id};
  }
  /// The obligation and its successors up to the violation.
  std::vector<ObligationId> chain(ObligationId id) const {
    std::vector<ObligationId> ids;
    for (; id != ObligationId::None; id = (*this)[id].successor) ids.push_back(id);
    return ids;
  }
  void push(ObligationId id, Level level) {
    Obligation& obligation = (*this)[id];
    ++obligation.users;
    queue_.push({level, obligation.may ? 0U : 1U, tie(obligation), sequence_++, id});
  }
  struct Popped {
    ObligationHandle obligation;
    Level level;
  };
  /// The next obligation of a level <= `top`.
  std::optional<Popped> pop(Level top) {
    if (queue_.empty() || queue_.top().level > top) return {};
    Popped popped{{*this, queue_.top().id}, queue_.top().level};  // the use that push() counted
    queue_.pop();
    return popped;
  }
  std::size_t size() const { return queue_.size(); }
  bool empty() const { return queue_.empty(); }

 private:
  struct Key {
    Level level;
    std::uint32_t must;  // may-obligations come first within a level [Ivrii15]
    std::uint32_t tie;
    std::uint64_t sequence;
    ObligationId id;
    friend bool operator<(const Key& a, const Key& b) {  // std::priority_queue takes the greatest
      return std::tie(b.level, b.must, b.tie, b.sequence) <
             std::tie(a.level, a.must, a.tie, a.sequence);
    }
  };
  friend class ObligationHandle;
  /// Ends one use; frees obligations that nobody needs any more.
  void release(ObligationId id) {
    while (id != ObligationId::None && --(*this)[id].users == 0) {
      ObligationId successor = (*this)[id].successor;
      (*this)[id] = Obligation();
      free_.push_back(id);
      id = successor;
    }
  }
  std::uint32_t tie(const Obligation& obligation) const {
    switch (ties_) {
      case Ties::Shallow:
        return obligation.depth;
      case Ties::Deep:
        return UINT32_MAX - obligation.depth;
      case Ties::Rank:
        return obligation.rank;
    }
    unreachable();
  }

  Ties ties_;
  std::vector<Obligation> pool_;
  std::vector<ObligationId> free_;
  std::priority_queue<Key> queue_;
  std::uint64_t sequence_ = 0;
};

ObligationHandle::~ObligationHandle() {
  queue_->release(id_);
}

}  // namespace lem::engine
