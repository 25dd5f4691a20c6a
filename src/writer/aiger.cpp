#include "writer/aiger.h"

#include <algorithm>
#include <span>
#include <utility>

namespace lem::writer {

namespace {

class AigerWriter {
 public:
  AigerWriter(const Problem& problem, AigerEncoding encoding)
      : problem_(problem), aig_(problem.aig()), binary_(encoding == AigerEncoding::Binary) {
    as_outputs_ = std::all_of(problem.properties.begin(), problem.properties.end(),
                              [](const Property& each) { return each.symbol.starts_with('o'); });
  }

  std::string run() && {
    out_.reserve(64 + std::size_t{binary_ ? 4U : 22U} * aig_.num_vars());
    header();
    leaves();
    for (const Property& property : problem_.properties) line({property.bad().code()});
    for (AigLit constraint : aig_.constraints()) line({constraint.code()});
    gates();
    symbols();
    comments();
    return std::move(out_);
  }

 private:
  void header() {
    auto properties = static_cast<std::uint32_t>(problem_.properties.size());
    auto constraints = static_cast<std::uint32_t>(aig_.constraints().size());
    out_ += binary_ ? "aig " : "aag ";
    std::vector<std::uint32_t> fields{aig_.num_vars() - 1, aig_.num_inputs(), aig_.num_latches(),
                                      as_outputs_ ? properties : 0, aig_.num_ands()};
    bool bads = !as_outputs_ && properties > 0;
    if (bads || constraints > 0) fields.push_back(bads ? properties : 0);
    if (constraints > 0) fields.push_back(constraints);
    line(fields);
  }

  void leaves() {
    for (std::uint32_t i = 0; !binary_ && i < aig_.num_inputs(); ++i) line({aig_.input(i).code()});
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      const Latch& latch = aig_.latches()[i];
      std::vector<std::uint32_t> fields;
      if (!binary_) fields.push_back(aig_.latch(i).code());
      fields.push_back(latch.next.code());
      if (latch.reset == Reset::One) fields.push_back(1);
      if (latch.reset == Reset::Free) fields.push_back(aig_.latch(i).code());
      line(fields);
    }
  }

  void gates() {
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var) {
      auto [low, high] =
          std::minmax({aig_.gate_of(var).left.code(), aig_.gate_of(var).right.code()});
      if (!binary_) {
        line({2 * var, high, low});
        continue;
      }
      delta(2 * var - high);
      delta(high - low);
    }
  }

  void symbols() {
    names('i', problem_.source.input_names);
    names('l', problem_.source.latch_names);
    for (std::size_t i = 0; i < problem_.properties.size(); ++i) {
      const std::string& name = problem_.properties[i].name;
      char kind = as_outputs_ ? 'o' : 'b';
      if (name != kind + std::to_string(i)) symbol(kind, i, name);
    }
    names('c', problem_.source.constraint_names);
  }

  void comments() {
    if (problem_.source.comments.empty()) return;
    out_ += "c\n";
    for (const std::string& comment : problem_.source.comments) out_ += comment + '\n';
  }

  void names(char kind, std::span<const std::string> all) {
    for (std::size_t i = 0; i < all.size(); ++i) symbol(kind, i, all[i]);
  }
  /// Names of other formats may have line ends in them.
  void symbol(char kind, std::size_t index, std::string name) {
    for (char& c : name)
      if (static_cast<unsigned char>(c) < ' ') c = '_';
    if (!name.empty()) out_ += kind + std::to_string(index) + ' ' + name + '\n';
  }
  void line(std::span<const std::uint32_t> fields) {
    for (std::uint32_t field : fields) out_ += std::to_string(field) + ' ';
    out_.back() = '\n';
  }
  void line(std::initializer_list<std::uint32_t> fields) {
    line(std::span(fields.begin(), fields.size()));
  }
  void delta(std::uint32_t value) {
    for (; value > 0x7f; value >>= 7) out_ += static_cast<char>((value & 0x7f) | 0x80);
    out_ += static_cast<char>(value);
  }

  const Problem& problem_;
  const Aig& aig_;
  bool binary_;
  bool as_outputs_;
  std::string out_;
};

std::string bits(const std::vector<bool>& values) {
  std::string text;
  for (bool value : values) text += value ? '1' : '0';
  return text + '\n';
}

}  // namespace

AigerEncoding aiger_encoding_for(const std::string& path) {
  return path.ends_with(".aig") ? AigerEncoding::Binary : AigerEncoding::Ascii;
}

std::string write_aiger(const Problem& problem, AigerEncoding encoding) {
  return AigerWriter(problem, encoding).run();
}

std::string write_aiger_witness(const Problem& original, std::size_t property_index,
                                const check::Certified& certified) {
  const Trace& trace = run_as<Trace>(certified.verdict());
  assert(property_index < original.properties.size() && "no such property");
  assert(trace.initial.size() == original.aig().num_latches() && "trace of another model");
  std::string text = "1\nb" + std::to_string(property_index) + '\n' + bits(trace.initial);
  for (const std::vector<bool>& step : trace.inputs) text += bits(step);
  return text + ".\n";
}

}  // namespace lem::writer
