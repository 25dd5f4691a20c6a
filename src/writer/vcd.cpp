#include "writer/vcd.h"

#include <set>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "term/traverse.h"

namespace lem::writer {

namespace {

struct Signal {
  std::string name;
  std::string id;
  std::uint32_t width;
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
  void add(std::string name, std::uint32_t width) {
    for (char& c : name)
      if (c <= ' ' || c > '~') c = '_';
    std::string unique = name;
    for (int n = 2; !taken_.insert(unique).second; ++n) unique = name + '_' + std::to_string(n);
    signals_.push_back({unique, id_of(signals_.size()), width});
  }
  std::string header() const {
    std::string out = "$version lemmata $end\n$timescale 1 ns $end\n$scope module model $end\n";
    for (const Signal& signal : signals_)
      out += "$var wire " + std::to_string(signal.width) + ' ' + signal.id + ' ' + signal.name +
             " $end\n";
    return out + "$upscope $end\n$enddefinitions $end\n";
  }
  /// One time step: the values that changed, as bits.
  std::string changes(std::size_t step, const std::vector<std::string>& values) {
    std::string out = '#' + std::to_string(step) + '\n';
    if (step == 0) out += "$dumpvars\n";
    shown_.resize(signals_.size());
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      if (values[i] == shown_[i]) continue;
      shown_[i] = values[i];
      out += (signals_[i].width > 1 ? 'b' + values[i] + ' ' : values[i]) + signals_[i].id + '\n';
    }
    if (step == 0) out += "$end\n";
    return out;
  }

 private:
  std::vector<Signal> signals_;
  std::vector<std::string> shown_;  // empty before the first step
  std::set<std::string> taken_;
};

std::string name_or(const std::vector<std::string>& names, std::uint32_t index, char kind) {
  bool named = index < names.size() && !names[index].empty();
  return named ? names[index] : kind + std::to_string(index);
}

struct Observed {
  SignalList list;
  std::vector<AigLit> lits;
};

Observed observed_signals(const Problem& problem) {
  Observed observed;
  const Aig& aig = problem.aig();
  auto add = [&](std::string name, AigLit lit) {
    observed.list.add(std::move(name), 1);
    observed.lits.push_back(lit);
  };
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
    add(name_or(problem.source.input_names, i, 'i'), aig.input(i));
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    add(name_or(problem.source.latch_names, i, 'l'), aig.latch(i));
  for (const Property& property : problem.properties) add(property.name, property.bad());
  return observed;
}

bool holds(const std::vector<bool>& value, AigLit lit) {
  return value[lit.var()] != lit.negative();
}

void simulate(const Aig& aig, const std::vector<bool>& state, const std::vector<bool>& inputs,
              std::vector<bool>& value) {
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) value[aig.input(i).var()] = inputs[i];
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) value[aig.latch(i).var()] = state[i];
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    value[var] = holds(value, aig.gate_of(var).left) && holds(value, aig.gate_of(var).right);
}

bool has_bits(const TermStore& terms, Term term) {
  return terms.kind(term) == SortKind::Bool || terms.kind(term) == SortKind::BitVec;
}

std::string bits_of(const TermStore& terms, Term value) {
  if (terms.kind(value) == SortKind::Bool) return terms.is_true(value) ? "1" : "0";
  std::string bits = terms.integer_value(value).get_str(2);
  return std::string(terms.width(value) - bits.size(), '0') + bits;
}

std::string dump(const Problem& original, const Trace& trace) {
  const Aig& aig = original.aig();
  assert(trace.initial.size() == aig.num_latches() && "trace of another model");
  Observed observed = observed_signals(original);
  std::string out = observed.list.header();
  std::vector<bool> state = trace.initial;
  std::vector<bool> value(aig.num_vars(), false);
  for (std::size_t step = 0; step < trace.inputs.size(); ++step) {
    simulate(aig, state, trace.inputs[step], value);
    std::vector<std::string> now;
    for (AigLit lit : observed.lits) now.emplace_back(holds(value, lit) ? "1" : "0");
    out += observed.list.changes(step, now);
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      state[i] = holds(value, aig.latches()[i].next);
  }
  return out + '#' + std::to_string(trace.inputs.size()) + '\n';
}

std::string dump(const Problem& original, const TermTrace& trace) {
  const TransitionSystem& system = original.system();
  TermStore& terms = system.terms();
  SignalList list;
  auto add = [&](Term variable) {
    if (!has_bits(terms, variable)) return;
    bool truth = terms.kind(variable) == SortKind::Bool;
    list.add(terms.name(variable), truth ? 1 : terms.width(variable));
  };
  for (Term input : system.inputs()) add(input);
  for (const StateVar& state : system.states()) add(state.current);
  for (const Property& property : original.properties) list.add(property.name, 1);
  std::string out = list.header();
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TermTrace::Step& step = trace.steps[k];
    assert(step.states.size() == system.states().size() && "trace of another model");
    std::vector<std::string> now;
    TermMap values;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      values[system.inputs()[i]] = step.inputs[i];
      if (has_bits(terms, step.inputs[i])) now.push_back(bits_of(terms, step.inputs[i]));
    }
    for (std::size_t i = 0; i < step.states.size(); ++i) {
      values[system.states()[i].current] = step.states[i];
      if (has_bits(terms, step.states[i])) now.push_back(bits_of(terms, step.states[i]));
    }
    for (const Property& property : original.properties)
      now.push_back(bits_of(terms, evaluate(terms, property.bad_term(), values)));
    out += list.changes(k, now);
  }
  return out + '#' + std::to_string(trace.steps.size()) + '\n';
}

}  // namespace

std::string write_vcd(const Problem& original, const check::Certified& certified) {
  const auto& unsafe = std::get<Unsafe>(certified.verdict());
  if (std::holds_alternative<Trace>(unsafe.run)) return dump(original, unsafe.trace());
  return dump(original, unsafe.term_trace());
}

}  // namespace lem::writer
