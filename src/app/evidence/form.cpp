#include "app/evidence/form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace lem::app {

static Error no_such_form(std::string_view format, const std::string& path,
                          const std::string& there_is) {
  return {{path},
          "evidence about " + std::string(format) + " models has another form: " + there_is,
          ErrorKind::Usage};
}

template <std::size_t N>
static bool is_one_of(const std::string& extension, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), extension) != list.end();
}

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

static Result<WitnessForm> program_witness_form(const std::string& path) {
  std::string extension = extension_of(path);
  if (extension == ".c") return WitnessForm::Harness;
  if (extension == ".txt") return WitnessForm::Steps;
  if (extension == ".vcd" || extension == ".json")
    return no_such_form("c", path, "an SV-COMP witness in .yml, a harness in .c, or steps in .txt");
  return WitnessForm::Yaml;
}

Result<WitnessForm> witness_form(std::string_view format, const std::string& path) {
  std::string extension = extension_of(path);
  if (format == "c") return program_witness_form(path);
  if (format == "st") {
    if (extension == ".vcd") return no_such_form(format, path, "a table in .txt, .csv or .json");
    return WitnessForm::Cycles;
  }
  if (format == "verilog") {
    if (extension == ".vcd") return WitnessForm::Vcd;
    if (extension == ".v" || extension == ".sv") return WitnessForm::Bench;
    if (extension == ".json") return WitnessForm::Json;
    return extension == ".txt" ? WitnessForm::Table : WitnessForm::Btor2;
  }
  if (format == "aiger" || format == "btor2") {
    if (extension == ".vcd") return WitnessForm::Vcd;
    if (extension == ".json")
      return no_such_form(format, path, "a witness of that format, or a waveform in .vcd");
    return format == "aiger" ? WitnessForm::Aiger : WitnessForm::Btor2;
  }
  if (extension == ".vcd") return no_such_form(format, path, "a table, or .json");
  return extension == ".json" ? WitnessForm::Json : WitnessForm::Table;
}

Result<CertificateForm> certificate_form(std::string_view format, const std::string& path) {
  constexpr std::array<std::string_view, 2> kAiger = {".aag", ".aig"};
  constexpr std::array<std::string_view, 2> kBtor2 = {".btor", ".btor2"};
  std::string extension = extension_of(path);
  bool aiger = is_one_of(extension, kAiger);
  bool btor2 = is_one_of(extension, kBtor2);
  if (format == "aiger") {
    if (btor2 || extension == ".smt2")
      return no_such_form(format, path, "a witness circuit, .aag or .aig");
    return CertificateForm::Aiger;
  }
  if (format == "btor2" || format == "verilog") {
    if (aiger) return no_such_form(format, path, "a witness circuit in .btor2, or .smt2");
    return btor2 ? CertificateForm::Btor2 : CertificateForm::Smt;
  }
  if (format == "st") {
    if (aiger || btor2 || extension == ".smt2" || extension == ".yml")
      return no_such_form(format, path, "invariants in Structured Text, .txt or .st");
    return CertificateForm::Invariants;
  }
  if (format == "c") {
    if (aiger || btor2 || extension == ".smt2")
      return no_such_form(format, path, "an SV-COMP witness in .yml");
    return CertificateForm::Yaml;
  }
  if (aiger || btor2) return no_such_form(format, path, "an SMT-LIB script, .smt2");
  return CertificateForm::Smt;
}

std::string_view witness_extension(std::string_view format) {
  if (format == "aiger" || format == "btor2" || format == "verilog") return ".wit";
  return format == "c" ? ".yml" : ".txt";
}

std::string_view certificate_extension(std::string_view format) {
  if (format == "aiger") return ".aag";
  if (format == "btor2" || format == "verilog") return ".btor2";
  if (format == "st") return ".txt";
  return format == "c" ? ".yml" : ".smt2";
}

}  // namespace lem::app
