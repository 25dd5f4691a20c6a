// BTOR2 witnesses [Niemetz et al., CAV 2018, section 3]: values of states and inputs, frame by
// frame. Frame 0 has all states, later ones those that no next function gives.
#include <algorithm>

#include "writer/aiger.h"
#include "writer/btor2.h"

namespace lem::writer {

namespace {

// Arrays with at most so many elements are written in full; larger ones by what differs from the
// rest, which is 0 or given as `[*]`.
constexpr std::uint32_t kFullIndexWidth = 10;

std::string bits_of(const TermStore& terms, Term value) {
  if (terms.kind(value) == SortKind::Bool) return terms.is_true(value) ? "1" : "0";
  std::string bits = terms.integer_value(value).get_str(2);
  return std::string(terms.width(value) - bits.size(), '0') + bits;
}

std::uint32_t index_width(const TermStore& terms, Sort array) {
  Sort index = terms.index_sort(array);
  return terms.kind(index) == SortKind::Bool ? 1 : terms.width(index);
}

class WitnessText {
 public:
  explicit WitnessText(TermStore& terms) : terms_(terms) {}

  void add(std::size_t index, Term variable, Term value, const std::string& suffix) {
    std::string symbol = ' ' + terms_.name(variable) + suffix + '\n';
    for (char& c : symbol)
      if ((c < ' ' && c != '\n') || c == 127) c = '_';
    std::replace(symbol.begin() + 1, symbol.end(), ' ', '_');
    auto line = [&](const std::string& at, Term element) {
      text += std::to_string(index) + at + ' ' + bits_of(terms_, element) + symbol;
    };
    if (terms_.kind(value) != SortKind::Array) {
      line("", value);
      return;
    }
    auto place = [&](Term at) { return " [" + bits_of(terms_, at) + ']'; };
    std::uint32_t width = index_width(terms_, terms_.sort(value));
    if (width <= kFullIndexWidth) {
      Sort sort = terms_.index_sort(terms_.sort(value));
      for (unsigned long i = 0; i < (1UL << width); ++i) {
        Term at = terms_.kind(sort) == SortKind::Bool ? terms_.boolean(i != 0)
                                                      : terms_.bv(mpz_class(i), width);
        line(place(at), terms_.make_select(value, at));
      }
      return;
    }
    Term base = value;
    for (; terms_.op(base) == Op::Store; base = terms_.arg(base, 0))
      line(place(terms_.arg(base, 1)), terms_.arg(base, 2));
    Term rest = terms_.arg(base, 0);
    if (rest != terms_.default_value(terms_.sort(rest))) line(" [*]", rest);
  }

  std::string text;

 private:
  TermStore& terms_;
};

}  // namespace

std::string write_btor2_witness(const Problem& original, std::size_t property_index,
                                const check::Certified& certified) {
  const TermTrace& trace = run_as<TermTrace>(certified.verdict());
  const TransitionSystem& system = original.system();
  assert(property_index < original.properties.size() && "no such property");
  WitnessText out(system.terms());
  out.text = "sat\n" + witness_symbol(original, property_index) + '\n';
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TermTrace::Step& step = trace.steps[k];
    assert(step.states.size() == system.states().size() && "trace of another model");
    assert(step.inputs.size() == system.inputs().size() && "trace of another model");
    std::string frame = std::to_string(k);
    out.text += '#' + frame + '\n';
    for (std::size_t i = 0; i < step.states.size(); ++i) {
      const StateVar& state = system.states()[i];
      if (k == 0 || !state.update) out.add(i, state.current, step.states[i], '#' + frame);
    }
    out.text += '@' + frame + '\n';
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      out.add(i, system.inputs()[i], step.inputs[i], '@' + frame);
  }
  return out.text + ".\n";
}

}  // namespace lem::writer
