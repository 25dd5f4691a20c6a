// What is cheap for all: bounded search and k-induction for many properties on one unrolling,
// [Sheeran00] with the conjunction of the open ones as the property, shrunk until it is inductive.
// Tests: tests/unit/run/jobs_test.cpp.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "base/context.h"
#include "model/found.h"
#include "run/methods/paths.h"

namespace lem::run {

class Unrolling {
 public:
  /// Borrows all but the number: how many unrollings of these properties there were before. Each
  /// may take eight times as long for a question.   require: bits or terms
  Unrolling(const Problem& problem, std::uint32_t number, const OnFound& found, const Context& ctx)
      : problem_(problem), number_(number), found_(found), ctx_(ctx) {}

  /// For properties of one part of the model, until all are reported, too hard to be asked beside
  /// others, or the steps are used up.
  void run(const std::vector<std::size_t>& members);

 private:
  void search(std::vector<std::size_t> all);
  void induct(std::uint32_t k, std::vector<std::size_t> candidates);
  void remove_failing(std::vector<std::size_t>& candidates, std::span<const std::size_t> among);
  Certificate k_inductive(std::uint32_t k) const;
  std::vector<std::size_t> open_among(std::span<const std::size_t> properties) const;

  const Problem& problem_;
  const std::uint32_t number_;
  const OnFound& found_;
  const Context& ctx_;
  std::unique_ptr<Paths> paths_;
  std::set<std::size_t> closed_;     // reported, or too hard
  std::vector<std::size_t> proved_;  // by induction, each with those before it
};

}  // namespace lem::run
