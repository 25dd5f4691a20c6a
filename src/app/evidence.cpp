#include "app/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <variant>

#include "writer/aiger.h"
#include "writer/file.h"
#include "writer/vcd.h"

namespace lem {

std::vector<std::string> evidence_labels(const Problem& problem,
                                         std::span<const std::size_t> properties) {
  if (properties.size() == 1) return {""};
  std::vector<std::string> labels;
  for (std::size_t index : properties) {
    std::string label = problem.properties[index].name;
    for (char& c : label)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
    bool taken = std::find(labels.begin(), labels.end(), label) != labels.end();
    if (label.empty() || taken) label += '_' + std::to_string(index);
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

Status write_evidence(const OutputFiles& outputs, const Problem& original, std::size_t property,
                      const std::string& label, const Certified& outcome) {
  if (const auto* unsafe = std::get_if<Unsafe>(&outcome.verdict());
      unsafe != nullptr && !outputs.witness.empty()) {
    std::string path = labelled(outputs.witness, label);
    bool vcd = std::filesystem::path(path).extension() == ".vcd";
    return write_file_atomically(path, vcd ? write_vcd(original, unsafe->trace())
                                           : write_aiger_witness(original, property, outcome));
  }
  if (std::holds_alternative<Safe>(outcome.verdict()) && !outputs.certificate.empty()) {
    std::string path = labelled(outputs.certificate, label);
    return write_file_atomically(
        path, write_certificate(focus(original, property), outcome, aiger_encoding_for(path)));
  }
  return Ok{};
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

}  // namespace lem
