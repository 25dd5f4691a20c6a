// Bucketed VSIDS: which variable to decide next, in O(1) per push and pop.
//
// A max-heap over all variables, ordered by activity, is kept across queries and never popped: the
// depth of a variable in that heap is its coarse rank. A query fills buckets, one per rank, with
// the variables of its cone alone, so its cost does not depend on the size of the model
// ([Su25 "Deeply Optimizing the SAT Solver for IC3"], bucket idea).
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "sat/sat_solver.h"

namespace lem::sat {

class DecisionQueue {
 public:
  void add_var() {
    auto var = static_cast<Var>(activity_.size());
    activity_.push_back(0);
    position_.push_back(static_cast<std::uint32_t>(heap_.size()));
    bucket_.push_back(kNowhere);
    heap_.push_back(var);
    if (buckets_.size() <= rank(var)) buckets_.resize(rank(var) + 1);
  }

  void bump(Var var) {
    activity_[var] += increment_;
    if (activity_[var] > 1e100) rescale();
    sift_up(position_[var]);
    if (bucket_[var] != kNowhere) push(var);
  }
  void decay() { increment_ *= 1 / 0.95; }

  /// Offers `var` for decision. A variable that rose in rank is offered again in its better bucket;
  /// the stale entry is skipped when it surfaces.
  void push(Var var) {
    std::uint8_t at = rank(var);
    if (bucket_[var] <= at) return;
    bucket_[var] = at;
    buckets_[at].push_back(var);
    if (at < head_) head_ = at;
  }
  /// The best-ranked offered variable, or false if none is left.
  bool pop(Var& var) {
    for (; head_ < buckets_.size(); ++head_) {
      std::vector<Var>& bucket = buckets_[head_];
      while (!bucket.empty()) {
        var = bucket.back();
        bucket.pop_back();
        if (bucket_[var] != head_) continue;
        bucket_[var] = kNowhere;
        return true;
      }
    }
    return false;
  }
  void clear() {
    for (std::vector<Var>& bucket : buckets_) {
      for (Var var : bucket) bucket_[var] = kNowhere;
      bucket.clear();
    }
    head_ = buckets_.size();
  }

 private:
  static constexpr std::uint8_t kNowhere = 255;

  std::uint8_t rank(Var var) const {
    return static_cast<std::uint8_t>(std::bit_width(position_[var]));
  }
  void sift_up(std::uint32_t at) {
    Var var = heap_[at];
    while (at > 0) {
      std::uint32_t parent = (at - 1) / 2;
      if (activity_[heap_[parent]] >= activity_[var]) break;
      heap_[at] = heap_[parent];
      position_[heap_[at]] = at;
      at = parent;
    }
    heap_[at] = var;
    position_[var] = at;
  }
  void rescale() {
    for (double& activity : activity_) activity *= 1e-100;
    increment_ *= 1e-100;
  }

  std::vector<double> activity_;
  std::vector<Var> heap_;                  // max-heap by activity, over all variables
  std::vector<std::uint32_t> position_;    // of a variable in heap_
  std::vector<std::uint8_t> bucket_;       // where a variable is offered, or kNowhere
  std::vector<std::vector<Var>> buckets_;  // by rank; may hold stale entries
  std::size_t head_ = 0;                   // no live entry in a bucket before this one
  double increment_ = 1;
};

}  // namespace lem::sat
