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
    for (const Property& property : problem.properties) {
      if (property.is_justice())
        justice_.push_back(&std::get<Justice<AigLit>>(property.target));
      else
        bads_.push_back(property.bad());
    }
    if (!justice_.empty())
      fairness_ = std::span(justice_.front()->often).subspan(justice_.front()->own);
  }

  std::string run() && {
    out_.reserve(64 + std::size_t{binary_ ? 4U : 22U} * aig_.num_vars());
    header();
    leaves();
    for (AigLit bad : bads_) line({bad.code()});
    for (AigLit constraint : aig_.constraints()) line({constraint.code()});
    for (const Justice<AigLit>* one : justice_) line({static_cast<std::uint32_t>(one->own)});
    for (const Justice<AigLit>* one : justice_)
      for (std::size_t i = 0; i < one->own; ++i) line({one->often[i].code()});
    for (AigLit fair : fairness_) line({fair.code()});
    gates();
    symbols();
    comments();
    return std::move(out_);
  }

 private:
  void header() {
    auto properties = static_cast<std::uint32_t>(bads_.size());
    auto justice = static_cast<std::uint32_t>(justice_.size());
    auto fairness = static_cast<std::uint32_t>(fairness_.size());
    auto constraints = static_cast<std::uint32_t>(aig_.constraints().size());
    out_ += binary_ ? "aig " : "aag ";
    std::vector<std::uint32_t> fields{aig_.num_vars() - 1, aig_.num_inputs(), aig_.num_latches(),
                                      as_outputs_ ? properties : 0, aig_.num_ands()};
    bool bads = !as_outputs_ && properties > 0;
    if (bads || constraints + justice > 0) fields.push_back(bads ? properties : 0);
    if (constraints + justice > 0) fields.push_back(constraints);
    if (justice > 0) fields.push_back(justice);
    if (fairness > 0) fields.push_back(fairness);
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
    std::size_t bad = 0;
    std::size_t justice = 0;
    for (const Property& property : problem_.properties) {
      char kind = property.is_justice() ? 'j' : as_outputs_ ? 'o' : 'b';
      std::size_t i = property.is_justice() ? justice++ : bad++;
      if (property.name != kind + std::to_string(i)) symbol(kind, i, property.name);
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
  std::vector<AigLit> bads_;
  std::vector<const Justice<AigLit>*> justice_;  // all with the same fairness
  std::span<const AigLit> fairness_;
  std::string out_;
};

std::string bits(const std::vector<bool>& values) {
  std::string text;
  for (bool value : values) text += value ? '1' : '0';
  return text + '\n';
}

}  // namespace

std::string witness_symbol(const Problem& problem, std::size_t property) {
  bool justice = problem.properties[property].is_justice();
  auto number = std::count_if(problem.properties.begin(),
                              problem.properties.begin() + static_cast<std::ptrdiff_t>(property),
                              [&](const Property& one) { return one.is_justice() == justice; });
  return (justice ? 'j' : 'b') + std::to_string(number);
}

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
  std::string text = "1\n" + witness_symbol(original, property_index) + '\n' + bits(trace.initial);
  for (const std::vector<bool>& step : trace.inputs) text += bits(step);
  return text + ".\n";
}

}  // namespace lem::writer
