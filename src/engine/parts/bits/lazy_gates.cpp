#include "engine/parts/bits/lazy_gates.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>

namespace lem::engine {

using sat::Lit;
using sat::Var;

LazyGates::LazyGates(sat::SatSolver& solver) : solver_(solver), table_(1U << 12) {
  assert(solver.num_vars() == 0 && "the solver already has variables of its own");
  Var constant = new_node(Lit(0, false), Lit(0, false));
  encoded_[constant] = 1;
  clause({truth()});
}

Var LazyGates::new_node(Lit left, Lit right) {
  Var var = solver_.new_var();
  assert(var == nodes_.size() && "only LazyGates may add variables to its solver");
  nodes_.push_back({left, right});
  fanouts_.push_back(0);
  encoded_.push_back(0);
  return var;
}

Lit LazyGates::leaf() {
  Lit self(static_cast<Var>(nodes_.size()), false);
  return Lit(new_node(self, self), false);
}

static std::size_t hash_of(Lit left, Lit right) {
  std::uint64_t key = (std::uint64_t{left.code()} << 32) | right.code();
  return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 29);
}

void LazyGates::grow_table() {
  std::vector<Var> old(table_.size() * 2);
  std::swap(old, table_);
  for (Var var : old) {
    if (var == 0) continue;
    std::size_t mask = table_.size() - 1;
    std::size_t at = hash_of(nodes_[var].left, nodes_[var].right) & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = var;
  }
}

Lit LazyGates::hashed(Lit left, Lit right) {
  if (right < left) std::swap(left, right);
  if (2 * gates_ >= table_.size()) grow_table();
  std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(left, right) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const Node& node = nodes_[table_[at]];
    if (node.left == left && node.right == right) return Lit(table_[at], false);
  }
  for (Lit lit : {left, right}) {
    std::uint8_t& uses = fanouts_[lit.var()];
    if (uses < 2) ++uses;
  }
  Var var = new_node(left, right);
  table_[at] = var;
  ++gates_;
  return Lit(var, false);
}

/// One- and two-level simplification [Brummayer06]: contradiction, subsumption, idempotence,
/// resolution and substitution.
Lit LazyGates::conj(Lit left, Lit right) {
  if (left == falsity() || right == falsity() || left == !right) return falsity();
  if (left == truth() || left == right) return right;
  if (right == truth()) return left;
  for (auto [a, b] : {std::pair{left, right}, std::pair{right, left}}) {
    const Node* inner = gate(a);
    if (inner == nullptr) continue;
    Lit x = inner->left, y = inner->right;
    if (!a.negative()) {
      if (b == x || b == y) return a;
      if (b == !x || b == !y) return falsity();
    } else {
      if (b == !x || b == !y) return b;
      if (b == x) return conj(b, !y);
      if (b == y) return conj(b, !x);
    }
  }
  const Node* p = gate(left);
  const Node* q = gate(right);
  if (p == nullptr || q == nullptr) return hashed(left, right);
  std::array<Lit, 2> of_p = {p->left, p->right}, of_q = {q->left, q->right};
  auto holds = [](const std::array<Lit, 2>& pair, Lit lit) {
    return pair[0] == lit || pair[1] == lit;
  };
  if (!left.negative() && !right.negative()) {
    if (holds(of_q, !of_p[0]) || holds(of_q, !of_p[1])) return falsity();
  } else if (left.negative() && right.negative()) {
    for (int i : {0, 1})
      for (int j : {0, 1})
        if (of_p[i] == of_q[j] && of_p[1 - i] == !of_q[1 - j]) return !of_p[i];
  } else {
    Lit positive = left.negative() ? right : left;
    const auto& cube = left.negative() ? of_q : of_p;
    const auto& denied = left.negative() ? of_p : of_q;
    if (holds(cube, !denied[0]) || holds(cube, !denied[1])) return positive;
    for (int i : {0, 1})
      if (holds(cube, denied[i])) return conj(positive, !denied[1 - i]);
  }
  return hashed(left, right);
}

Lit LazyGates::differ(Lit left, Lit right) {
  return conj(!conj(left, right), !conj(!left, !right));
}

Lit LazyGates::encoded(Lit root) {
  std::vector<Var> todo;
  want(root.var(), todo);
  while (!todo.empty()) {
    Var var = todo.back();
    todo.pop_back();
    if (!is_leaf(var)) encode_gate(var, todo);
  }
  return root;
}

void LazyGates::want(Var var, std::vector<Var>& todo) {
  if (encoded_[var] != 0) return;
  encoded_[var] = 1;
  todo.push_back(var);
}

void LazyGates::encode_gate(Var var, std::vector<Var>& todo) {
  if (!encode_as_mux(var, todo)) encode_as_wide_and(var, todo);
}

/// not(c & a) & not(!c & b) is c ? !a : !b; without inner variables it takes six short clauses.
bool LazyGates::encode_as_mux(Var var, std::vector<Var>& todo) {
  Lit left = nodes_[var].left, right = nodes_[var].right;
  if (!left.negative() || !right.negative()) return false;
  const Node* p = gate(left);
  const Node* q = gate(right);
  if (p == nullptr || q == nullptr) return false;
  for (auto [c, a] : {std::pair{p->left, p->right}, std::pair{p->right, p->left}}) {
    for (auto [d, b] : {std::pair{q->left, q->right}, std::pair{q->right, q->left}}) {
      if (c != !d) continue;
      Lit out(var, false);
      clause({!c, !out, !a});
      clause({!c, out, a});
      clause({c, !out, !b});
      clause({c, out, b});
      if (a != !b) {
        clause({!out, !a, !b});
        clause({out, a, b});
      }
      for (Lit lit : {a, b, c}) want(lit.var(), todo);
      return true;
    }
  }
  return false;
}

/// Conjunctions used once are folded into the one above them.
void LazyGates::encode_as_wide_and(Var var, std::vector<Var>& todo) {
  std::vector<Lit> parts;
  std::vector<Lit> open = {nodes_[var].left, nodes_[var].right};
  while (!open.empty()) {
    Lit lit = open.back();
    open.pop_back();
    bool fold = !lit.negative() && !is_leaf(lit.var()) && fanouts_[lit.var()] < 2 &&
                encoded_[lit.var()] == 0;
    if (fold) {
      open.push_back(nodes_[lit.var()].left);
      open.push_back(nodes_[lit.var()].right);
    } else {
      parts.push_back(lit);
    }
  }
  Lit out(var, false);
  std::vector<Lit> all_true = {out};
  for (Lit part : parts) {
    clause({!out, part});
    all_true.push_back(!part);
    want(part.var(), todo);
  }
  solver_.add_clause(all_true);
}

void LazyGates::clause(std::initializer_list<Lit> lits) {
  solver_.add_clause(std::span<const Lit>(lits.begin(), lits.size()));
}

bool LazyGates::value(Lit lit) const {
  if (encoded_[lit.var()] != 0) return solver_.value(lit);
  assert(is_leaf(lit.var()) && "the solver does not know this gate");
  return lit.negative();
}

}  // namespace lem::engine
