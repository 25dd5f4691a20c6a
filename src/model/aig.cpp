#include "model/aig.h"

#include <utility>

namespace lem {

AigLit AigBuilder::add_input() {
  assert(aig_.latches_.empty() && aig_.ands_.empty() && "inputs come first");
  ++aig_.num_inputs_;
  return aig_.input(aig_.num_inputs_ - 1);
}

AigLit AigBuilder::add_latch(Reset reset) {
  assert(aig_.ands_.empty() && "latches come before gates");
  AigLit lit{aig_.num_vars(), false};
  aig_.latches_.push_back({lit, reset});
  return lit;
}

void AigBuilder::set_next(AigLit latch, AigLit next) {
  assert(aig_.is_latch(latch.var()) && !latch.negative() && "set_next wants a plain latch");
  assert(next.var() < aig_.num_vars() && "next-state function is not built yet");
  aig_.latches_[latch.var() - aig_.first_latch()].next = next;
}

AigLit AigBuilder::raw_and(AigLit left, AigLit right) {
  AigLit lit{aig_.num_vars(), false};
  assert(left.var() < lit.var() && right.var() < lit.var() && "gates are topologically ordered");
  aig_.ands_.push_back({left, right});
  return lit;
}

AigLit AigBuilder::and_gate(AigLit left, AigLit right) {
  if (left < right) std::swap(left, right);
  if (right == kAigFalse || left == !right) return kAigFalse;
  if (right == kAigTrue || left == right) return left;
  std::uint64_t key = (std::uint64_t{left.code()} << 32) | right.code();
  auto [slot, fresh] = hashed_.try_emplace(key);
  if (fresh) slot->second = raw_and(left, right);
  return slot->second;
}

AigLit AigBuilder::xor_gate(AigLit left, AigLit right) {
  return or_gate(and_gate(left, !right), and_gate(!left, right));
}

AigLit AigBuilder::mux_gate(AigLit condition, AigLit then_lit, AigLit else_lit) {
  return or_gate(and_gate(condition, then_lit), and_gate(!condition, else_lit));
}

void AigBuilder::add_constraint(AigLit constraint) {
  assert(constraint.var() < aig_.num_vars() && "constraint is not built yet");
  aig_.constraints_.push_back(constraint);
}

Aig AigBuilder::freeze() && {
  return std::move(aig_);
}

}  // namespace lem
