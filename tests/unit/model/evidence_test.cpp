#include "model/evidence/evidence.h"

#include <gtest/gtest.h>

#include "model/evidence/codec.h"
#include "model/verdict.h"

namespace lem {
namespace {

/// One verdict for each kind of evidence.
std::vector<Verdict> all_kinds(TermStore& t) {
  Term x = t.variable("x", t.int_sort());
  std::vector<SignalClause> clauses = {{AigLit(3, true), AigLit(200000, false)}, {}};
  std::vector<Term> row = {t.integer(-1), t.boolean(true)};
  return {Safe{InductiveInvariant{clauses}},
          Safe{KInductive{4, SimplePath::Yes, clauses}},
          Safe{TermInvariant{t.make_le(x, t.integer(7)), 2, SimplePath::Yes}},
          Safe{LocationInvariants{{Term(), t.make_le(x, t.integer(3)), Term()}, {0, 5, 0}}},
          Safe{LiveProof{{ProductKind::Counter, 3, {}}, KInductive{2, SimplePath::No, clauses}}},
          Safe{LiveProof{{ProductKind::Delayed, 0, {}}, Layers{{clauses, {}}, clauses}}},
          Safe{TermLiveProof{{ProductKind::Oracle, 0, {0, 2}}, TermInvariant{t.make_le(x, x)}}},
          Safe{TermLiveProof{{ProductKind::Delayed, 0, {}},
                             TermLayers{{t.boolean(true)}, t.make_le(x, t.integer(1))}}},
          Unsafe{Trace{{true, false, true}, {{false}, {true}}}},
          Unsafe{Trace{{true, false, true}, {{false}, {true}}}, 1},
          Unsafe{TermTrace{{{{t.integer(1)}, row}, {{t.integer(2)}, row}}}},
          Unsafe{CfaTrace{{EdgeId{7}}, {row, {t.integer(8), t.boolean(false)}}}},
          Unknown{Reason::OutOfMemory}};
}

std::string bytes_of(const Verdict& verdict, SharedTerms terms) {
  ByteWriter out;
  write_verdict(out, verdict, terms);
  return out.take();
}

std::optional<Verdict> read(std::string_view bytes, TermStore* terms) {
  ByteReader in(bytes);
  return read_verdict(in, terms);
}

TEST(EvidenceCodec, EveryKindSurvives) {
  TermStore terms;
  for (const Verdict& verdict : all_kinds(terms)) {
    std::optional<Verdict> again = read(bytes_of(verdict, {&terms, 0}), &terms);
    ASSERT_TRUE(again.has_value()) << name(verdict);
    EXPECT_EQ(*again, verdict);
  }
}

TEST(EvidenceCodec, WhatIsCutOffIsNone) {
  TermStore terms;
  for (const Verdict& verdict : all_kinds(terms)) {
    std::string bytes = bytes_of(verdict, {&terms, terms.size()});
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(read(std::string_view(bytes).substr(0, size), &terms).has_value());
  }
}

TEST(EvidenceCodec, AKindThatThereIsNotIsNone) {
  TermStore terms;
  for (std::string_view bytes :
       {std::string_view("\x03", 1), std::string_view("\x00\x09\x00", 3),
        std::string_view("\x01\x09\x00", 3), std::string_view("\x02\x7f", 2)})
    EXPECT_FALSE(read(bytes, &terms).has_value());
}

TEST(EvidenceCodec, TermsNeedAStore) {
  TermStore terms;
  Verdict proof = Safe{TermInvariant{terms.boolean(true)}};
  EXPECT_FALSE(read(bytes_of(proof, {&terms, 0}), nullptr).has_value());
}

TEST(EvidenceCodec, ARunWithoutStepsIsNone) {
  TermStore terms;
  EXPECT_FALSE(read(bytes_of(Unsafe{Trace{}}, {}), &terms).has_value());
}

TEST(Evidence, KnowsItsRung) {
  EXPECT_EQ(rung_of(lem::Run(Trace{})), Rung::Bits);
  EXPECT_EQ(rung_of(lem::Run(TermTrace{})), Rung::Terms);
  EXPECT_EQ(rung_of(lem::Run(CfaTrace{})), Rung::Program);
  EXPECT_EQ(rung_of(Certificate(InductiveInvariant{})), Rung::Bits);
  EXPECT_EQ(rung_of(Certificate(KInductive{})), Rung::Bits);
  EXPECT_EQ(rung_of(Certificate(TermInvariant{})), Rung::Terms);
  EXPECT_EQ(rung_of(Certificate(LocationInvariants{})), Rung::Program);
}

TEST(Evidence, ADepthCountsTransitions) {
  lem::Run bits = Trace{{}, {{}, {}, {}}};
  EXPECT_EQ(length_of(bits), 3U);
  EXPECT_EQ(depth_of(bits), 2U);
  lem::Run terms = TermTrace{{{}, {}}};
  EXPECT_EQ(length_of(terms), 2U);
  EXPECT_EQ(depth_of(terms), 1U);
  lem::Run program = CfaTrace{{EdgeId{0}, EdgeId{1}}, {{}, {}, {}}};
  EXPECT_EQ(length_of(program), 2U);
  EXPECT_EQ(depth_of(program), 2U);
}

TEST(Evidence, OnlyKInductionHasADepth) {
  EXPECT_FALSE(induction_depth(InductiveInvariant{}).has_value());
  EXPECT_EQ(induction_depth(KInductive{}), 1U);
  EXPECT_FALSE(induction_depth(TermInvariant{}).has_value());
  EXPECT_EQ(induction_depth(TermInvariant{{}, 3}), 3U);
  EXPECT_FALSE(induction_depth(LocationInvariants{}).has_value());
}

TEST(Evidence, AnInductiveInvariantIsOneInductive) {
  std::vector<SignalClause> clauses = {{AigLit(1, false)}};
  KInductive claim = as_k_inductive(InductiveInvariant{clauses});
  EXPECT_EQ(claim, (KInductive{1, SimplePath::No, clauses}));
  KInductive deeper{3, SimplePath::Yes, clauses};
  EXPECT_EQ(as_k_inductive(deeper), deeper);
}

TEST(Verdict, HasOneKindOfEvidence) {
  Verdict safe = Safe{InductiveInvariant{}};
  EXPECT_NE(certificate_of(safe), nullptr);
  EXPECT_EQ(run_of(safe), nullptr);
  EXPECT_FALSE(reason_of(safe).has_value());
  EXPECT_EQ(name(safe), "safe");
  Verdict unsafe = Unsafe{Trace{}};
  EXPECT_EQ(certificate_of(unsafe), nullptr);
  EXPECT_NE(run_of(unsafe), nullptr);
  EXPECT_EQ(name(unsafe), "unsafe");
  Verdict unknown = Unknown{Reason::GaveUp};
  EXPECT_EQ(reason_of(unknown), Reason::GaveUp);
  EXPECT_EQ(name(unknown), "unknown");
}

}  // namespace
}  // namespace lem
