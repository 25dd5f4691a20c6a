// The circuit that the checks over bits are built from: gates are shared exactly when they are the
// same.
#include "check/circuit.h"

#include <gtest/gtest.h>

#include <set>

namespace lem::check {
namespace {

/// So many that the table of gates grows, and that many of them meet in it.
TEST(Circuit, GatesAreSharedExactlyWhenTheyAreTheSame) {
  Circuit circuit;
  AigLit first = circuit.fresh();
  std::vector<AigLit> others;
  for (int i = 0; i < 3000; ++i) others.push_back(circuit.fresh());
  AigLit last = circuit.fresh();
  std::set<AigLit> seen;
  std::vector<AigLit> gates;
  for (AigLit one : {first, last})
    for (AigLit other : others)
      for (AigLit right : {other, !other}) {
        gates.push_back(circuit.both(one, right));
        ASSERT_TRUE(seen.insert(gates.back()).second) << "another gate";
        const AndGate& gate = circuit.gate(gates.back().var());
        ASSERT_TRUE((gate.left == one && gate.right == right) ||
                    (gate.left == right && gate.right == one));
      }
  std::uint32_t before = circuit.num_vars();
  std::size_t at = 0;
  for (AigLit one : {first, last})
    for (AigLit other : others)
      for (AigLit right : {other, !other})
        ASSERT_EQ(circuit.both(right, one), gates[at++]) << "the same gate again";
  EXPECT_EQ(circuit.num_vars(), before);
}

TEST(Circuit, ConstantsAreFolded) {
  Circuit circuit;
  AigLit a = circuit.fresh();
  EXPECT_EQ(circuit.both(a, kAigTrue), a);
  EXPECT_EQ(circuit.both(kAigFalse, a), kAigFalse);
  EXPECT_EQ(circuit.both(a, a), a);
  EXPECT_EQ(circuit.both(a, !a), kAigFalse);
  EXPECT_EQ(circuit.either(a, !a), kAigTrue);
  EXPECT_EQ(circuit.differ(a, a), kAigFalse);
  EXPECT_EQ(circuit.differ(a, kAigTrue), !a);
}

}  // namespace
}  // namespace lem::check
