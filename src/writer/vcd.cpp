#include "writer/vcd.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "writer/waves.h"

namespace lem::writer {

namespace {

/// Short printable codes: "!", "\"", ..., "!!", ... as the standard has them.
std::string id_of(std::size_t index) {
  constexpr std::size_t kFirst = '!';
  constexpr std::size_t kCount = '~' - '!' + 1;
  std::string id;
  do {
    id += static_cast<char>(kFirst + index % kCount);
    index /= kCount;
  } while (index > 0);
  return id;
}

std::string printable(std::string name) {
  for (char& c : name)
    if (c <= ' ' || c > '~') c = '_';
  return name.empty() ? "_" : name;
}

/// A module of the dump: its variables and the modules in it, in the order of their first signal.
class Scope {
 public:
  Scope& inner(const std::string& name) {
    for (auto& [known, scope] : inner_)
      if (known == name) return scope;
    return inner_.emplace_back(name, Scope()).second;
  }
  void declare(const std::string& type, std::uint32_t width, const std::string& id,
               const std::string& name, const std::string& range) {
    std::string unique = name;
    for (int n = 2; !taken_.insert(unique).second; ++n) unique = name + '_' + std::to_string(n);
    variables_ += "$var " + type + ' ' + std::to_string(width) + ' ' + id + ' ' + unique +
                  (range.empty() ? "" : ' ' + range) + " $end\n";
  }
  std::string text(const std::string& name) const {
    std::string out = "$scope module " + name + " $end\n" + variables_;
    for (const auto& [inner_name, scope] : inner_) out += scope.text(inner_name);
    return out + "$upscope $end\n";
  }

 private:
  std::string variables_;
  std::set<std::string> taken_;
  std::vector<std::pair<std::string, Scope>> inner_;
};

/// One variable of the dump.
struct DumpRow {
  const Wave* wave;
  std::string id;
  std::string shown{};
  enum class Kind : std::uint8_t { Bits, Name } kind = Kind::Bits;

  std::string value_at(std::size_t step) const {
    const std::string& bits = wave->values[step];
    if (kind == Kind::Name) {
      auto name = wave->names.find(bits);
      return 's' + (name == wave->names.end() ? "?" : printable(name->second)) + ' ';
    }
    return wave->width > 1 ? 'b' + bits + ' ' : bits;
  }
};

class Dump {
 public:
  Dump(std::vector<Wave> waves, const VerilogSource* verilog)
      : waves_(std::move(waves)), verilog_(verilog) {
    for (const Wave& wave : waves_) {
      Scope* scope = &top_;
      for (const std::string& part : wave.scopes) scope = &scope->inner(printable(part));
      rows_.push_back({&wave, id_of(rows_.size())});
      scope->declare("wire", wave.width, rows_.back().id, printable(wave.name), wave.range);
      if (wave.names.empty()) continue;
      rows_.push_back({&wave, id_of(rows_.size()), {}, DumpRow::Kind::Name});
      scope->declare("string", 1, rows_.back().id, printable(wave.name) + "_name", "");
    }
  }

  std::string text(std::size_t steps) {
    std::string name = verilog_ == nullptr ? "model" : printable(verilog_->top);
    std::string out = "$version lemmata $end\n$timescale 1 ns $end\n" + top_.text(name) +
                      "$enddefinitions $end\n";
    int unit = verilog_ == nullptr ? 1 : kStepTime;
    for (std::size_t step = 0; step < steps; ++step) {
      out += '#' + std::to_string(step * static_cast<std::size_t>(unit)) + '\n';
      out += step == 0 ? "$dumpvars\n" + changes(0) + "$end\n" : changes(step);
      if (step > 0) out += falling_clock(step * kStepTime + kStepTime / 2);
    }
    return out + '#' + std::to_string(steps * static_cast<std::size_t>(unit)) + '\n';
  }

 private:
  char level(bool after_edge) const { return after_edge == verilog_->clock->rising ? '1' : '0'; }

  std::string changes(std::size_t step) {
    std::string out;
    for (DumpRow& row : rows_) {
      std::string now = row.wave->is_clock ? std::string(1, level(step > 0)) : row.value_at(step);
      if (now == row.shown && !row.wave->is_clock) continue;
      row.shown = now;
      out += now + row.id + '\n';
    }
    return out;
  }
  /// The other edge, in the middle of the step.
  std::string falling_clock(std::size_t time) const {
    std::string out;
    for (const DumpRow& row : rows_)
      if (row.wave->is_clock) out += level(false) + row.id + '\n';
    return out.empty() ? out : '#' + std::to_string(time) + '\n' + out;
  }

  std::vector<Wave> waves_;  // the rows borrow them
  const VerilogSource* verilog_;
  std::vector<DumpRow> rows_;
  Scope top_;
};

}  // namespace

std::string write_vcd(const Problem& original, const check::Certified& certified,
                      const VerilogSource* verilog) {
  const Run& run = *run_of(certified.verdict());
  if (const auto* bits = std::get_if<Trace>(&run))
    return Dump(waves_of(original, *bits), nullptr).text(bits->length());
  const auto& words = run_as<TermTrace>(certified.verdict());
  return Dump(waves_of(original, words, verilog), verilog).text(words.length());
}

}  // namespace lem::writer
