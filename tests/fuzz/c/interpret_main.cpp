// Runs a C program with many sequences of inputs, twice: its automaton as the front end made it,
// and its LLVM module in the checker's interpreter. For tests/fuzz/c/campaign.py.
//   c_interpret FILE.c BITS [int] < LINES
// A line has the inputs of one run, as `function=number` with spaces between; a line of the output
// says how both end: `reached`, `exited`, or a reason. A program that the front end refuses gives
// the one line `refused REASON`.
#include <algorithm>
#include <iostream>
#include <sstream>

#include "check/llvm/interpreter.h"
#include "frontend/c/c.h"
#include "term/traverse.h"

namespace lem {
namespace {

using check::InputBits;

/// The automaton run explicitly. What may have any value has a strange one: programs of the fuzzer
/// never depend on it.
class ExplicitRun {
 public:
  ExplicitRun(const c::CProgram& program, const std::vector<check::InputBits>& inputs)
      : program_(program), terms_(program.cfa.terms()), inputs_(inputs) {
    for (Term variable : program.cfa.variables()) state_[variable] = any(terms_.sort(variable));
  }
  std::string run();

 private:
  static constexpr int kMostSteps = 3'000'000;
  Term any(Sort sort) {
    switch (terms_.kind(sort)) {
      case SortKind::Bool:
        return terms_.boolean(true);
      case SortKind::BitVec:
        return terms_.bv(mpz_class("0xA5A5A5A5A5A5A5A5A5A5A5A5", 0), terms_.width(sort));
      case SortKind::Array:
        return terms_.make_const_array(sort, any(terms_.element_sort(sort)));
      case SortKind::Int:
      case SortKind::Real:
      case SortKind::Float:
        return terms_.default_value(sort);
    }
    return {};
  }
  void set(Term variable, Term value) {
    undo_.push_back({variable, state_[variable]});
    state_[variable] = value;
  }
  bool execute(const Command& command, EdgeId edge);
  bool take(EdgeId edge);

  const c::CProgram& program_;
  TermStore& terms_;
  const std::vector<check::InputBits>& inputs_;
  TermMap state_;
  std::vector<std::pair<Term, Term>> undo_;
  std::size_t taken_ = 0;
  std::string wrong_;
};

bool ExplicitRun::execute(const Command& command, EdgeId edge) {
  switch (command.kind()) {
    case Command::Kind::Assign:
      set(command.variable(), evaluate(terms_, command.value(), state_));
      return true;
    case Command::Kind::Assume:
      return terms_.is_true(evaluate(terms_, command.guard(), state_));
    case Command::Kind::Havoc: {
      Term variable = command.variable();
      auto input = std::find_if(
          program_.inputs.begin(), program_.inputs.end(),
          [&](const CInput& one) { return one.edge == edge && one.variable == variable; });
      if (input == program_.inputs.end()) {
        set(variable, any(terms_.sort(variable)));
        return true;
      }
      if (taken_ == inputs_.size() || inputs_[taken_].function != input->function) {
        wrong_ = "another input than the run has";
        return false;
      }
      const mpz_class& number = inputs_[taken_++].bits;
      Sort sort = terms_.sort(variable);
      set(variable, terms_.kind(sort) == SortKind::Bool ? terms_.boolean(number != 0)
                                                        : terms_.number(number, sort));
      return true;
    }
    case Command::Kind::Sequence:
      return std::all_of(command.parts().begin(), command.parts().end(),
                         [&](const Command& part) { return execute(part, edge); });
    case Command::Kind::Choice:
      wrong_ = "the front end makes no choices";
      return false;
  }
  return false;
}

bool ExplicitRun::take(EdgeId edge) {
  undo_.clear();
  std::size_t taken = taken_;
  if (execute(program_.cfa[edge].command, edge)) return true;
  for (; !undo_.empty(); undo_.pop_back()) state_[undo_.back().first] = undo_.back().second;
  taken_ = taken;
  return false;
}

std::string ExplicitRun::run() {
  const Cfa& cfa = program_.cfa;
  LocationId at = cfa.initial();
  for (int step = 0; step < kMostSteps; ++step) {
    if (at == cfa.error()) return "reached";
    if (cfa.out(at).empty()) return "exited";
    auto next = std::find_if(cfa.out(at).begin(), cfa.out(at).end(),
                             [&](EdgeId edge) { return take(edge); });
    if (next == cfa.out(at).end())
      return wrong_.empty() ? "stuck at line " + std::to_string(cfa[at].line) : wrong_;
    at = cfa[*next].to;
  }
  return "too many steps";
}

std::string words(const check::Interpretation& end) {
  using How = check::Interpretation::How;
  if (end.how == How::Reached) return "reached";
  if (end.how == How::Exited && end.code == 0) return "exited";
  return end.reason + " (line " + std::to_string(end.line) + ")";
}

int run_lines(const std::string& path, std::uint32_t bits, bool integers) {
  c::COptions options;
  options.pointer_bits = bits;
  if (integers) options.arith = c::COptions::Arith::Int;
  Result<c::CProgram> program = c::read_c(path, options);
  if (!program) {
    std::cerr << program.error().text() << "\n";
    std::cout << "refused " << program.error().message << "\n";
    return 0;
  }
  for (std::string line; std::getline(std::cin, line);) {
    check::RunValues values;
    std::istringstream inputs(line);
    for (std::string one; inputs >> one;) {
      std::size_t at = one.find('=');
      if (at == std::string::npos) return 65;
      values.inputs.push_back({one.substr(0, at), mpz_class(one.substr(at + 1))});
    }
    std::cout << "automaton " << ExplicitRun(*program, values.inputs).run() << ", interpreter "
              << words(check::interpret(*program->module, values, {}, {})) << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace lem

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 64;
  return lem::run_lines(argv[1], argv[2] == std::string("64") ? 64 : 32, argc == 4);
}
