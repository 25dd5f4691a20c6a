// Path conditions as a tree: each node adds one condition to its parent's. Paths that meet are
// compared from where they parted, so that conditions speak of the last decisions alone, and what
// was decided both ways is forgotten. Tests: tests/unit/engine/bmc/program_search_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "term/term_store.h"

namespace lem::engine {

enum class PathId : std::uint32_t { Root = 0 };

class Paths {
 public:
  explicit Paths(TermStore& terms) : terms_(terms) { clear(); }
  void clear() { nodes_.assign(1, {{}, 0, {}, terms_.boolean(true)}); }

  /// A path that nothing takes has the formula false.
  PathId extend(PathId path, Term condition);
  /// All conditions of a path as one.
  Term formula(PathId path) const { return at(path).whole; }
  /// The one that was added last; none at the root.
  Term last(PathId path) const { return at(path).condition; }

  /// Conditions of `path` after `start`, in order.  require: `start` is on it
  std::vector<Term> since(PathId start, PathId path) const;
  /// `path`, with `condition` between `start` and what comes after.
  PathId insert(PathId start, Term condition, PathId path);

  struct Join {
    PathId path;  // one of the two was taken
    Term first;   // holds if it was the first
  };
  /// require: no state satisfies both
  Join join(PathId one, PathId other);

  /// Whether conditions contradict each other, as far as their literals show it.
  bool exclude(const std::vector<Term>& some, const std::vector<Term>& others) const;

 private:
  struct Node {
    PathId parent;
    std::uint32_t depth;
    Term condition;
    Term whole;
  };
  const Node& at(PathId path) const { return nodes_[static_cast<std::uint32_t>(path)]; }
  PathId common(PathId one, PathId other) const;
  void literals(Term condition, std::vector<Term>& out) const;

  TermStore& terms_;
  std::vector<Node> nodes_;
};

}  // namespace lem::engine
