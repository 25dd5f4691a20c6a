// Runs of a reduced automaton, executed again on the old one. From known values, commands are
// executed on terms, where all that is determined folds to values; what is left open (havoc, and
// choices that the values do not decide) is one question to a solver for each edge.
#pragma once

#include <memory>
#include <vector>

#include "model/evidence/cfa.h"
#include "term/traverse.h"

namespace lem::transform {

/// Old edges that a new edge stands for: one, or routes one after the other, or one of several.
class Route {
 public:
  enum class Kind : std::uint8_t { Edge, Sequence, Choice };
  static Route edge(EdgeId id) { return Route({Kind::Edge, id, {}}); }
  static Route sequence(const Route& first, const Route& second);
  static Route choice(const Route& one, const Route& other);

  Kind kind() const { return node_->kind; }
  EdgeId edge() const { return node_->edge; }
  const std::vector<Route>& parts() const { return node_->parts; }

 private:
  struct Node {
    Kind kind;
    EdgeId edge;
    std::vector<Route> parts;
  };
  explicit Route(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
  static Route compound(Kind kind, const Route& first, const Route& second);

  std::shared_ptr<const Node> node_;  // shared: blocks are copied into others
};

/// Extends `run`, which ends before the route, along it to a state with the values `wanted`.
/// False, and `run` as it was, if there is no such way or the solver did not find it.
bool retrace(const Cfa& cfa, const Route& route, const TermMap& wanted, CfaTrace& run);

}  // namespace lem::transform
