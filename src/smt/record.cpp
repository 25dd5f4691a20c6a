#include "smt/record.h"

#include <ctime>
#include <istream>
#include <ostream>
#include <sstream>
#include <unordered_map>

#include "term/wire.h"

namespace lem::smt {

namespace {

std::string_view word(Answer answer) {
  switch (answer) {
    case Answer::Sat:
      return "sat";
    case Answer::Unsat:
      return "unsat";
    case Answer::Unknown:
      return "unknown";
  }
  return "";
}

class Recorder final : public SmtSolver {
 public:
  Recorder(std::unique_ptr<SmtSolver> inner, const TermStore& terms,
           std::unique_ptr<std::ostream> out)
      : inner_(std::move(inner)), terms_(terms), out_(std::move(out)) {}

  void add(Term formula) override {
    const std::size_t number = number_of(formula);
    *out_ << "a " << number << '\n';
    inner_->add(formula);
  }
  void push() override {
    *out_ << "+\n";
    inner_->push();
  }
  void pop() override {
    *out_ << "-\n";
    inner_->pop();
  }
  Answer solve(std::span<const Term> assumptions) override {
    for (Term term : assumptions) number_of(term);
    *out_ << 'q';
    for (Term term : assumptions) *out_ << ' ' << number_of(term);
    const Answer answer = inner_->solve(assumptions);
    *out_ << "\n= " << word(answer) << '\n' << std::flush;
    return answer;
  }
  Term value(Term term) override {
    const std::size_t number = number_of(term);
    *out_ << "v " << number << '\n';
    return inner_->value(term);
  }
  const std::vector<Term>& core() const override { return inner_->core(); }
  void limit_time(std::uint32_t milliseconds) override { inner_->limit_time(milliseconds); }
  void limit_work(std::uint32_t units) override { inner_->limit_work(units); }
  Projector* projector() override { return inner_->projector(); }

 private:
  std::size_t number_of(Term term) {
    auto [at, is_new] = numbers_.try_emplace(term, numbers_.size());
    if (is_new) *out_ << "t " << write_terms(terms_, {&term, 1}, 1) << '\n';
    return at->second;
  }

  std::unique_ptr<SmtSolver> inner_;
  const TermStore& terms_;
  std::unique_ptr<std::ostream> out_;
  std::unordered_map<Term, std::size_t> numbers_;
};

}  // namespace

std::unique_ptr<SmtSolver> record(std::unique_ptr<SmtSolver> inner, const TermStore& terms,
                                  std::unique_ptr<std::ostream> out) {
  return std::make_unique<Recorder>(std::move(inner), terms, std::move(out));
}

std::optional<Recording> Recording::read(TermStore& terms, std::istream& in) {
  Recording result;
  std::vector<Term> known;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty()) return {};
    std::istringstream rest(line.substr(1));
    std::vector<Term> named;
    if (line[0] == 't') {
      std::optional<std::vector<Term>> read = read_terms(terms, std::string_view(line).substr(2));
      if (!read || read->size() != 1) return {};
      known.push_back(read->front());
      continue;
    }
    if (line[0] == '=') {
      std::string text;
      if (result.commands_.empty() || !(rest >> text)) return {};
      result.commands_.back().answer = text == "sat"     ? Answer::Sat
                                       : text == "unsat" ? Answer::Unsat
                                                         : Answer::Unknown;
      continue;
    }
    for (std::size_t number = 0; rest >> number;) {
      if (number >= known.size()) return {};
      named.push_back(known[number]);
    }
    using Kind = Command::Kind;
    const std::string_view letters = "a+-qv";
    const std::size_t at = letters.find(line[0]);
    if (at == std::string_view::npos) return {};
    result.commands_.push_back({static_cast<Kind>(at), std::move(named), Answer::Unknown});
  }
  return result;
}

Replayed Recording::play(SmtSolver& solver) const {
  Replayed result;
  const std::clock_t start = std::clock();
  Answer last = Answer::Unknown;
  for (const Command& command : commands_) {
    switch (command.kind) {
      case Command::Kind::Assert:
        solver.add(command.terms[0]);
        break;
      case Command::Kind::Push:
        solver.push();
        break;
      case Command::Kind::Pop:
        solver.pop();
        break;
      case Command::Kind::Ask: {
        last = solver.solve(command.terms);
        ++result.queries;
        result.sat += last == Answer::Sat ? 1 : 0;
        result.unknown += last == Answer::Unknown ? 1 : 0;
        const bool both = last != Answer::Unknown && command.answer != Answer::Unknown;
        result.different += both && last != command.answer ? 1 : 0;
        break;
      }
      case Command::Kind::Value:
        if (last == Answer::Sat) solver.value(command.terms[0]);
    }
  }
  result.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return result;
}

}  // namespace lem::smt
