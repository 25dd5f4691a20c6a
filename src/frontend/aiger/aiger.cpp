// From the file's own numbering to the dense, topologically ordered one of Aig.
#include "frontend/aiger/aiger.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/aiger/aiger_file.h"

namespace lem::aiger {

namespace {

constexpr std::uint32_t kUndefined = UINT32_MAX;

/// Maps each variable of the file to its definition. A plain table, unless the numbering is so
/// sparse that the table could exhaust memory: then a sorted list.
class Definitions {
 public:
  explicit Definitions(const AigerHeader& header) {
    std::uint32_t defined = header.inputs + header.latches + header.gates;
    dense_ = header.max_var <= (1U << 24) || header.max_var / 8 <= defined;
    if (dense_) table_.assign(std::size_t{header.max_var} + 1, kUndefined);
    if (!dense_) sorted_.reserve(defined + 1);
  }
  /// Returns the previous value, kUndefined if there was none. With sparse numberings only `finish`
  /// detects double definitions.
  std::uint32_t define(std::uint32_t var, std::uint32_t value) {
    if (dense_) return std::exchange(table_[var], value);
    sorted_.emplace_back(var, value);
    return kUndefined;
  }
  /// Ends the definitions; gives a variable that was defined twice, with its later value.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> finish() {
    std::sort(sorted_.begin(), sorted_.end());
    auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    auto twice = std::adjacent_find(sorted_.begin(), sorted_.end(), same);
    if (twice == sorted_.end()) return std::nullopt;
    return *(twice + 1);
  }
  std::uint32_t operator[](std::uint32_t var) const {
    if (dense_) return table_[var];
    auto entry = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(var, 0U));
    return entry == sorted_.end() || entry->first != var ? kUndefined : entry->second;
  }

 private:
  bool dense_ = true;
  std::vector<std::uint32_t> table_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_;
};

/// Ids number the definitions in file order: the constant, inputs, latches, gates. Ids of inputs
/// and latches are already their Aig variables; gates are numbered again when they are emitted.
class Builder {
 public:
  Builder(const std::string& path, std::string_view bytes, AigerFile file)
      : path_(path), bytes_(bytes), file_(std::move(file)), defined_(file_.header) {
    justice_lines_ = header().justice;
    for (const auto& literals : file_.justice)
      justice_lines_ += static_cast<std::uint32_t>(literals.size());
  }

  Result<Problem> run() {
    for (auto step : {&Builder::define_all, &Builder::emit_gates, &Builder::connect}) {
      if (Status status = (this->*step)(); !status) return status.error();
    }
    return finish();
  }

 private:
  const AigerHeader& header() const { return file_.header; }
  bool binary() const { return header().kind == AigerKind::Binary; }
  std::uint32_t first_gate() const { return 1 + header().inputs + header().latches; }
  std::uint32_t input_lit(std::uint32_t index) const {
    return binary() ? 2 * (index + 1) : file_.inputs[index];
  }

  Status define_all();
  Status define(std::uint32_t lit, std::uint32_t id);
  Status emit_gates();
  Status emit(std::uint32_t gate);
  Status connect();
  Result<Problem> finish();
  Status connect_justice(std::uint32_t item);
  std::vector<Property> properties() const;

  /// require: its definition, if a gate, is emitted.
  AigLit resolved(std::uint32_t lit) const {
    std::uint32_t id = defined_[lit / 2];
    return {id < first_gate() ? id : gate_var_[id - first_gate()], lit % 2 != 0};
  }
  Status resolve(std::uint32_t lit, std::uint32_t line, std::uint32_t token, AigLit& out) const {
    if (defined_[lit / 2] == kUndefined) return undefined(lit, line, token);
    out = resolved(lit);
    return Ok{};
  }

  // Each item has its own line, so the line of an item follows from its index.
  std::uint32_t latch_line(std::uint32_t index) const {
    return 2 + (binary() ? 0 : header().inputs) + index;
  }
  std::uint32_t output_line(std::uint32_t index) const {
    return latch_line(header().latches) + index;
  }
  std::uint32_t gate_line(std::uint32_t index) const {
    std::uint32_t signals = header().outputs + header().bads + header().constraints;
    return output_line(signals + justice_lines_ + header().fairness) + index;
  }
  std::uint32_t line_of(std::uint32_t id) const {
    return id >= first_gate() ? gate_line(id - first_gate()) : 1 + id;
  }
  Error error(std::uint32_t line, std::uint32_t token, std::string message) const;
  Error defined_twice(std::uint32_t var, std::uint32_t id) const {
    return error(line_of(id), 0, "variable " + std::to_string(var) + " is defined twice");
  }
  Error undefined(std::uint32_t lit, std::uint32_t line, std::uint32_t token) const {
    return error(line, token,
                 "undefined literal " + std::to_string(lit) + ": variable " +
                     std::to_string(lit / 2) + " is no input, latch or gate");
  }

  const std::string& path_;  // borrowed, as the bytes, for errors
  std::string_view bytes_;
  AigerFile file_;
  Definitions defined_;
  AigBuilder builder_;
  std::vector<std::uint32_t> gate_var_;    // Aig variable of each gate of the file; 0: not emitted
  std::vector<std::uint32_t> gate_order_;  // gates of the file in the order of emission
  std::vector<AigLit> outputs_;
  std::vector<AigLit> bads_;
  std::vector<Justice<AigLit>> justice_;
  std::uint32_t justice_lines_ = 0;  // sizes and literals
};

/// Only errors pay for finding the column of a token (counted from 0) again.
Error Builder::error(std::uint32_t line, std::uint32_t token, std::string message) const {
  std::size_t start = 0;
  for (std::uint32_t i = 1; i < line && start < bytes_.size(); ++i) {
    std::size_t end = bytes_.find('\n', start);
    start = end == bytes_.npos ? bytes_.size() : end + 1;
  }
  std::size_t at = bytes_.find_first_not_of(" \t", start);
  for (; token > 0 && at != bytes_.npos; --token)
    at = bytes_.find_first_not_of(" \t", bytes_.find_first_of(" \t", at));
  auto column = at == bytes_.npos ? 0U : static_cast<std::uint32_t>(at - start + 1);
  return {{path_, line, column}, std::move(message), ErrorKind::BadInput};
}

Status Builder::define(std::uint32_t lit, std::uint32_t id) {
  if (defined_.define(lit / 2, id) == kUndefined) return Ok{};
  return defined_twice(lit / 2, id);
}

Status Builder::define_all() {
  std::uint32_t id = 0;
  defined_.define(0, id++);
  for (std::uint32_t i = 0; i < header().inputs; ++i) {
    if (Status status = define(input_lit(i), id++); !status) return status;
    builder_.add_input();
  }
  for (const AigerLatch& latch : file_.latches) {
    if (Status status = define(latch.lit, id++); !status) return status;
    bool free = latch.reset == latch.lit;
    builder_.add_latch(free ? Reset::Free : latch.reset == 1 ? Reset::One : Reset::Zero);
  }
  for (const AigerGate& gate : file_.gates) {
    if (Status status = define(gate.lit, id++); !status) return status;
  }
  if (auto twice = defined_.finish()) return defined_twice(twice->first, twice->second);
  return Ok{};
}

Status Builder::emit_gates() {
  gate_var_.assign(file_.gates.size(), 0);
  gate_order_.reserve(file_.gates.size());
  for (std::uint32_t gate = 0; gate < file_.gates.size(); ++gate) {
    if (Status status = emit(gate); !status) return status;
  }
  return Ok{};
}

/// Depth first: fan-ins before the gate. Files in topological order keep their order.
Status Builder::emit(std::uint32_t root) {
  constexpr std::uint32_t kOpen = kUndefined;
  std::vector<std::uint32_t> path{root};
  while (!path.empty()) {
    std::uint32_t gate = path.back();
    if (gate_var_[gate] != 0 && gate_var_[gate] != kOpen) {
      path.pop_back();
      continue;
    }
    gate_var_[gate] = kOpen;
    const AigerGate& definition = file_.gates[gate];
    std::size_t depth = path.size();
    std::uint32_t token = 1;
    for (std::uint32_t lit : {definition.left, definition.right}) {
      std::uint32_t id = defined_[lit / 2];
      if (id == kUndefined) return undefined(lit, gate_line(gate), token);
      ++token;
      if (id < first_gate()) continue;
      std::uint32_t fanin = id - first_gate();
      if (gate_var_[fanin] == kOpen)
        return error(gate_line(gate), 0,
                     "cyclic gate definition: gate " + std::to_string(definition.lit) +
                         " depends on itself through literal " + std::to_string(lit));
      if (gate_var_[fanin] == 0) path.push_back(fanin);
    }
    if (path.size() > depth) continue;
    AigLit lit = builder_.raw_and(resolved(definition.left), resolved(definition.right));
    gate_var_[gate] = lit.var();
    gate_order_.push_back(gate);
    path.pop_back();
  }
  return Ok{};
}

Status Builder::connect() {
  std::uint32_t index = 0;
  AigLit lit;
  for (const AigerLatch& latch : file_.latches) {
    std::uint32_t token = binary() ? 0 : 1;
    if (auto s = resolve(latch.next, latch_line(index), token, lit); !s) return s;
    builder_.set_next({1 + header().inputs + index, false}, lit);
    ++index;
  }
  index = 0;
  for (std::uint32_t output : file_.outputs) {
    if (auto s = resolve(output, output_line(index++), 0, lit); !s) return s;
    outputs_.push_back(lit);
  }
  for (std::uint32_t bad : file_.bads) {
    if (auto s = resolve(bad, output_line(index++), 0, lit); !s) return s;
    bads_.push_back(lit);
  }
  for (std::uint32_t constraint : file_.constraints) {
    if (auto s = resolve(constraint, output_line(index++), 0, lit); !s) return s;
    builder_.add_constraint(lit);
  }
  return connect_justice(index);
}

/// `item`: the index of the first line.
Status Builder::connect_justice(std::uint32_t item) {
  AigLit lit;
  std::vector<AigLit> fairness;
  std::uint32_t fair_item = item + justice_lines_;
  for (std::uint32_t fair : file_.fairness) {
    if (auto s = resolve(fair, output_line(fair_item++), 0, lit); !s) return s;
    fairness.push_back(lit);
  }
  item += header().justice;
  for (const std::vector<std::uint32_t>& literals : file_.justice) {
    Justice<AigLit>& one = justice_.emplace_back();
    for (std::uint32_t literal : literals) {
      if (auto s = resolve(literal, output_line(item++), 0, lit); !s) return s;
      one.often.push_back(lit);
    }
    one.own = one.often.size();
    one.often.insert(one.often.end(), fairness.begin(), fairness.end());
  }
  return Ok{};
}

/// Outputs are the bad states of files that have neither bad states nor justice properties
/// [AIGER 1.9, section 3].
std::vector<Property> Builder::properties() const {
  bool outputs = file_.bads.empty() && file_.justice.empty();
  const std::vector<AigLit>& bads = outputs ? outputs_ : bads_;
  std::vector<Property> result;
  std::set<std::string> taken;
  auto add = [&](char kind, std::size_t i, const std::vector<std::string>& names,
                 std::size_t item) -> Property& {
    std::string symbol = kind + std::to_string(i);
    std::string name = names.empty() || names[i].empty() ? symbol : names[i];
    while (!taken.insert(name).second) name += "_" + symbol;
    std::uint32_t line = output_line(static_cast<std::uint32_t>(item));
    return result.emplace_back(Property{name, {}, symbol, Goal::Avoid, {path_, line, 1}});
  };
  const AigerSymbols& names = file_.symbols;
  for (std::size_t i = 0; i < bads.size(); ++i)
    add(outputs ? 'o' : 'b', i, outputs ? names.outputs : names.bads,
        outputs ? i : file_.outputs.size() + i)
        .target = bads[i];
  std::size_t item = std::size_t{header().outputs} + header().bads + header().constraints;
  for (std::size_t i = 0; i < justice_.size(); ++i)
    add('j', i, names.justice, item + i).target = justice_[i];
  return result;
}

Result<Problem> Builder::finish() {
  Problem problem;
  problem.properties = properties();
  SourceMap& source = problem.source;
  source.file = path_;
  source.format = "aiger";
  source.input_names = std::move(file_.symbols.inputs);
  source.latch_names = std::move(file_.symbols.latches);
  source.constraint_names = std::move(file_.symbols.constraints);
  source.comments = std::move(file_.comments);
  source.file_var.reserve(builder_.num_vars());
  source.file_var.push_back(0);
  for (std::uint32_t i = 0; i < header().inputs; ++i) source.file_var.push_back(input_lit(i) / 2);
  for (const AigerLatch& latch : file_.latches) source.file_var.push_back(latch.lit / 2);
  for (std::uint32_t gate : gate_order_) source.file_var.push_back(file_.gates[gate].lit / 2);
  problem.model = std::move(builder_).freeze();
  return problem;
}

}  // namespace

Result<Problem> read_aiger(const std::string& path, std::string_view bytes) {
  auto file = parse_aiger(path, bytes);
  if (!file) return file.error();
  return Builder(path, bytes, std::move(*file)).run();
}

}  // namespace lem::aiger
