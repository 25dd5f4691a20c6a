#include "app/evidence/form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <span>

#include "base/word_list.h"

namespace lem::app {

namespace {

/// Files with one of these extensions have this form.
template <class Form>
struct Named {
  std::string_view extensions;
  Form form;
};

/// The forms of one kind of evidence about models of a format.
template <class Form>
struct Forms {
  std::string_view own;  // the extension where the user names a folder alone
  Form otherwise;        // of files with any other extension
  std::string_view refused;
  std::string_view there_is;  // instead of what is refused
  std::array<Named<Form>, 4> named{};

  bool refuses(std::string_view extension) const { return has_word(refused, extension); }
  Form of(std::string_view extension) const {
    for (const Named<Form>& one : named)
      if (has_word(one.extensions, extension)) return one.form;
    return otherwise;
  }
};

struct FormatForms {
  std::string_view format;
  Forms<WitnessForm> witness;
  Forms<CertificateForm> certificate;
};

constexpr Forms<WitnessForm> kTable{
    ".txt", WitnessForm::Table, ".vcd", "a table, or .json", {{{".json", WitnessForm::Json}}}};
constexpr Forms<CertificateForm> kSmt{".smt2", CertificateForm::Smt, ".aag .aig .btor .btor2",
                                      "an SMT-LIB script, .smt2"};
constexpr Forms<CertificateForm> kBtor2Circuit{".btor2",
                                               CertificateForm::Smt,
                                               ".aag .aig",
                                               "a witness circuit in .btor2, or .smt2",
                                               {{{".btor .btor2", CertificateForm::Btor2}}}};
constexpr const char* kOwnOrWaves = "a witness of that format, or a waveform in .vcd";

// clang-format off
constexpr std::array<FormatForms, 8> kForms = {{
    {"aiger",
     {".wit", WitnessForm::Aiger, ".json", kOwnOrWaves, {{{".vcd", WitnessForm::Vcd}}}},
     {".aag", CertificateForm::Aiger, ".btor .btor2 .smt2", "a witness circuit, .aag or .aig"}},
    {"btor2",
     {".wit", WitnessForm::Btor2, ".json", kOwnOrWaves, {{{".vcd", WitnessForm::Vcd}}}},
     kBtor2Circuit},
    {"verilog",
     {".wit", WitnessForm::Btor2, "", "",
      {{{".vcd", WitnessForm::Vcd}, {".v .sv", WitnessForm::Bench},
        {".json", WitnessForm::Json}, {".txt", WitnessForm::Table}}}},
     kBtor2Circuit},
    {"vmt", kTable, kSmt},
    {"chc", kTable, kSmt},
    {"lustre", kTable, kSmt},
    {"st",
     {".txt", WitnessForm::Cycles, ".vcd", "a table in .txt, .csv or .json"},
     {".txt", CertificateForm::Invariants, ".aag .aig .btor .btor2 .smt2 .yml",
      "invariants in Structured Text, .txt or .st"}},
    {"c",
     {".yml", WitnessForm::Yaml, ".vcd .json",
      "an SV-COMP witness in .yml, a harness in .c, or steps in .txt",
      {{{".c", WitnessForm::Harness}, {".txt", WitnessForm::Steps}}}},
     {".yml", CertificateForm::Yaml, ".aag .aig .btor .btor2 .smt2", "an SV-COMP witness in .yml"}},
}};
// clang-format on

const FormatForms& forms_of(std::string_view format) {
  static constexpr FormatForms kOfNone{"", kTable, kSmt};
  const auto* row = std::find_if(kForms.begin(), kForms.end(),
                                 [&](const FormatForms& one) { return one.format == format; });
  return row == kForms.end() ? kOfNone : *row;
}

template <class Form>
Result<Form> form_of(std::string_view format, const Forms<Form>& forms, const std::string& path) {
  std::string extension = extension_of(path);
  if (!forms.refuses(extension)) return forms.of(extension);
  return Error{{path},
               "evidence about " + std::string(format) +
                   " models has another form: " + std::string(forms.there_is),
               ErrorKind::Usage};
}

}  // namespace

bool has_forms(std::string_view format) {
  return forms_of(format).format == format;
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

Result<WitnessForm> witness_form(std::string_view format, const std::string& path) {
  return form_of(format, forms_of(format).witness, path);
}

Result<CertificateForm> certificate_form(std::string_view format, const std::string& path) {
  return form_of(format, forms_of(format).certificate, path);
}

std::string_view witness_extension(std::string_view format) {
  return forms_of(format).witness.own;
}

std::string_view certificate_extension(std::string_view format) {
  return forms_of(format).certificate.own;
}

}  // namespace lem::app
