#include "check/c/module_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/assert.h"
#include "check/c/harness.h"
#ifdef LEM_WITH_C
#include "check/llvm/interpreter.h"
#endif

namespace lem::check {

#ifdef LEM_WITH_C

namespace {

/// x87 writes the leading bit of the significand, which the other formats hide.
mpz_class encoding(const FloatValue& value) {
  if (!(value.format() == kFloat80)) return value.bits();
  mpz_class fraction, top = value.bits() >> 63;
  mpz_fdiv_r_2exp(fraction.get_mpz_t(), value.bits().get_mpz_t(), 63);
  mpz_class exponent = top % 32768;
  return (top << 64) + (exponent == 0 ? mpz_class(0) : mpz_class(mpz_class(1) << 63)) + fraction;
}

/// As the number that is in memory; nothing for reals and arrays.
std::optional<mpz_class> number_of(const TermStore& terms, Term value) {
  switch (terms.kind(value)) {
    case SortKind::Bool:
      return mpz_class(terms.is_true(value) ? 1 : 0);
    case SortKind::BitVec:
    case SortKind::Int:
      return terms.integer_value(value);
    case SortKind::Float:
      return encoding(terms.float_value(value));
    case SortKind::Real:
    case SortKind::Array:
      return {};
  }
  unreachable();
}

/// Over mathematical integers a number may be none of its type.
bool is_of_type(const TermStore& terms, Term value, const CVariable* variable) {
  if (terms.kind(value) != SortKind::Int || variable == nullptr || variable->bits == 0) return true;
  mpz_class least = -(mpz_class(1) << (variable->bits - 1)), end = mpz_class(1) << variable->bits;
  return terms.integer_value(value) >= least && terms.integer_value(value) < end;
}

const CVariable* find_variable(const CSource& source, Term term) {
  auto found = std::find_if(source.variables.begin(), source.variables.end(),
                            [&](const CVariable& variable) { return variable.term == term; });
  return found == source.variables.end() ? nullptr : &*found;
}

/// In the order of the run; fails with the reason when one is no number of its type.
Result<std::vector<InputBits>> inputs_of(const Cfa& cfa, const CSource& source,
                                         const CfaTrace& trace) {
  std::map<EdgeId, std::vector<const CInput*>> by_edge;
  for (const CInput& input : source.inputs) by_edge[input.edge].push_back(&input);
  std::vector<InputBits> out;
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    auto here = by_edge.find(trace.edges[i]);
    if (here == by_edge.end()) continue;
    for (const CInput* input : here->second) {
      auto at = std::find(cfa.variables().begin(), cfa.variables().end(), input->variable);
      assert(at != cfa.variables().end() && "inputs are variables of the automaton");
      Term value = trace.values[i + 1][static_cast<std::size_t>(at - cfa.variables().begin())];
      std::optional<mpz_class> number = number_of(cfa.terms(), value);
      if (!number || !is_of_type(cfa.terms(), value, find_variable(source, input->variable)))
        return Error{input->at,
                     fmt::format("the input of '{}' is none of its type", input->function)};
      out.push_back({input->function, *std::move(number)});
    }
  }
  return out;
}

/// The array as its elements; nothing unless all of them are numbers.
bool read_array(const TermStore& terms, Term array, StartBits& out) {
  while (terms.op(array) == Op::Store) {  // the outermost is the last
    Term index = terms.arg(array, 1);
    std::optional<mpz_class> at = number_of(terms, index);
    std::optional<mpz_class> value = number_of(terms, terms.arg(array, 2));
    if (!at || !value) return false;
    if (*at >= 0 && at->fits_ulong_p()) out.elements.insert({at->get_ui(), *std::move(value)});
    array = terms.arg(array, 0);
  }
  if (terms.op(array) != Op::ConstArray) return false;
  std::optional<mpz_class> value = number_of(terms, terms.arg(array, 0));
  if (value) out.value = *std::move(value);
  return value.has_value();
}

std::vector<StartBits> starts_of(const Cfa& cfa, const CSource& source, const CfaTrace& trace) {
  std::vector<StartBits> out;
  const TermStore& terms = cfa.terms();
  for (const OpenValue& open : open_values(cfa, source, trace)) {
    const CVariable& variable = *open.variable;
    StartBits start{variable.name, variable.function, variable.line, variable.bits, {}};
    if (terms.kind(open.value) == SortKind::Array) {
      if (!read_array(terms, open.value, start)) continue;
    } else {
      std::optional<mpz_class> value = number_of(terms, open.value);
      if (!value) continue;
      start.value = *std::move(value);
    }
    out.push_back(std::move(start));
  }
  return out;
}

std::string at_line(const std::string& what, std::uint32_t line) {
  return line == 0 ? what : fmt::format("{} (line {})", what, line);
}

ModuleReplay judge(const Interpretation& end) {
  using How = Interpretation::How;
  using Outcome = ModuleReplay::Outcome;
  switch (end.how) {
    case How::Reached:
      return {Outcome::Reached};
    case How::Exited:
      return {Outcome::NotReached, fmt::format("the program exits with {}", end.code & 0xFF)};
    case How::Ended:
      return {Outcome::NotReached, at_line(end.reason, end.line)};
    case How::Undecided:
      return {Outcome::Undecided, at_line(end.reason, end.line)};
    case How::Stopped:
      return {Outcome::Stopped, "stopped"};
  }
  unreachable();
}

}  // namespace

ModuleReplay replay_module(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                           std::stop_token stop, const CProperty* about) {
  if (source.module == nullptr)
    return {ModuleReplay::Outcome::Undecided, "there is no module to replay the run on"};
  Result<std::vector<InputBits>> inputs = inputs_of(cfa, source, trace);
  if (!inputs) return {ModuleReplay::Outcome::NotReached, inputs.error().message};
  RunValues values{*std::move(inputs), starts_of(cfa, source, trace)};
  if (about != nullptr) values.wanted = {about->rule, about->at.line, about->at.column};
  // What was never given a value must be seen as such.
  if (about != nullptr && about->rule == CRule::Uninitialised) values.starts.clear();
  return judge(interpret(*source.module, values, {}, std::move(stop)));
}

#else

ModuleReplay replay_module(const Cfa&, const CSource&, const CfaTrace&, std::stop_token,
                           const CProperty*) {
  return {ModuleReplay::Outcome::Undecided, "built without LLVM"};
}

#endif

}  // namespace lem::check
