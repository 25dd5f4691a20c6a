// The abstract reachability tree [Lange18 4.1; Cimatti12]: nodes are locations with lemmas,
// arcs are steps, and a leaf may be covered by a node that claims less at the same location.
//
// Only older nodes cover, so no two nodes cover each other in turn; a covered node has no children.
// What a node covers is given back (opened) when the node gets stronger or leaves the tree, and
// passed on when the node is covered itself. The tree does not know formulas: the
// caller decides which node may cover which.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/parts/cfa/steps.h"
#include "engine/treeic3/lemmas.h"

namespace lem::engine {

enum class NodeId : std::uint32_t { Root = 0 };
constexpr std::uint32_t index(NodeId id) {
  return static_cast<std::uint32_t>(id);
}

struct ArtNode {
  LocationId at{};
  NodeId parent{};  // of the root: itself
  StepId step{};    // from the parent
  std::uint32_t depth = 0;
  NodeLemmas lemmas;
  std::vector<NodeId> children, covers;
  std::optional<NodeId> covered_by;
  bool expanded = false;  // all its successors are children
  bool gone = false;      // out of the tree
};

class Art {
 public:
  Art(std::size_t locations, LocationId initial);

  ArtNode& operator[](NodeId id) { return nodes_[index(id)]; }
  const ArtNode& operator[](NodeId id) const { return nodes_[index(id)]; }
  std::size_t size() const { return nodes_.size(); }
  /// Nodes of the tree at a location, covered ones too, oldest first.
  std::span<const NodeId> at(LocationId id) const { return at_[lem::index(id)]; }
  /// From the root down to the node.
  std::vector<NodeId> path_to(NodeId id) const;

  /// The leaf that was opened last and is neither expanded nor covered; nothing: complete.
  std::optional<NodeId> next_open();
  NodeId add_child(NodeId parent, StepId step, LocationId at);
  void set_expanded(NodeId id) { (*this)[id].expanded = true; }

  /// require: both in the tree and at one location, `by` older and not covered
  ///   ensure: `id` has no children, and `by` covers it and what it covered
  void cover(NodeId id, NodeId by);
  /// Opens what the node covers. ensure: it covers nothing; returns how many were opened
  std::size_t uncover(NodeId id);
  /// Takes the node's descendants out of the tree; the node itself is a leaf again.
  void cut_below(NodeId id);

 private:
  void open(NodeId id) { open_.push_back(id); }
  void remove(NodeId id);

  std::vector<ArtNode> nodes_;
  std::vector<std::vector<NodeId>> at_;  // by location
  std::vector<NodeId> open_;             // last in, first out; may hold what is open no more
};

}  // namespace lem::engine
