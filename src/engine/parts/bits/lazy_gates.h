// Conjunctions over the variables of a SAT solver, shared by structure and encoded on demand.
//
// A node is a solver variable; its defining clauses reach the solver only when something above it
// is asked about. Time frames built this way share what does not change between them, and fold away
// what reset values decide, before the solver sees a clause.
// Tests: tests/unit/engine/bmc/bmc_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "sat/sat_solver.h"

namespace lem::engine {

class LazyGates {
 public:
  /// The solver is borrowed and must be new: nodes are its variables from 0 on.
  explicit LazyGates(sat::SatSolver& solver);

  sat::Lit truth() const { return sat::Lit(0, false); }
  sat::Lit falsity() const { return sat::Lit(0, true); }
  /// A fresh free variable.
  sat::Lit leaf();
  sat::Lit conj(sat::Lit left, sat::Lit right);
  sat::Lit disj(sat::Lit left, sat::Lit right) { return !conj(!left, !right); }
  sat::Lit differ(sat::Lit left, sat::Lit right);

  /// Sends the definitions of everything below `root`. ensure: root may be assumed or asserted.
  sat::Lit encoded(sat::Lit root);
  /// The value in the solver's last model. require: `lit` is a leaf, a constant or encoded.
  /// Leaves that no query mentioned are false.
  bool value(sat::Lit lit) const;

  /// Whether the solver has seen the node.
  bool known(sat::Lit lit) const { return encoded_[lit.var()] != 0; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    sat::Lit left;  // left.var() == own index marks a leaf or the constant
    sat::Lit right;
  };
  bool is_leaf(sat::Var var) const { return nodes_[var].left.var() == var; }
  const Node* gate(sat::Lit lit) const { return is_leaf(lit.var()) ? nullptr : &nodes_[lit.var()]; }
  sat::Var new_node(sat::Lit left, sat::Lit right);
  sat::Lit hashed(sat::Lit left, sat::Lit right);
  void grow_table();
  void encode_gate(sat::Var var, std::vector<sat::Var>& todo);
  bool encode_as_mux(sat::Var var, std::vector<sat::Var>& todo);
  void encode_as_wide_and(sat::Var var, std::vector<sat::Var>& todo);
  void want(sat::Var var, std::vector<sat::Var>& todo);
  void clause(std::initializer_list<sat::Lit> lits);

  sat::SatSolver& solver_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> fanouts_;  // how often used, saturating: single uses are inlined
  std::vector<std::uint8_t> encoded_;  // the solver knows the node
  std::vector<sat::Var> table_;        // open addressing over gates, 0 = free
  std::size_t gates_ = 0;
};

}  // namespace lem::engine
