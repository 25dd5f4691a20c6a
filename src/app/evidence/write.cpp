#include "app/evidence/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <variant>

#include "app/evidence/c_evidence.h"
#include "app/evidence/form.h"
#include "base/assert.h"
#include "frontend/verilog/bench.h"
#include "writer/aiger.h"
#include "writer/bench.h"
#include "writer/btor2.h"
#include "writer/file.h"
#include "writer/horn.h"
#include "writer/json.h"
#include "writer/smt.h"
#include "writer/st_invariant.h"
#include "writer/st_trace.h"
#include "writer/table.h"
#include "writer/vcd.h"

namespace lem::app {

// File names have 255 bytes at most, and need room for a number, the rest and an extension.
static constexpr std::size_t kLongestLabel = 100;

static std::string file_name_of(std::string property) {
  for (char& c : property)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  property.resize(std::min(property.size(), kLongestLabel));
  return property;
}

std::vector<std::string> evidence_labels(const Problem& problem,
                                         std::span<const std::size_t> properties) {
  if (properties.size() == 1) return {""};
  std::vector<std::string> labels;
  for (std::size_t index : properties) {
    std::string label = file_name_of(problem.properties[index].name);
    auto taken = [&] { return std::find(labels.begin(), labels.end(), label) != labels.end(); };
    while (label.empty() || taken()) label += '_' + std::to_string(index);
    labels.push_back(label);
  }
  return labels;
}

std::string labelled(const std::string& path, const std::string& label) {
  if (label.empty()) return path;
  std::filesystem::path file(path);
  std::filesystem::path name = file.stem();
  name += "." + label;
  name += file.extension();
  return file.replace_filename(name).string();
}

/// Where the evidence of a property goes: the named file, with the label if there are several, or a
/// file in the named folder, called like the property.
static std::string file_for(const std::string& path, const std::string& label,
                            const Property& property, std::string_view extension) {
  if (!is_folder(path)) return labelled(path, label);
  return path + (label.empty() ? file_name_of(property.name) : label) + std::string(extension);
}

static Status write_evidence_file(const std::string& path, const std::string& text) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directory(folder, failed);  // writing will tell
  return writer::write_file_atomically(path, text);
}

Status check_evidence_forms(const OutputFiles& outputs, const Problem& problem) {
  const std::string& format = problem.source.format;
  if (!outputs.witness.empty() && outputs.witness != "-")
    if (auto form = witness_form(format, outputs.witness); !form) return form.error();
  if (!outputs.certificate.empty() && outputs.certificate != "-")
    if (auto form = certificate_form(format, outputs.certificate); !form) return form.error();
  return Ok{};
}

Status check_evidence_files(const CheckRequest& request, std::span<const std::string> labels) {
  const OutputFiles& files = request.outputs;
  std::vector<Output> outputs = {{"--json", files.json}, {"--report", files.report}};
  for (const std::string& label : labels)
    for (const Output& evidence :
         {Output{"--witness", files.witness}, Output{"--certificate", files.certificate}})
      if (!evidence.path.empty() && !is_folder(evidence.path) && evidence.path != "-")
        outputs.push_back({evidence.option, labelled(evidence.path, label)});
  for (const Output& output : outputs)
    if (Status writable = check_writable(output); !writable) return writable;
  return check_apart(request.input.all_files(request.file), outputs);
}

static Result<std::string> witness_text(WitnessForm form, const Problem& original,
                                        std::size_t property, const std::string& path,
                                        const check::Certified& outcome,
                                        const VerilogSource* verilog, std::string& note) {
  switch (form) {
    case WitnessForm::Aiger:
      return writer::write_aiger_witness(original, property, outcome);
    case WitnessForm::Btor2:
      return writer::write_btor2_witness(original, property, outcome);
    case WitnessForm::Table:
      if (original.is_horn()) return writer::write_derivation(original, outcome);
      return writer::write_trace_table(original, property, outcome);
    case WitnessForm::Json:
      return writer::write_json_witness(original, property, outcome);
    case WitnessForm::Vcd:
      return writer::write_vcd(original, outcome, verilog);
    case WitnessForm::Bench: {
      Result<VerilogBench> names = lem::verilog::read_bench(*verilog, {});
      if (!names) return names.error();
      return writer::write_bench(original, property, *verilog, *names, outcome);
    }
    case WitnessForm::Yaml:
    case WitnessForm::Harness: {
      Result<CViolation> written = form == WitnessForm::Yaml
                                       ? c_violation(focus(original, property), outcome)
                                       : c_harness(focus(original, property), outcome);
      if (!written) return written.error();
      note = written->note;
      return written->text;
    }
    case WitnessForm::Cycles: {
      const StProperty& about = original.source.st->properties[property];
      writer::StTable table = writer::st_table({original.cfa(), original.source.st}, outcome);
      std::string extension = extension_of(path);
      if (extension == ".csv") return writer::st_table_csv(table);
      return extension == ".json" ? writer::st_table_json(table, about)
                                  : writer::st_table_text(table, about);
    }
    case WitnessForm::Steps:
      return c_steps(focus(original, property), outcome);
  }
  unreachable();
}

static Result<std::string> certificate_text(CertificateForm form, const Problem& focused,
                                            const std::string& path,
                                            const check::Certified& outcome) {
  if (is_live(*certificate_of(outcome.verdict())))
    return Error{{path},
                 "certificates of justice properties are not written ('" + focused.property().name +
                     "' is safe, and its proof was checked)",
                 ErrorKind::Usage};
  switch (form) {
    case CertificateForm::Aiger:
      return writer::write_certificate(focused, outcome, writer::aiger_encoding_for(path));
    case CertificateForm::Btor2:
      return writer::write_btor2_certificate(focused, outcome);
    case CertificateForm::Smt:
      if (focused.is_horn()) return writer::write_horn_certificate(focused, outcome);
      return writer::write_smt_certificate(focused, outcome);
    case CertificateForm::Yaml:
      return c_invariants(focused, outcome);
    case CertificateForm::Invariants: {
      const StSource& source = *focused.source.st;
      Result<std::string> text = writer::st_certificate(
          {focused.cfa(), focused.source.st}, source.about(focused.property().name), outcome);
      if (!text) return Error{{path}, text.error().message, text.error().kind};
      return text;
    }
  }
  unreachable();
}

Result<WrittenEvidence> write_evidence(const OutputFiles& outputs, const Problem& original,
                                       std::size_t property, const std::string& label,
                                       const check::Certified& outcome,
                                       const VerilogSource* verilog) {
  const std::string& format = original.source.format;
  bool run = is_unsafe(outcome.verdict());
  bool proof = is_safe(outcome.verdict());
  const std::string& asked = run ? outputs.witness : outputs.certificate;
  if ((!run && !proof) || asked.empty()) return WrittenEvidence{};
  std::string_view extension = run ? witness_extension(format) : certificate_extension(format);
  WrittenEvidence out;
  out.file =
      asked == "-" ? asked : file_for(asked, label, original.properties[property], extension);
  std::string formed = asked == "-" ? "-" + std::string(extension) : out.file;
  auto text = [&]() -> Result<std::string> {
    if (run) {
      Result<WitnessForm> form = witness_form(format, formed);
      if (!form) return form.error();
      return witness_text(*form, original, property, formed, outcome, verilog, out.note);
    }
    Result<CertificateForm> form = certificate_form(format, formed);
    if (!form) return form.error();
    return certificate_text(*form, focus(original, property), formed, outcome);
  }();
  if (!text) return text.error();
  if (asked == "-") {
    out.text = *std::move(text);
    return out;
  }
  if (Status written = write_evidence_file(out.file, *text); !written) return written.error();
  return out;
}

std::string keep_input(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (auto at = std::istreambuf_iterator<char>(in); at != std::istreambuf_iterator<char>(); ++at)
    hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3;
  std::error_code failed;
  std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) return {};
  std::string extension = std::filesystem::path(file).extension().string();
  std::filesystem::path kept = folder / fmt::format("lemmata-rejected-{:016x}{}", hash, extension);
  std::filesystem::copy_file(file, kept, std::filesystem::copy_options::overwrite_existing, failed);
  return failed ? std::string() : kept.string();
}

}  // namespace lem::app
