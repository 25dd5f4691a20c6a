#include "transform/cfa/dependence.h"

#include <algorithm>
#include <unordered_map>

#include "model/cfa_components.h"
#include "term/traverse.h"

namespace lem::transform {

Dependence::Dependence(const Cfa& cfa, std::span<const LocationId> errors, Assumptions assumptions)
    : cfa_(cfa), assumptions_(assumptions) {
  place_.resize(cfa.terms().size(), kNowhere);
  for (std::uint32_t i = 0; i < cfa.variables().size(); ++i) place_[cfa.variables()[i].id()] = i;
  reads_.resize(cfa.edges().size());
  for (std::size_t i = 0; i < cfa.edges().size(); ++i) read(cfa.edges()[i].command, reads_[i]);
  find_alive(errors);
  make_graph();
  find_postdominators();
  find_control();
}

std::vector<std::uint32_t> Dependence::variables_in(Term term) const {
  std::vector<std::uint32_t> found;
  for (Term variable : variables_of(cfa_.terms(), term))
    if (variable.id() < place_.size() && place_[variable.id()] != kNowhere)
      found.push_back(place_[variable.id()]);
  return found;
}

void Dependence::read(const Command& command, Reads& into) const {
  if (command.kind() == Command::Kind::Assume)
    for (std::uint32_t v : variables_in(command.guard())) into.guards.push_back(v);
  if (command.kind() == Command::Kind::Assign)
    into.assigned.emplace_back(place_[command.variable().id()], variables_in(command.value()));
  if (command.kind() == Command::Kind::Havoc)
    into.assigned.push_back({place_[command.variable().id()], {}});
  for (const Command& part : command.parts()) read(part, into);
}

/// From locations where a run ends without an error, and from loops, backwards.
void Dependence::find_alive(std::span<const LocationId> errors) {
  std::vector<bool> is_error(cfa_.locations().size());
  for (LocationId error : errors) is_error[index(error)] = true;
  alive_.assign(cfa_.locations().size(), false);
  std::vector<LocationId> todo;
  CfaComponents loops = components(cfa_);
  for (std::uint32_t i = 0; i < alive_.size(); ++i) {
    bool ends = cfa_.out(LocationId{i}).empty() && !is_error[i];
    bool loop = !loops.heads[i].empty();
    if (ends || loop) todo.push_back(LocationId{i});
  }
  while (!todo.empty()) {
    LocationId at = todo.back();
    todo.pop_back();
    if (alive_[index(at)]) continue;
    alive_[index(at)] = true;
    for (EdgeId edge : cfa_.in(at)) todo.push_back(cfa_[edge].from);
  }
}

/// Outermost loops from which no run ends get a node before them with a way to the exit.
void Dependence::make_graph() {
  auto count = static_cast<Node>(cfa_.locations().size());
  exit_ = count;
  next_.assign(count + 1, {});
  std::vector<LocationId> todo;
  std::vector<bool> ends(count);
  for (std::uint32_t i = 0; i < count; ++i)
    if (alive_[i] && cfa_.out(LocationId{i}).empty()) todo.push_back(LocationId{i});
  while (!todo.empty()) {
    LocationId at = todo.back();
    todo.pop_back();
    if (ends[index(at)]) continue;
    ends[index(at)] = true;
    for (EdgeId edge : cfa_.in(at)) todo.push_back(cfa_[edge].from);
  }
  std::unordered_map<Node, Node> before;
  for (const CfaElement& element : components(cfa_).order) {
    if (!element.is_component || ends[index(element.head)]) continue;
    before.emplace(index(element.head), static_cast<Node>(next_.size()));
    next_.push_back({index(element.head), exit_});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!alive_[i]) continue;
    for (EdgeId edge : cfa_.out(LocationId{i})) {
      Node to = index(cfa_[edge].to);
      if (!alive_[to]) continue;
      if (auto virtual_node = before.find(to); virtual_node != before.end())
        to = virtual_node->second;
      if (std::find(next_[i].begin(), next_[i].end(), to) == next_[i].end()) next_[i].push_back(to);
    }
    if (cfa_.out(LocationId{i}).empty()) next_[i].push_back(exit_);
  }
}

/// [Cooper01], on the graph backwards. Nodes from which no way leads to the exit have none.
void Dependence::find_postdominators() {
  std::vector<std::vector<Node>> into(next_.size());
  for (Node from = 0; from < next_.size(); ++from)
    for (Node to : next_[from]) into[to].push_back(from);
  std::vector<Node> order;  // postorder of the backward graph
  std::vector<std::uint32_t> number(next_.size(), kNowhere);
  std::vector<bool> seen(next_.size());
  std::vector<std::pair<Node, std::size_t>> stack{{exit_, 0}};
  seen[exit_] = true;
  while (!stack.empty()) {
    auto& [node, child] = stack.back();
    if (child < into[node].size()) {
      Node from = into[node][child++];
      if (!seen[from]) {
        seen[from] = true;
        stack.emplace_back(from, 0);
      }
      continue;
    }
    number[node] = static_cast<std::uint32_t>(order.size());
    order.push_back(node);
    stack.pop_back();
  }
  after_.assign(next_.size(), kNowhere);
  after_[exit_] = exit_;
  auto meet = [&](Node a, Node b) {
    while (a != b) {
      Node& lower = number[a] < number[b] ? a : b;
      lower = after_[lower];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (*node == exit_) continue;
      Node all = kNowhere;
      for (Node to : next_[*node])
        if (after_[to] != kNowhere) all = all == kNowhere ? to : meet(all, to);
      changed = changed || after_[*node] != all;
      after_[*node] = all;
    }
  }
}

/// [Ferrante87]: from each way out of a branch up to where all of its ways meet.
void Dependence::find_control() {
  deciders_.assign(next_.size(), {});
  for (Node branch = 0; branch < next_.size(); ++branch) {
    if (next_[branch].size() < 2 || after_[branch] == kNowhere) continue;
    for (Node to : next_[branch])
      for (Node at = to; at != after_[branch] && at != exit_ && at != kNowhere; at = after_[at])
        if (deciders_[at].empty() || deciders_[at].back() != branch)
          deciders_[at].push_back(branch);
  }
}

std::optional<LocationId> Dependence::meeting(LocationId at) const {
  Node node = after_[index(at)];
  // A virtual node stands before the head of its loop.
  if (node != kNowhere && node > exit_) node = next_[node].front();
  if (node == kNowhere || node == exit_) return {};
  return LocationId{node};
}

/// The smallest set that is closed under what values and branches are made of.
class Dependence::Closure {
 public:
  explicit Closure(const Dependence& all) : all_(all), nodes_(all.next_.size()) {
    std::size_t locations = all.cfa_.locations().size();
    result_ = {std::vector<bool>(all.cfa_.variables().size()), std::vector<bool>(locations),
               std::vector<bool>(locations)};
  }

  Relevant of(std::span<const LocationId> targets) {
    std::vector<LocationId> todo(targets.begin(), targets.end());
    while (!todo.empty()) {  // doomed locations before the targets, and the edges to them
      LocationId at = todo.back();
      todo.pop_back();
      if (result_.errors[index(at)]) continue;
      result_.errors[index(at)] = true;
      for (EdgeId edge : all_.cfa_.in(at)) {
        LocationId from = all_.cfa_[edge].from;
        for (std::uint32_t v : all_.reads_[index(edge)].guards) need(v);
        if (all_.is_doomed(from))
          todo.push_back(from);
        else
          reach(index(from));
      }
    }
    for (std::size_t before = ~std::size_t{0}; before != changes_;) {
      before = changes_;
      for (std::uint32_t i = 0; i < all_.cfa_.edges().size(); ++i) look_at(EdgeId{i});
    }
    return result_;
  }

 private:
  void need(std::uint32_t variable) {
    if (result_.variables[variable]) return;
    result_.variables[variable] = true;
    ++changes_;
  }
  /// It matters whether control gets there.
  void reach(Node node) {
    std::vector<Node> todo{node};
    while (!todo.empty()) {
      Node at = todo.back();
      todo.pop_back();
      if (nodes_[at]) continue;
      nodes_[at] = true;
      ++changes_;
      for (Node branch : all_.deciders_[at]) {
        if (branch < all_.exit_) decide(LocationId{branch});
        todo.push_back(branch);
      }
    }
  }
  void decide(LocationId branch) {
    if (result_.branches[index(branch)]) return;
    result_.branches[index(branch)] = true;
    ++changes_;
    for (EdgeId edge : all_.cfa_.out(branch))
      for (std::uint32_t v : all_.reads_[index(edge)].guards) need(v);
  }
  void look_at(EdgeId id) {
    const CfaEdge& edge = all_.cfa_[id];
    const Reads& reads = all_.reads_[index(id)];
    bool doomed = all_.is_doomed(edge.to);
    if (doomed && !result_.errors[index(edge.to)]) return;
    bool matters = false;
    for (const auto& [variable, values] : reads.assigned) {
      if (!result_.variables[variable]) continue;
      matters = true;
      for (std::uint32_t v : values) need(v);
    }
    // Where only errors lie beside, or nothing, the guard says what holds from there on.
    bool alone = !doomed && !all_.is_branch(edge.from);
    bool speaks = all_.assumptions_ == Assumptions::All && !reads.guards.empty();
    for (std::uint32_t v : reads.guards) speaks = speaks || result_.variables[v];
    if (alone && speaks) {
      matters = true;
      for (std::uint32_t v : reads.guards) need(v);
    }
    if (!matters || all_.is_doomed(edge.from)) return;
    reach(index(edge.from));
    if (all_.is_branch(edge.from)) decide(edge.from);
  }

  const Dependence& all_;
  std::vector<bool> nodes_;
  Relevant result_;
  std::size_t changes_ = 0;
};

Dependence::Relevant Dependence::of(std::span<const LocationId> targets) const {
  return Closure(*this).of(targets);
}

}  // namespace lem::transform
