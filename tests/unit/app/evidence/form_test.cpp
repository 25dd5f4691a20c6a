#include "app/evidence/form.h"

#include <gtest/gtest.h>

#include "frontend/frontend.h"
#include "model/format.h"

namespace lem::app {
namespace {

TEST(EvidenceForm, WitnessesFollowTheFormat) {
  EXPECT_EQ(*witness_form("aiger", "a.cex"), WitnessForm::Aiger);
  EXPECT_EQ(*witness_form("aiger", "dir/a.VCD"), WitnessForm::Vcd);
  EXPECT_EQ(*witness_form("btor2", "a.wit"), WitnessForm::Btor2);
  EXPECT_EQ(*witness_form("btor2", "a.vcd"), WitnessForm::Vcd);
  for (const char* format : {"vmt", "chc", "lustre"}) {
    EXPECT_EQ(*witness_form(format, "a.txt"), WitnessForm::Table);
    EXPECT_EQ(*witness_form(format, "a"), WitnessForm::Table);
    EXPECT_EQ(*witness_form(format, "a.json"), WitnessForm::Json);
  }
}

TEST(EvidenceForm, CertificatesFollowTheFormat) {
  EXPECT_EQ(*certificate_form("aiger", "a.aig"), CertificateForm::Aiger);
  EXPECT_EQ(*certificate_form("aiger", "a.cert"), CertificateForm::Aiger);
  EXPECT_EQ(*certificate_form("btor2", "a.btor2"), CertificateForm::Btor2);
  EXPECT_EQ(*certificate_form("btor2", "a.btor"), CertificateForm::Btor2);
  EXPECT_EQ(*certificate_form("btor2", "a.smt2"), CertificateForm::Smt);
  EXPECT_EQ(*certificate_form("btor2", "a.cert"), CertificateForm::Smt);
  EXPECT_EQ(*certificate_form("lustre", "a.smt2"), CertificateForm::Smt);
}

TEST(EvidenceForm, EveryFormatHasItsOwnForm) {
  for (const frontend::FormatInfo& format : frontend::all_formats()) {
    EXPECT_EQ(facts_of(format.id).id, format.id);
    EXPECT_TRUE(has_forms(format.id)) << format.id;
    std::string witness = "x" + std::string(witness_extension(format.id));
    std::string certificate = "x" + std::string(certificate_extension(format.id));
    EXPECT_TRUE(witness_form(format.id, witness).ok()) << format.id;
    EXPECT_TRUE(certificate_form(format.id, certificate).ok()) << format.id;
  }
  EXPECT_FALSE(has_forms("random"));
}

TEST(EvidenceForm, WhatDoesNotFitIsAUsageError) {
  auto kind = [](const auto& form) { return form.ok() ? -1 : static_cast<int>(form.error().kind); };
  int usage = static_cast<int>(ErrorKind::Usage);
  EXPECT_EQ(kind(witness_form("aiger", "a.json")), usage);
  EXPECT_EQ(kind(witness_form("btor2", "a.json")), usage);
  EXPECT_EQ(kind(witness_form("vmt", "a.vcd")), usage);
  EXPECT_EQ(kind(certificate_form("aiger", "a.smt2")), usage);
  EXPECT_EQ(kind(certificate_form("aiger", "a.btor2")), usage);
  EXPECT_EQ(kind(certificate_form("btor2", "a.aag")), usage);
  EXPECT_EQ(kind(certificate_form("chc", "a.btor2")), usage);
  EXPECT_EQ(kind(certificate_form("vmt", "a.aig")), usage);
}

}  // namespace
}  // namespace lem::app
