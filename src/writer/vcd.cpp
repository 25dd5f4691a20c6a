#include "writer/vcd.h"

#include <set>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace lem {

namespace {

struct Signal {
  std::string name;
  std::string id;
  AigLit lit;
};

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

class SignalList {
 public:
  void add(std::string name, AigLit lit) {
    for (char& c : name)
      if (c <= ' ' || c > '~') c = '_';
    std::string unique = name;
    for (int n = 2; !taken_.insert(unique).second; ++n) unique = name + '_' + std::to_string(n);
    signals_.push_back({unique, id_of(signals_.size()), lit});
  }
  const std::vector<Signal>& all() const { return signals_; }

 private:
  std::vector<Signal> signals_;
  std::set<std::string> taken_;
};

std::string name_or(const std::vector<std::string>& names, std::uint32_t index, char kind) {
  bool named = index < names.size() && !names[index].empty();
  return named ? names[index] : kind + std::to_string(index);
}

SignalList signals_of(const Problem& problem) {
  SignalList list;
  const Aig& aig = problem.aig();
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
    list.add(name_or(problem.source.input_names, i, 'i'), aig.input(i));
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    list.add(name_or(problem.source.latch_names, i, 'l'), aig.latch(i));
  for (const Property& property : problem.properties) list.add(property.name, property.bad());
  return list;
}

bool holds(const std::vector<bool>& value, AigLit lit) {
  return value[lit.var()] != lit.negative();
}

void evaluate(const Aig& aig, const std::vector<bool>& state, const std::vector<bool>& inputs,
              std::vector<bool>& value) {
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) value[aig.input(i).var()] = inputs[i];
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) value[aig.latch(i).var()] = state[i];
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    value[var] = holds(value, aig.gate_of(var).left) && holds(value, aig.gate_of(var).right);
}

}  // namespace

std::string write_vcd(const Problem& original, const Trace& trace) {
  const Aig& aig = original.aig();
  assert(trace.initial.size() == aig.num_latches() && "trace of another model");
  const SignalList list = signals_of(original);
  std::string out = "$version lemmata $end\n$timescale 1 ns $end\n$scope module model $end\n";
  for (const Signal& signal : list.all())
    out += "$var wire 1 " + signal.id + ' ' + signal.name + " $end\n";
  out += "$upscope $end\n$enddefinitions $end\n";

  std::vector<bool> state = trace.initial;
  std::vector<bool> value(aig.num_vars(), false);
  std::vector<bool> shown(list.all().size(), false);
  for (std::size_t step = 0; step < trace.inputs.size(); ++step) {
    evaluate(aig, state, trace.inputs[step], value);
    out += '#' + std::to_string(step) + '\n';
    if (step == 0) out += "$dumpvars\n";
    for (std::size_t i = 0; i < list.all().size(); ++i) {
      bool now = holds(value, list.all()[i].lit);
      if (step > 0 && now == shown[i]) continue;
      shown[i] = now;
      out += (now ? '1' : '0') + list.all()[i].id + '\n';
    }
    if (step == 0) out += "$end\n";
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      state[i] = holds(value, aig.latches()[i].next);
  }
  return out + '#' + std::to_string(trace.inputs.size()) + '\n';
}

}  // namespace lem
