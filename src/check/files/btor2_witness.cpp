// BTOR2 witnesses as files: parsing, and replay by evaluation. States that a frame does not mention
// have their initial value, what their update gives, or 0; so have elements of arrays.
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "check/files/claims.h"
#include "check/live/lasso.h"
#include "check/terms.h"
#include "check/validate.h"
#include "model/verdict.h"
#include "term/traverse.h"

namespace lem::check {

namespace {

// A frame takes memory for all variables, however few it mentions.
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 27;

struct Word {
  std::string_view text;
  std::size_t column;
};

/// The values that the file gives one variable in one frame: its value, or some elements and the
/// rest.
struct Assignment {
  Term value{};
  std::vector<std::pair<Term, Term>> elements;
  Term rest{};
};

using Frame = std::vector<Assignment>;  // by state, or by input

struct Btor2Witness {
  std::vector<std::size_t> properties;
  std::vector<Frame> states;
  std::vector<Frame> inputs;
};

class Btor2WitnessParser {
 public:
  Btor2WitnessParser(const Problem& model, const std::string& path, std::string_view text)
      : model_(model), terms_(model.system().terms()), path_(path), text_(text) {
    for (const StateVar& state : model.system().states()) states_.push_back(state.current);
    inputs_.assign(model.system().inputs().begin(), model.system().inputs().end());
  }

  Result<Btor2Witness> run() {
    for (auto step : {&Btor2WitnessParser::header, &Btor2WitnessParser::property,
                      &Btor2WitnessParser::frames, &Btor2WitnessParser::end}) {
      if (Status ok = (this->*step)(); !ok) return ok.error();
    }
    return std::move(witness_);
  }

 private:
  Status header();
  Status property();
  Status frames();
  Status end();
  Status begin_frame();
  Status assignment();
  Result<Term> bits(const Word& word, Sort sort) const;

  /// Moves to the next line with words in it; false at the end of the file.
  bool next();
  Error error(const Word& at, std::string message) const {
    return {{path_, line_, static_cast<std::uint32_t>(at.column)},
            std::move(message),
            ErrorKind::BadInput};
  }
  Error cut_off(const std::string& what) const {
    return {{path_, line_ + 1, 1}, "truncated witness: expected " + what, ErrorKind::BadInput};
  }

  const Problem& model_;
  TermStore& terms_;
  const std::string& path_;  // borrowed, as the text
  std::string_view text_;
  std::vector<Term> states_;
  std::vector<Term> inputs_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;
  std::vector<Word> words_;  // of the current line
  bool in_states_ = false;   // which part of the frame the lines are about
  Btor2Witness witness_;
};

bool Btor2WitnessParser::next() {
  while (at_ < text_.size()) {
    std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    words_.clear();
    for (std::size_t i = 0; i < line.size();) {
      i = line.find_first_not_of(" \t\r", i);
      if (i == line.npos || line[i] == ';') break;
      std::size_t stop = std::min(line.find_first_of(" \t\r", i), line.size());
      words_.push_back({line.substr(i, stop - i), i + 1});
      i = stop;
    }
    if (!words_.empty()) return true;
  }
  return false;
}

Status Btor2WitnessParser::header() {
  if (!next()) return cut_off("'sat'");
  if (words_[0].text == "unsat") return error(words_[0], "the witness says unsat: it has no trace");
  if (words_[0].text != "sat") return error(words_[0], "expected 'sat'");
  return Ok{};
}

static bool parse_index(std::string_view digits, std::size_t& out) {
  auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return failure == std::errc{} && end == digits.data() + digits.size();
}

Status Btor2WitnessParser::property() {
  if (!next()) return cut_off("the properties 'b<i>'");
  for (const Word& word : words_) {
    std::size_t index = 0;
    bool number = word.text.size() > 1 && parse_index(word.text.substr(1), index);
    bool justice = number && word.text[0] == 'j';
    if (!number || (!justice && word.text[0] != 'b'))
      return error(word, "expected a property 'b<i>' or 'j<i>'");
    std::vector<std::size_t> kind;  // those of this kind
    for (std::size_t i = 0; i < model_.properties.size(); ++i)
      if (model_.properties[i].is_justice() == justice) kind.push_back(i);
    if (index >= kind.size())
      return error(word, "property " + std::string(word.text) + " is out of range: the model has " +
                             std::to_string(kind.size()));
    index = kind[index];
    if (std::ranges::find(witness_.properties, index) != witness_.properties.end())
      return error(word, "property " + std::string(word.text) + " is named twice");
    witness_.properties.push_back(index);
  }
  return Ok{};
}

/// `#k` opens frame k with its states, `@k` its inputs; `#k` may be left out.
Status Btor2WitnessParser::begin_frame() {
  const Word& word = words_[0];
  std::size_t k = 0;
  if (!parse_index(word.text.substr(1), k))
    return error(word, "expected a frame number after '" + std::string(1, word.text[0]) + "'");
  in_states_ = word.text[0] == '#';
  std::size_t expected = witness_.inputs.size();
  if (in_states_ && witness_.states.size() != expected)
    return error(word, "expected the inputs of frame " + std::to_string(expected) + " first");
  if (k != expected)
    return error(
        word, "expected frame " + std::to_string(expected) + ", found frame " + std::to_string(k));
  if ((expected + 1) * (states_.size() + inputs_.size()) > kMostValues)
    return error(word, "unsupported: frame " + std::to_string(k) + " of so large a model");
  if (witness_.states.size() == expected) witness_.states.emplace_back(states_.size());
  if (!in_states_) witness_.inputs.emplace_back(inputs_.size());
  return Ok{};
}

Result<Term> Btor2WitnessParser::bits(const Word& word, Sort sort) const {
  bool truth = terms_.kind(sort) == SortKind::Bool;
  std::size_t width = truth ? 1 : terms_.width(sort);
  std::string digits;
  for (char c : word.text) {
    if (c != '0' && c != '1' && c != 'x' && c != 'X')
      return error(word, "expected a binary value, found '" + std::string(word.text) + "'");
    digits += c == '1' ? '1' : '0';
  }
  if (digits.size() != width)
    return error(word, "expected " + std::to_string(width) + " bits, found " +
                           std::to_string(digits.size()));
  if (truth) return terms_.boolean(digits == "1");
  return terms_.bv(mpz_class(digits, 2), static_cast<std::uint32_t>(width));
}

/// `index bits [symbol]`, or `index [element] bits [symbol]` for arrays.
Status Btor2WitnessParser::assignment() {
  if (witness_.states.empty()) return error(words_[0], "expected '#0' before the first value");
  const std::vector<Term>& variables = in_states_ ? states_ : inputs_;
  Frame& frame = in_states_ ? witness_.states.back() : witness_.inputs.back();
  const char* kind = in_states_ ? "state" : "input";
  std::size_t index = 0;
  if (!parse_index(words_[0].text, index))
    return error(words_[0], "expected the number of a variable, a frame or '.'");
  if (index >= variables.size())
    return error(words_[0], std::string(kind) + ' ' + std::to_string(index) +
                                " is out of range: the model has " +
                                std::to_string(variables.size()));
  Sort sort = terms_.sort(variables[index]);
  bool array = terms_.kind(sort) == SortKind::Array;
  auto twice = [&] {
    return error(words_[0], "there is already a value of " + std::string(kind) + ' ' +
                                std::to_string(index) + " in this frame");
  };
  std::size_t needed = array ? 3 : 2;
  if (words_.size() < needed || words_.size() > needed + 1)
    return error(words_[0], array ? "expected 'index [element] bits'" : "expected 'index bits'");
  if (!array) {
    auto value = bits(words_[1], sort);
    if (!value) return value.error();
    if (frame[index].value) return twice();
    frame[index].value = *value;
    return Ok{};
  }
  Word place = words_[1];
  if (!place.text.starts_with('[') || !place.text.ends_with(']'))
    return error(place, "expected an element in brackets");
  place = {place.text.substr(1, place.text.size() - 2), place.column + 1};
  auto value = bits(words_[2], terms_.element_sort(sort));
  if (!value) return value.error();
  if (place.text == "*") {
    if (frame[index].rest) return twice();
    frame[index].rest = *value;
    return Ok{};
  }
  auto element = bits(place, terms_.index_sort(sort));
  if (!element) return element.error();
  for (const auto& [known, unused] : frame[index].elements)
    if (known == *element) return twice();
  frame[index].elements.emplace_back(*element, *value);
  return Ok{};
}

Status Btor2WitnessParser::frames() {
  while (next()) {
    std::string_view first = words_[0].text;
    if (first == ".") {
      if (witness_.inputs.empty()) return error(words_[0], "the witness has no frame of inputs");
      if (witness_.states.size() != witness_.inputs.size())
        return error(words_[0], "the last frame has no inputs");
      return Ok{};
    }
    bool opens = first[0] == '#' || first[0] == '@';
    if (Status ok = opens ? begin_frame() : assignment(); !ok) return ok;
  }
  return cut_off("a frame, a value or '.'");
}

Status Btor2WitnessParser::end() {
  if (next()) return error(words_[0], "unexpected text after the end of the witness");
  return Ok{};
}

/// Fills in what the file leaves open.
class Simulation {
 public:
  explicit Simulation(const TransitionSystem& system) : system_(system), terms_(system.terms()) {}

  TermTrace run(const Btor2Witness& witness) {
    TermTrace trace;
    for (std::size_t k = 0; k < witness.inputs.size(); ++k) {
      TermTrace::Step& step = trace.steps.emplace_back();
      TermMap now;
      if (k == 0)
        start(witness.states[0], now);
      else
        advance(witness.states[k], now);
      for (const StateVar& state : system_.states()) step.states.push_back(now.at(state.current));
      for (std::size_t i = 0; i < system_.inputs().size(); ++i) {
        Term input = system_.inputs()[i];
        Term value = given(witness.inputs[k][i], terms_.default_value(terms_.sort(input)));
        now[input] = value;
        step.inputs.push_back(value);
      }
      before_ = std::move(now);
    }
    return trace;
  }

 private:
  static bool is_given(const Assignment& said) {
    return said.value || said.rest || !said.elements.empty();
  }
  /// What is said, on top of `otherwise` as far as elements are concerned.
  Term given(const Assignment& said, Term otherwise) {
    if (said.value) return said.value;
    Term array = otherwise;
    if (said.rest) array = terms_.make_const_array(terms_.sort(otherwise), said.rest);
    for (const auto& [at, value] : said.elements) array = terms_.make_store(array, at, value);
    return array;
  }
  /// States whose initial values depend on each other are computed one after another; a cycle is
  /// broken with default values, which the replay then checks.
  void start(const Frame& frame, TermMap& now) {
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const StateVar& state = system_.states()[i];
      bool partial = is_given(frame[i]) && !frame[i].value && !frame[i].rest && state.init;
      if (is_given(frame[i]) && !partial) {
        now[state.current] = given(frame[i], terms_.default_value(terms_.sort(state.current)));
      } else {
        waiting.push_back(i);
      }
    }
    while (!waiting.empty()) {
      auto ready = std::find_if(waiting.begin(), waiting.end(), [&](std::size_t i) {
        Term init = system_.states()[i].init;
        if (!init) return true;
        std::vector<Term> needed = variables_of(terms_, init);
        return std::all_of(needed.begin(), needed.end(), [&](Term v) { return now.contains(v); });
      });
      if (ready == waiting.end()) ready = waiting.begin();
      const StateVar& state = system_.states()[*ready];
      Term otherwise = state.init ? evaluate(terms_, state.init, now)
                                  : terms_.default_value(terms_.sort(state.current));
      now[state.current] = given(frame[*ready], otherwise);
      waiting.erase(ready);
    }
  }
  void advance(const Frame& frame, TermMap& now) {
    Substitution step(terms_, before_);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const StateVar& state = system_.states()[i];
      Term otherwise = state.update ? step.apply(state.update)
                                    : terms_.default_value(terms_.sort(state.current));
      now[state.current] = given(frame[i], otherwise);
    }
  }

  const TransitionSystem& system_;
  TermStore& terms_;
  TermMap before_;  // all variables at the step before
};

}  // namespace

Result<Accepted> validate_btor2_witness(const Problem& model, const std::string& path,
                                        std::string_view text, const EvidenceTask& task) {
  auto witness = Btor2WitnessParser(model, path, text).run();
  if (!witness) return witness.error();
  TermTrace trace = Simulation(model.system()).run(*witness);
  auto judge = [&](std::size_t index) -> Status {
    const Property& property = model.properties[index];
    auto wrong = property.is_justice()
                     ? replay_any_lasso(model.system(), property.often_terms(), trace)
                     : replay(model.system(), property.bad_term(), trace);
    if (!wrong) return Ok{};
    return Error{{path, 0, 0},
                 "the witness for property '" + property.name + "' is rejected: " + *wrong,
                 ErrorKind::Internal};
  };
  // All properties that the file names must fail; the requested one must be among them.
  Accepted accepted;
  for (std::size_t index : witness->properties) {
    if (Status status = judge(index); !status) return status.error();
    accepted.properties.push_back(index);
  }
  accepted.contents = Run(trace);
  if (!task.property) return accepted;
  bool asked = std::ranges::find(accepted.properties, *task.property) != accepted.properties.end();
  std::size_t about = asked ? *task.property : accepted.properties.front();
  Result<Accepted> one = judge_properties(model, path, about, task, judge);
  if (one) one->contents = Run(std::move(trace));
  return one;
}

}  // namespace lem::check
