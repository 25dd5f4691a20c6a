#include "check/c/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/printable.h"
#include "check/c/runtime.h"

namespace lem::check {

namespace {

struct InputType {
  std::uint32_t bits = 32;
  CSign sign = CSign::Signed;
  bool floating = false;
};

std::string c_type(const InputType& type) {
  if (type.floating) return type.bits <= 32 ? "float" : "double";
  if (type.bits == 1) return "_Bool";
  const char* sign = type.sign == CSign::Unsigned ? "unsigned " : "signed ";
  if (type.bits <= 8) return sign + std::string("char");
  if (type.bits <= 16) return sign + std::string("short");
  if (type.bits <= 32) return sign + std::string("int");
  return sign + std::string("long long");
}

const CVariable* find_variable(const CSource& source, Term term) {
  auto found = std::find_if(source.variables.begin(), source.variables.end(),
                            [&](const CVariable& variable) { return variable.term == term; });
  return found == source.variables.end() ? nullptr : &*found;
}

/// The number that the program sees; nothing when the type has no such number.
std::optional<mpz_class> number_of(const TermStore& terms, Term value, const InputType& type) {
  switch (terms.kind(value)) {
    case SortKind::Bool:
      return mpz_class(terms.is_true(value) ? 1 : 0);
    case SortKind::BitVec:
      return type.sign == CSign::Unsigned || type.bits == 1 ? terms.integer_value(value)
                                                            : terms.signed_value(value);
    case SortKind::Int: {
      mpz_class number = terms.integer_value(value), span = mpz_class(1) << type.bits;
      bool is_unsigned = type.sign == CSign::Unsigned || type.bits == 1;
      mpz_class least = is_unsigned ? mpz_class(0) : mpz_class(-(span / 2));
      if (number < least || number >= least + span) return {};
      return number;
    }
    case SortKind::Float:  // as its bits
      if (type.bits > 64) return {};
      return terms.float_value(value).bits();
    case SortKind::Real:
    case SortKind::Array:
      return {};
  }
  return {};
}

struct TakenInput {
  const CInput* input;
  InputType type;
  Term value;
};

class Harness {
 public:
  Harness(const Cfa& cfa, const CSource& source, const CfaTrace& trace)
      : cfa_(cfa), source_(source), trace_(trace) {}
  Result<std::string> text(const std::string& file, const CProperty* about) const;

 private:
  InputType type_of(const CInput& input) const {
    const CVariable* variable = find_variable(source_, input.variable);
    return {variable == nullptr || variable->bits == 0 ? 32 : variable->bits, input.sign,
            cfa_.terms().kind(input.variable) == SortKind::Float};
  }
  std::vector<TakenInput> taken() const;
  Result<std::string> table() const;
  std::string functions() const;

  const Cfa& cfa_;
  const CSource& source_;
  const CfaTrace& trace_;
};

std::vector<TakenInput> Harness::taken() const {
  std::map<EdgeId, std::vector<const CInput*>> by_edge;
  for (const CInput& input : source_.inputs) by_edge[input.edge].push_back(&input);
  std::vector<TakenInput> out;
  for (std::size_t i = 0; i < trace_.edges.size(); ++i)
    for (const CInput* input : by_edge[trace_.edges[i]]) {
      auto at = std::find(cfa_.variables().begin(), cfa_.variables().end(), input->variable);
      assert(at != cfa_.variables().end() && "inputs are variables of the automaton");
      out.push_back(
          {input, type_of(*input),
           trace_.values[i + 1][static_cast<std::size_t>(at - cfa_.variables().begin())]});
    }
  return out;
}

Result<std::string> Harness::table() const {
  std::string out = "static const struct lemmata_input lemmata_inputs[] = {\n";
  for (const TakenInput& one : taken()) {
    std::optional<mpz_class> number = number_of(cfa_.terms(), one.value, one.type);
    if (!number)
      return Error{one.input->at,
                   fmt::format("the input of '{}' is none of its type", one.input->function)};
    // As the bits of an unsigned number: -2147483648 is no literal of C.
    mpz_class bits = *number < 0 ? *number + (mpz_class(1) << 64) : *number;
    std::string words =
        one.type.floating ? cfa_.terms().float_value(one.value).text() : number->get_str();
    out += fmt::format("    {{\"{}\", {}ULL}},  // line {}: {}\n", one.input->function,
                       bits.get_str(), one.input->at.line, words);
  }
  return out + "    {0, 0},\n};\n";
}

/// One for each function that is called for an input somewhere; other inputs of SV-COMP may be
/// called in functions that the run never enters, and are there for the linker.
std::string Harness::functions() const {
  std::map<std::string, InputType> wanted;
  for (const CInput& input : source_.inputs) {
    InputType type = type_of(input);
    auto [known, is_new] = wanted.insert({input.function, type});
    if (!is_new) known->second.bits = std::max(known->second.bits, type.bits);
  }
  std::string out;
  for (const auto& [name, type] : wanted) {
    bool always = name.starts_with("__VERIFIER_nondet_");
    const char* meant = always ? "LEMMATA_MEANT" : "LEMMATA_WEAK";
    if (type.floating)
      out += fmt::format(
          "{0} {1} {2}(void) {{ union {{ {3} bits; {1} number; }} value = {{({3})lemmata_next("
          "\"{2}\")}}; return value.number; }}\n",
          meant, c_type(type), name, type.bits <= 32 ? "unsigned" : "unsigned long long");
    else
      out += fmt::format("{0} {1} {2}(void) {{ return ({1})lemmata_next(\"{2}\"); }}\n", meant,
                         c_type(type), name);
  }
  for (std::string_view type : kOtherInputs) {
    std::string name = "__VERIFIER_nondet_" + std::string(type);
    bool is_float = type == "float" || type == "double";
    if (!wanted.contains(name))
      out += fmt::format("LEMMATA_WEAK {1} {0}(void) {{ return lemmata_next(\"{0}\"); }}\n", name,
                         is_float ? type : "long long");
  }
  return out;
}

/// Calls that report undefined behaviour where clang checks for it: the one that is wanted is the
/// error, the program goes on behind all others.
std::string handlers(const CProperty* about) {
  bool sanitized =
      about != nullptr && about->rule != CRule::Assertion && about->rule != CRule::ErrorCall;
  std::string out;
  if (sanitized) out = fmt::format(kHandlerPlace, about->at.line, about->at.column);
  for (std::string_view handler : kHandlers)
    out += fmt::format(
        "LEMMATA_WEAK void {}(void *data) {{ {} }}\n", handler,
        sanitized && rule_of_handler(handler) == about->rule ? "lemmata_at(data);" : "(void)data;");
  return out;
}

/// The line on which __assert_fail must be called; 0: any.
std::uint32_t line_of_assertion(const CProperty* about) {
  bool reported = about != nullptr && about->reporter == "__assert_fail";
  return reported && about->rule == CRule::Assertion ? about->at.line : 0;
}

Result<std::string> Harness::text(const std::string& file, const CProperty* about) const {
  Result<std::string> inputs = table();
  if (!inputs) return inputs;
  std::string name = printable(std::filesystem::path(file).filename().string());
  const char* model = source_.pointer_bits == 64 ? "-m64" : kThirtyTwoBits;
  std::string out = fmt::format(kHead, name, model, kErrorReached.message, kErrorReached.code);
  out += kFreestanding;
  out += fmt::format(kEnding, kErrorReached.message, kErrorReached.code, kInputsUsedUp.message,
                     kInputsUsedUp.code, kOtherInput.message, kOtherInput.code,
                     kAssumptionFails.message, kAssumptionFails.code);
  out += *inputs + std::string(kNext) + functions();
  out += fmt::format(kAssertLine, line_of_assertion(about), kOtherError.message, kOtherError.code);
  return out + std::string(kConventions) + handlers(about);
}

void collect_open(const Command& command, std::vector<Term>& open) {
  switch (command.kind()) {
    case Command::Kind::Havoc:
      open.push_back(command.variable());
      return;
    case Command::Kind::Assign:
    case Command::Kind::Assume:
      return;
    case Command::Kind::Sequence:
    case Command::Kind::Choice:
      for (const Command& part : command.parts()) collect_open(part, open);
      return;
  }
}

}  // namespace

std::vector<OpenValue> open_values(const Cfa& cfa, const CSource& source, const CfaTrace& trace) {
  std::set<std::pair<EdgeId, Term>> inputs;
  for (const CInput& input : source.inputs) inputs.insert({input.edge, input.variable});
  std::vector<OpenValue> out;
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    std::vector<Term> open;
    collect_open(cfa[trace.edges[i]].command, open);
    for (Term term : open) {
      const CVariable* variable = find_variable(source, term);
      if (variable == nullptr || variable->origin == COrigin::Internal) continue;
      if (inputs.contains({trace.edges[i], term})) continue;
      auto at = std::find(cfa.variables().begin(), cfa.variables().end(), term);
      out.push_back(
          {variable, trace.values[i + 1][static_cast<std::size_t>(at - cfa.variables().begin())]});
    }
  }
  return out;
}

Result<std::string> harness_text(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                                 const std::string& file, const CProperty* about) {
  return Harness(cfa, source, trace).text(file, about);
}

}  // namespace lem::check
