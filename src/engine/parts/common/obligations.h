// Proof obligations: cubes that must be shown unreachable within `level` steps, or lead to a
// counterexample along their successors [Een11 section III].
#pragma once

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "base/id.h"
#include "engine/parts/common/cube.h"

namespace lem {

enum class ObligationId : std::uint32_t { None = UINT32_MAX };

/// A cube all of whose states reach the successor's cube in one step under `inputs` (or violate the
/// property, if there is no successor).
struct Obligation {
  Cube cube;
  std::vector<Lit> inputs = {};
  ObligationId successor = ObligationId::None;
  std::uint32_t depth = 0;  // steps to the violation
  double effort = 0;        // how often it came back unblocked, decayed [Su25a DynAMic]
  bool may = false;         // would help, but need not hold [Ivrii15 Quip]
  std::uint32_t users = 0;  // predecessors in the pool and queue entries
};

/// Lowest level first; then shallowest or deepest; then oldest: a total order.
class ObligationQueue {
 public:
  enum class Ties : std::uint8_t { Shallow, Deep };
  explicit ObligationQueue(Ties ties) : ties_(ties) {}

  Obligation& operator[](ObligationId id) { return pool_[static_cast<std::uint32_t>(id)]; }
  const Obligation& operator[](ObligationId id) const {
    return pool_[static_cast<std::uint32_t>(id)];
  }

  ObligationId make(Obligation obligation) {
    if (obligation.successor != ObligationId::None) {
      ++(*this)[obligation.successor].users;
    }
    if (!free_.empty()) {
      ObligationId id = free_.back();
      free_.pop_back();
      (*this)[id] = std::move(obligation);
      return id;
    }
    pool_.push_back(std::move(obligation));
    return ObligationId{static_cast<std::uint32_t>(pool_.size() - 1)};
  }
  void push(ObligationId id, Level level) {
    retain(id);
    const Obligation& obligation = (*this)[id];
    std::uint32_t tie = ties_ == Ties::Shallow ? obligation.depth : UINT32_MAX - obligation.depth;
    queue_.push({level, obligation.may ? 0U : 1U, tie, sequence_++, id});
  }
  /// The next obligation of a level <= `top`, or false. It stays alive until release().
  bool pop(Level top, ObligationId& id, Level& level) {
    if (queue_.empty() || queue_.top().level > top) return false;
    id = queue_.top().id;
    level = queue_.top().level;
    queue_.pop();
    return true;
  }
  void retain(ObligationId id) { ++(*this)[id].users; }
  /// Ends the use that push() or retain() began; frees obligations nobody needs any more.
  void release(ObligationId id) {
    while (id != ObligationId::None && --(*this)[id].users == 0) {
      ObligationId successor = (*this)[id].successor;
      (*this)[id] = Obligation();
      free_.push_back(id);
      id = successor;
    }
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
  Ties ties_;
  std::vector<Obligation> pool_;
  std::vector<ObligationId> free_;
  std::priority_queue<Key> queue_;
  std::uint64_t sequence_ = 0;
};

}  // namespace lem
