// What word-level circuits are built of: conjunctions over literals numbered as in an AIG, where
// variable 0 is the constant false. One builder makes an AIG, another one clauses for a solver
// (engine/parts/terms/decider.cpp).
#pragma once

#include "model/aig.h"

namespace lem::bitblast {

class Gates {
 public:
  virtual ~Gates() = default;
  virtual AigLit and_gate(AigLit left, AigLit right) = 0;
  AigLit or_gate(AigLit left, AigLit right) { return !and_gate(!left, !right); }
  AigLit xor_gate(AigLit left, AigLit right) {
    return or_gate(and_gate(left, !right), and_gate(!left, right));
  }
  AigLit mux_gate(AigLit condition, AigLit then_lit, AigLit else_lit) {
    return or_gate(and_gate(condition, then_lit), and_gate(!condition, else_lit));
  }
};

/// Gates of an AIG that is being built; the builder is borrowed.
class AigGates final : public Gates {
 public:
  explicit AigGates(AigBuilder& out) : out_(out) {}
  AigLit and_gate(AigLit left, AigLit right) override { return out_.and_gate(left, right); }

 private:
  AigBuilder& out_;
};

}  // namespace lem::bitblast
