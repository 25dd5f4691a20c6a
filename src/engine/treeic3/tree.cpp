#include "engine/treeic3/tree.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

Art::Art(std::size_t locations, LocationId initial) : at_(locations) {
  nodes_.emplace_back().at = initial;
  at_[lem::index(initial)].push_back(NodeId::Root);
  open(NodeId::Root);
}

std::vector<NodeId> Art::path_to(NodeId id) const {
  std::vector<NodeId> path{id};
  while (path.back() != NodeId::Root) path.push_back((*this)[path.back()].parent);
  std::reverse(path.begin(), path.end());
  assert(path.size() == (*this)[id].depth + 1 && "the depth is the length of the path");
  return path;
}

std::optional<NodeId> Art::next_open() {
  while (!open_.empty()) {
    const ArtNode& node = (*this)[open_.back()];
    if (!node.gone && !node.expanded && !node.covered_by) return open_.back();
    open_.pop_back();
  }
  return {};
}

NodeId Art::add_child(NodeId parent, StepId step, LocationId at) {
  assert(!(*this)[parent].gone && !(*this)[parent].covered_by && "covered nodes have no child");
  NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  ArtNode& node = nodes_.emplace_back();
  node.at = at;
  node.parent = parent;
  node.step = step;
  node.depth = (*this)[parent].depth + 1;
  (*this)[parent].children.push_back(id);
  at_[lem::index(at)].push_back(id);
  open(id);
  return id;
}

void Art::cover(NodeId id, NodeId by) {
  assert(by < id && (*this)[by].at == (*this)[id].at);
  assert(!(*this)[by].covered_by && !(*this)[by].gone && !(*this)[id].gone);
  cut_below(id);
  std::vector<NodeId> passed = std::move((*this)[id].covers);
  (*this)[id].covers.clear();
  passed.push_back(id);
  for (NodeId each : passed) {
    (*this)[each].covered_by = by;
    (*this)[by].covers.push_back(each);
  }
}

std::size_t Art::uncover(NodeId id) {
  std::vector<NodeId> given_back = std::move((*this)[id].covers);
  (*this)[id].covers.clear();
  for (NodeId each : given_back) {
    assert((*this)[each].covered_by == id && "both sides know of a cover");
    (*this)[each].covered_by.reset();
    open(each);
  }
  return given_back.size();
}

void Art::cut_below(NodeId id) {
  std::vector<NodeId> children = std::move((*this)[id].children);
  (*this)[id].children.clear();
  for (NodeId child : children) {
    cut_below(child);
    remove(child);
  }
  if (!(*this)[id].expanded) return;
  (*this)[id].expanded = false;
  open(id);
}

void Art::remove(NodeId id) {
  uncover(id);
  ArtNode& node = (*this)[id];
  assert(id != NodeId::Root && !node.gone && "the root stays, others leave once");
  assert(node.children.empty() && "descendants leave first");
  node.gone = true;
  if (node.covered_by) std::erase((*this)[*node.covered_by].covers, id);
  node.covered_by.reset();
  std::erase(at_[lem::index(node.at)], id);
  node.lemmas = {};
}

}  // namespace lem::engine
