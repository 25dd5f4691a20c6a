// Arrays of a symbolic execution, read after writes at known and unknown indices.
#include "engine/bmc/arrays.h"

#include <gtest/gtest.h>

namespace lem::engine {
namespace {

struct Words {
  TermStore t;
  Arrays arrays{t};
  Sort word = t.bv_sort(32);
  Term array = t.variable("a", t.array_sort(word, word));
  Term number(unsigned long value) { return t.bv(value, 32); }
  Term any(const std::string& name) { return t.variable(name, word); }
};

TEST(BmcArrays, KnownIndicesAreLikeVariables) {
  Words w;
  ArrayRef start = w.arrays.unknown(w.array);
  ArrayRef one = w.arrays.write(start, w.number(1), w.any("x"));
  ArrayRef two = w.arrays.write(one, w.number(2), w.any("y"));
  EXPECT_EQ(w.arrays.read(two, w.number(1)), w.any("x"));
  EXPECT_EQ(w.arrays.read(two, w.number(2)), w.any("y"));
  EXPECT_EQ(w.arrays.read(two, w.number(3)), w.arrays.read(start, w.number(3)));
  Term c = w.t.variable("c", w.t.bool_sort());
  ArrayRef either = w.arrays.choose(c, two, one);
  EXPECT_EQ(w.arrays.read(either, w.number(1)), w.any("x"));
  EXPECT_EQ(w.arrays.read(either, w.number(2)),
            w.t.make_ite(c, w.any("y"), w.arrays.read(one, w.number(2))));
  EXPECT_TRUE(w.arrays.take_facts().empty());
}

TEST(BmcArrays, ElementsAtEqualIndicesAreEqual) {
  Words w;
  ArrayRef start = w.arrays.unknown(w.array);
  Term at_i = w.arrays.read(start, w.any("i")), at_j = w.arrays.read(start, w.any("j"));
  EXPECT_EQ(w.arrays.take_facts(), std::vector{w.t.make_implies(w.t.make_eq(w.any("i"), w.any("j")),
                                                                w.t.make_eq(at_i, at_j))});
}

/// Neither reading through them nor their end goes deep.
TEST(BmcArrays, ChainsOfWritesAreLong) {
  Words w;
  ArrayRef array = w.arrays.constant(w.t.sort(w.array), w.number(0));
  for (unsigned long i = 0; i < 200'000; ++i)
    array = w.arrays.write(array, i % 2 == 0 ? w.any("i") : w.any("j"), w.number(i));
  Term last = w.arrays.read(array, w.any("j"));
  EXPECT_EQ(last, w.number(199'999));
  EXPECT_EQ(w.t.op(w.arrays.read(array, w.any("k"))), Op::Ite);
}

}  // namespace
}  // namespace lem::engine
