// AIGER witnesses as files: parsing and replay.
#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "check/files/claims.h"
#include "check/live/lasso.h"
#include "check/replay.h"
#include "check/validate.h"
#include "model/verdict.h"

namespace lem::check {

namespace {

struct AigerWitness {
  std::size_t property = 0;  // of the model's, bad states and justice properties counted together
  Trace trace;
};

class WitnessParser {
 public:
  WitnessParser(const Problem& model, const std::string& path, std::string_view text)
      : model_(model), path_(path), text_(text) {}

  Result<AigerWitness> run() {
    for (auto step : {&WitnessParser::status, &WitnessParser::property, &WitnessParser::latches,
                      &WitnessParser::steps, &WitnessParser::end}) {
      if (Status ok = (this->*step)(); !ok) return ok.error();
    }
    return std::move(witness_);
  }

 private:
  Status status();
  Status property();
  Status latches();
  Status steps();
  Status end();
  Status bits(std::string_view line, std::size_t wanted, const char* what,
              std::vector<bool>& out) const;

  /// The next line that is no comment; nothing at the end of the file.
  std::optional<std::string_view> next() {
    while (at_ < text_.size()) {
      std::size_t end = std::min(text_.find('\n', at_), text_.size());
      std::string_view line = text_.substr(at_, end - at_);
      at_ = end + 1;
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!line.starts_with('c')) return line;
    }
    return std::nullopt;
  }
  Error error(std::string message, std::size_t column = 1) const {
    return {{path_, line_, static_cast<std::uint32_t>(column)},
            std::move(message),
            ErrorKind::BadInput};
  }
  Error cut_off(const std::string& what) const {
    return {{path_, line_ + 1, 1}, "truncated witness: expected " + what, ErrorKind::BadInput};
  }

  const Problem& model_;
  const std::string& path_;  // borrowed, as the text
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;
  AigerWitness witness_;
};

Status WitnessParser::status() {
  auto line = next();
  while (line && line->starts_with('u')) line = next();  // progress lines of some checkers
  if (!line) return cut_off("the status line '1'");
  if (*line == "1") return Ok{};
  if (*line == "0" || *line == "2")
    return error("the witness has status " + std::string(*line) + ": only '1' has a trace");
  return error("expected the status line '1'");
}

Status WitnessParser::property() {
  auto line = next();
  if (!line) return cut_off("the property line 'b<i>' or 'j<i>'");
  bool digits = line->size() > 1 && line->size() < 10 &&
                line->find_first_not_of("0123456789", 1) == line->npos;
  bool justice = digits && line->front() == 'j';
  if (!digits || (!justice && line->front() != 'b'))
    return error("expected the property line 'b<i>' or 'j<i>'");
  std::size_t wanted = std::stoul(std::string(line->substr(1)));
  std::size_t seen = 0;
  for (std::size_t i = 0; i < model_.properties.size(); ++i) {
    if (model_.properties[i].is_justice() != justice) continue;
    witness_.property = i;
    if (seen++ == wanted) return Ok{};
  }
  return error("property " + std::string(*line) + " is out of range: the model has " +
               std::to_string(seen));
}

Status WitnessParser::bits(std::string_view line, std::size_t wanted, const char* what,
                           std::vector<bool>& out) const {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (std::string_view("01xX").find(line[i]) == std::string_view::npos)
      return error("expected 0, 1 or x as value of " + std::string(what), i + 1);
    out.push_back(line[i] == '1');
  }
  if (out.size() != wanted)
    return error("expected " + std::to_string(wanted) + " values of " + what + ", found " +
                 std::to_string(out.size()));
  return Ok{};
}

Status WitnessParser::latches() {
  auto line = next();
  if (!line) return cut_off("the line of initial latch values");
  std::vector<bool>& initial = witness_.trace.initial;
  if (Status ok = bits(*line, model_.aig().num_latches(), "latches", initial); !ok) return ok;
  for (std::size_t i = 0; i < initial.size(); ++i) {
    bool open = (*line)[i] == 'x' || (*line)[i] == 'X';
    if (open) initial[i] = model_.aig().latches()[i].reset == Reset::One;
  }
  return Ok{};
}

Status WitnessParser::steps() {
  while (auto line = next()) {
    if (*line == ".") {
      if (witness_.trace.inputs.empty()) return error("the witness has no steps");
      return Ok{};
    }
    auto& step = witness_.trace.inputs.emplace_back();
    if (Status ok = bits(*line, model_.aig().num_inputs(), "inputs", step); !ok) return ok;
  }
  return cut_off("a line of input values or '.'");
}

Status WitnessParser::end() {
  while (auto line = next())
    if (!line->empty()) return error("unexpected text after the end of the witness");
  return Ok{};
}

}  // namespace

Result<Accepted> validate_witness_text(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& task) {
  auto witness = WitnessParser(model, path, text).run();
  if (!witness) return witness.error();
  auto judge = [&](std::size_t index) -> Status {
    const Property& property = model.properties[index];
    auto wrong = property.is_justice()
                     ? replay_any_lasso(model.aig(), property.often(), witness->trace)
                     : replay(model.aig(), property.bad(), witness->trace);
    if (!wrong) return Ok{};
    return Error{{path, 0, 0},
                 "the witness for property '" + property.name + "' is rejected: " + *wrong,
                 ErrorKind::Internal};
  };
  Result<Accepted> accepted =
      judge_properties(model, path, witness->property, task, judge, Judges::Both);
  if (accepted) accepted->contents = Run(std::move(witness->trace));
  return accepted;
}

Result<Accepted> validate_witness(const Problem& model, const std::string& witness_path,
                                  const EvidenceTask& task) {
  std::ifstream in(witness_path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0)
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
  if (!in.is_open() || in.bad())  // a directory opens, but cannot be read
    return Error{{witness_path, 0, 0}, "cannot read the witness", ErrorKind::NotFound};
  return validate_witness_text(model, witness_path, text, task);
}

}  // namespace lem::check
