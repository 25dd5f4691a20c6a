#include "writer/waves.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "base/assert.h"
#include "model/observed.h"
#include "term/traverse.h"

namespace lem::writer {

namespace {

// Of one array; a trace that writes more of them is not looked at word by word.
constexpr std::size_t kMaxWords = 4096;

std::string name_or(const std::vector<std::string>& names, std::uint32_t index, char kind) {
  bool named = index < names.size() && !names[index].empty();
  return named ? names[index] : kind + std::to_string(index);
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

Wave named(std::string_view name, std::uint32_t width) {
  Wave out;
  out.scopes = split_name(name);
  out.name = out.scopes.back();
  out.scopes.pop_back();
  out.width = width;
  return out;
}

std::string range_text(std::int64_t lowest, std::uint32_t width, bool upto) {
  std::string low = std::to_string(lowest);
  std::string high = std::to_string(lowest + static_cast<std::int64_t>(width) - 1);
  return upto ? '[' + low + ':' + high + ']' : '[' + high + ':' + low + ']';
}

/// `x[12]` -> x and 12.
struct BitName {
  std::string base;
  std::uint32_t index;
};
std::optional<BitName> bit_name(const std::string& name) {
  std::size_t open = name.rfind('[');
  if (open == name.npos || open == 0 || !name.ends_with(']')) return {};
  std::uint32_t index = 0;
  const char* end = name.data() + name.size() - 1;
  auto [last, failed] = std::from_chars(name.data() + open + 1, end, index);
  if (failed != std::errc{} || last != end) return {};
  return BitName{name.substr(0, open), index};
}

/// The bus of all bits of one name, if none is missing or there twice; no values otherwise.
Wave bus_of(const std::string& base, const std::map<std::uint32_t, std::size_t>& bits,
            std::size_t count, const std::vector<Wave>& single) {
  std::uint32_t lowest = bits.begin()->first;
  auto width = static_cast<std::uint32_t>(bits.size());
  Wave bus = named(base, width);
  bool whole = bits.size() == count && bits.rbegin()->first == lowest + width - 1;
  if (!whole || width == 1) return bus;
  bus.range = range_text(lowest, width, false);
  bus.role = single[bits.begin()->second].role;
  bus.values.resize(single[bits.begin()->second].values.size());
  for (auto bit = bits.rbegin(); bit != bits.rend(); ++bit)
    for (std::size_t k = 0; k < bus.values.size(); ++k)
      bus.values[k] += single[bit->second].values[k];
  return bus;
}

/// Buses at the place of their first bit.
std::vector<Wave> joined(std::vector<Wave> single, const std::vector<std::string>& names) {
  struct Group {
    std::map<std::uint32_t, std::size_t> bits;
    std::size_t count = 0;
    bool placed = false;
  };
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::optional<BitName> bit = bit_name(names[i])) {
      Group& group = groups[bit->base];
      group.bits.emplace(bit->index, i);
      ++group.count;
    }
  std::vector<Wave> out;
  for (std::size_t i = 0; i < single.size(); ++i) {
    std::optional<BitName> bit = i < names.size() ? bit_name(names[i]) : std::nullopt;
    if (!bit) {
      out.push_back(single[i]);
      continue;
    }
    Group& group = groups[bit->base];
    Wave bus = bus_of(bit->base, group.bits, group.count, single);
    if (bus.values.empty())
      out.push_back(single[i]);
    else if (!std::exchange(group.placed, true))
      out.push_back(std::move(bus));
  }
  return out;
}

bool has_bits(const TermStore& terms, Sort sort) {
  return terms.kind(sort) == SortKind::Bool || terms.kind(sort) == SortKind::BitVec;
}

std::uint32_t width_of(const TermStore& terms, Sort sort) {
  return terms.kind(sort) == SortKind::Bool ? 1 : terms.width(sort);
}

/// `state12`: how the reader of BTOR2 calls a line without a symbol.
bool is_made_up(std::string_view name) {
  for (std::string_view word : {"state", "input"})
    if (name.starts_with(word) && name.size() > word.size() &&
        name.find_first_not_of("0123456789", word.size()) == name.npos)
      return true;
  return name.find("_witness_") != name.npos;
}

class TermWaves {
 public:
  TermWaves(const Problem& problem, const TermTrace& trace, const VerilogSource* verilog)
      : problem_(problem),
        system_(problem.system()),
        terms_(system_.terms()),
        trace_(trace),
        verilog_(verilog) {}

  std::vector<Wave> run() {
    find_names();
    for (std::size_t i = 0; i < system_.inputs().size(); ++i)
      add_variable(system_.inputs()[i], Wave::Role::Input,
                   [&](const TermTrace::Step& s) { return s.inputs[i]; });
    for (std::size_t i = 0; i < system_.states().size(); ++i)
      add_variable(system_.states()[i].current, Wave::Role::State,
                   [&](const TermTrace::Step& s) { return s.states[i]; });
    add_observed();
    return std::move(out_);
  }

 private:
  void find_names() {
    auto look = [&](Term variable) { some_names_ |= !is_made_up(terms_.name(variable)); };
    for (Term input : system_.inputs()) look(input);
    for (const StateVar& state : system_.states()) look(state.current);
    some_names_ |= !problem_.source.observed.empty();
  }

  template <class At>
  void add_variable(Term variable, Wave::Role role, At at) {
    std::string name = terms_.name(variable);
    if (some_names_ && is_made_up(name)) return;
    std::vector<Term> values;
    for (const TermTrace::Step& step : trace_.steps) values.push_back(at(step));
    if (terms_.kind(variable) == SortKind::Array) return add_words(name, variable, values);
    if (!has_bits(terms_, terms_.sort(variable))) return;
    add(name, width_of(terms_, terms_.sort(variable)), values, is_clock(variable));
    out_.back().role = role;
  }

  bool is_clock(Term term) const {
    return verilog_ != nullptr && verilog_->clock && terms_.op(term) == Op::Variable &&
           terms_.name(term) == verilog_->clock->name;
  }

  void add(const std::string& name, std::uint32_t width, std::span<const Term> values, bool clock) {
    Wave wave = named(name, width);
    const VerilogSource::Signal* about = nullptr;
    if (verilog_ != nullptr)
      if (auto found = verilog_->signals.find(name); found != verilog_->signals.end())
        about = &found->second;
    if (width > 1)
      wave.range =
          range_text(about == nullptr ? 0 : about->lowest, width, about != nullptr && about->upto);
    if (about != nullptr) wave.names = about->names;
    for (Term value : values) wave.values.push_back(bits_of(terms_, value));
    wave.is_clock = clock;
    out_.push_back(std::move(wave));
  }

  /// Values of arrays are stores into a constant array.
  void add_words(const std::string& name, Term variable, std::span<const Term> values) {
    Sort index_sort = terms_.index_sort(terms_.sort(variable));
    Sort element = terms_.element_sort(terms_.sort(variable));
    if (!has_bits(terms_, index_sort) || !has_bits(terms_, element)) return;
    auto less = [&](Term a, Term b) { return number(a) < number(b); };
    std::set<Term, decltype(less)> indices(less);
    for (Term value : values)
      for (Term at = value; terms_.op(at) == Op::Store; at = terms_.arg(at, 0))
        indices.insert(terms_.arg(at, 1));
    if (indices.size() > kMaxWords) return;
    for (Term index : indices) {
      std::vector<Term> words;
      for (Term value : values) words.push_back(terms_.make_select(value, index));
      bool changes =
          std::any_of(words.begin(), words.end(), [&](Term word) { return word != words.front(); });
      std::optional<mpz_class> address = address_of(name, index, index_sort);
      if (changes && address)
        add(name + '[' + address->get_str() + ']', width_of(terms_, element), words, false);
    }
  }

  mpz_class number(Term value) const {
    if (terms_.kind(value) == SortKind::Bool) return terms_.is_true(value) ? 1 : 0;
    return terms_.integer_value(value);
  }

  /// What the design calls an element: memories may start at another address than 0, and have
  /// fewer words than the array has elements.
  std::optional<mpz_class> address_of(const std::string& name, Term index, Sort sort) const {
    mpz_class plain = number(index);
    if (verilog_ == nullptr) return plain;
    auto found = verilog_->memories.find(name);
    if (found == verilog_->memories.end()) return plain;
    mpz_class size = mpz_class(1) << width_of(terms_, sort);
    mpz_class first(std::to_string(found->second.first));
    mpz_class offset = (plain - first) % size;
    if (offset < 0) offset += size;
    if (offset >= mpz_class(std::to_string(found->second.size))) return {};
    return first + offset;
  }

  void add_observed() {
    std::vector<std::vector<Term>> steps;
    for (const TermTrace::Step& step : trace_.steps) steps.push_back(observed_at(problem_, step));
    for (std::size_t i = 0; i < problem_.source.observed.size(); ++i) {
      const auto& [name, term] = problem_.source.observed[i];
      if (!has_bits(terms_, terms_.sort(term))) continue;
      std::vector<Term> values;
      for (const std::vector<Term>& step : steps) values.push_back(step[i]);
      add(name, width_of(terms_, terms_.sort(term)), values, is_clock(term));
    }
  }

  const Problem& problem_;
  const TransitionSystem& system_;
  TermStore& terms_;
  const TermTrace& trace_;
  const VerilogSource* verilog_;
  bool some_names_ = false;
  std::vector<Wave> out_;
};

}  // namespace

std::string bits_of(const TermStore& terms, Term value) {
  if (terms.kind(value) == SortKind::Bool) return terms.is_true(value) ? "1" : "0";
  std::string bits = terms.integer_value(value).get_str(2);
  return std::string(terms.width(value) - bits.size(), '0') + bits;
}

std::vector<std::string> split_name(std::string_view name) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (char c : name) {
    bool escaped = out.back().starts_with('\\');
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == '.' && depth <= 0 && !escaped && !out.back().empty())
      out.emplace_back();
    else
      out.back() += c;
  }
  if (out.back().empty() && out.size() > 1) {  // a dot at the end belongs to the name
    out.pop_back();
    out.back() += '.';
  }
  return out;
}

/// A justice property is a wave for each signal that is to recur; those after its own are fairness.
static std::string recurring_name(const Property& property, std::size_t index) {
  std::size_t own = std::holds_alternative<Justice<AigLit>>(property.target)
                        ? std::get<Justice<AigLit>>(property.target).own
                        : std::get<Justice<Term>>(property.target).own;
  return index < own ? property.name + "." + std::to_string(index)
                     : property.name + ".fair" + std::to_string(index - own);
}

std::vector<Wave> waves_of(const Problem& problem, const Trace& trace) {
  const Aig& aig = problem.aig();
  assert(trace.initial.size() == aig.num_latches() && "trace of another model");
  std::vector<std::string> names;
  std::vector<AigLit> lits;
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) {
    names.push_back(name_or(problem.source.input_names, i, 'i'));
    lits.push_back(aig.input(i));
  }
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
    names.push_back(name_or(problem.source.latch_names, i, 'l'));
    lits.push_back(aig.latch(i));
  }
  std::vector<Wave> single;
  for (const std::string& name : names) single.push_back(named(name, 1));
  for (std::uint32_t i = 0; i < single.size(); ++i)
    single[i].role = i < aig.num_inputs() ? Wave::Role::Input : Wave::Role::State;
  for (const Property& property : problem.properties) {
    if (property.is_justice()) {
      for (std::size_t i = 0; i < property.often().size(); ++i) {
        single.emplace_back().name = recurring_name(property, i);
        single.back().role = Wave::Role::Property;
        lits.push_back(property.often()[i]);
      }
      continue;
    }
    single.emplace_back().name = property.name;
    single.back().role = Wave::Role::Property;
    lits.push_back(property.bad());
  }
  std::vector<bool> state = trace.initial;
  std::vector<bool> value(aig.num_vars(), false);
  for (const std::vector<bool>& inputs : trace.inputs) {
    simulate(aig, state, inputs, value);
    for (std::size_t i = 0; i < lits.size(); ++i)
      single[i].values.emplace_back(holds(value, lits[i]) ? "1" : "0");
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      state[i] = holds(value, aig.latches()[i].next);
  }
  return joined(std::move(single), names);
}

std::vector<Wave> waves_of(const Problem& problem, const TermTrace& trace,
                           const VerilogSource* verilog) {
  std::vector<Wave> out = TermWaves(problem, trace, verilog).run();
  const TransitionSystem& system = problem.system();
  std::vector<Wave> properties;
  std::vector<Term> shown;
  auto add = [&](std::string name, Term term) {
    Wave& wave = properties.emplace_back();
    if (verilog != nullptr) wave.scopes = {"properties"};
    wave.name = std::move(name);
    wave.role = Wave::Role::Property;
    shown.push_back(term);
  };
  for (const Property& property : problem.properties) {
    if (!property.is_justice()) add(property.name, property.bad_term());
    for (std::size_t i = 0; property.is_justice() && i < property.often_terms().size(); ++i)
      add(recurring_name(property, i), property.often_terms()[i]);
  }
  for (const TermTrace::Step& step : trace.steps) {
    Substitution values(system.terms(), step_values(problem, step));
    for (std::size_t i = 0; i < properties.size(); ++i)
      properties[i].values.push_back(bits_of(system.terms(), values.apply(shown[i])));
  }
  std::move(properties.begin(), properties.end(), std::back_inserter(out));
  return out;
}

}  // namespace lem::writer
