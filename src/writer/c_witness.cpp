#include "writer/c_witness.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/sha256.h"
#include "term/traverse.h"
#include "writer/c_expression.h"
#include "writer/c_float.h"

namespace lem::writer {

namespace {

using Out = YAML::Emitter;

/// Pairs of a flat map, all values quoted but numbers.
void pair(Out& out, const char* key, const std::string& value) {
  out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << value;
}
void pair(Out& out, const char* key, std::uint32_t value) {
  out << YAML::Key << key << YAML::Value << value;
}

/// Derived from the program and the content, not random: the same run gives the same witness.
std::string uuid_from(const std::string& digest) {
  std::string hex = digest.substr(0, 32);
  hex[12] = '4';
  hex[16] = '8';
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20, 12));
}

struct Place {
  std::string file;
  ctext::CPosition at;
};

void location(Out& out, const Place& place) {
  out << YAML::Key << "location" << YAML::Value << YAML::BeginMap;
  pair(out, "file_name", place.file);
  pair(out, "line", place.at.row);
  pair(out, "column", place.at.column);
  if (!place.at.function.empty()) pair(out, "function", place.at.function);
  out << YAML::EndMap;
}

class Writer {
 public:
  Writer(const Cfa& cfa, const CSource& source, const CMarks& marks, const ctext::CText& text,
         const CWitnessTask& task)
      : cfa_(cfa), source_(source), text_(text), task_(task), places_(cfa, source, marks, text) {}

  CWitness invariants(const LocationInvariants& invariants);
  Result<CWitness> violation(const CfaTrace& trace);

 private:
  void begin(const char* entry_type, const std::string& content);
  CWitness end(CWitness witness) {
    out_ << YAML::EndSeq << YAML::EndMap << YAML::EndSeq;
    witness.text = std::string(out_.c_str()) + "\n";
    return witness;
  }
  std::optional<std::string> said(Term invariant, LocationId at, const ctext::CPlace& place,
                                  CWitness& witness) const;
  void waypoint(const char* type, std::size_t token, const std::string& constraint,
                const char* format);
  std::string name() const { return std::filesystem::path(task_.file).filename().string(); }
  std::string result_is(Term value, const CInput& input) const;
  std::optional<std::string> open_value(Term value, const CVariable& variable) const;
  void open_waypoints(const CfaTrace& trace, std::size_t step, CWitness& witness);
  bool open_elements(const CVariable& variable, Term value, const CfaTrace& trace,
                     CWitness& witness);
  const std::map<Term, std::set<Term>>& elements_read(const CfaTrace& trace);

  const Cfa& cfa_;
  const CSource& source_;
  const ctext::CText& text_;
  const CWitnessTask& task_;
  ctext::CPlaces places_;
  Out out_;
  std::optional<std::map<Term, std::set<Term>>> read_;  // by array: indices that the run reads
};

/// Follows a run, edge by edge, for the elements of arrays that it reads.
class ElementReads {
 public:
  explicit ElementReads(const Cfa& cfa) : cfa_(cfa), terms_(cfa.terms()) {}
  std::map<Term, std::set<Term>> of(const CfaTrace& trace) {
    for (std::size_t i = 0; i < trace.edges.size(); ++i) {
      for (std::size_t v = 0; v < cfa_.variables().size(); ++v) {
        values_[cfa_.variables()[v]] = trace.values[i][v];
        after_[cfa_.variables()[v]] = trace.values[i + 1][v];
      }
      follow(cfa_[trace.edges[i]].command);
    }
    return std::move(read_);
  }

 private:
  void follow(const Command& command) {
    switch (command.kind()) {
      case Command::Kind::Assign:
        look_at(command.value());
        values_[command.variable()] = evaluate(terms_, command.value(), values_);
        return;
      case Command::Kind::Assume:
        look_at(command.guard());
        return;
      case Command::Kind::Havoc:  // as far as a run tells: its values are those between edges
        values_[command.variable()] = after_[command.variable()];
        return;
      case Command::Kind::Sequence:
      case Command::Kind::Choice:
        for (const Command& part : command.parts()) follow(part);
        return;
    }
  }
  void look_at(Term term) {
    for_each_subterm(terms_, std::span(&term, 1), [&](Term part) {
      if (terms_.op(part) != Op::Select) return;
      Term index = evaluate(terms_, terms_.arg(part, 1), values_);
      for (Term array : variables_of(terms_, terms_.arg(part, 0)))
        if (terms_.kind(array) == SortKind::Array) read_[array].insert(index);
    });
  }

  const Cfa& cfa_;
  TermStore& terms_;
  TermMap values_, after_;
  std::map<Term, std::set<Term>> read_;
};

void Writer::begin(const char* entry_type, const std::string& content) {
  std::string digest = sha256(text_.text());
  out_ << YAML::BeginSeq << YAML::BeginMap;
  pair(out_, "entry_type", entry_type);
  out_ << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
  pair(out_, "format_version", "2.0");
  pair(out_, "uuid", uuid_from(sha256(digest + entry_type + content)));
  pair(out_, "creation_time", task_.creation_time);
  out_ << YAML::Key << "producer" << YAML::Value << YAML::BeginMap;
  pair(out_, "name", "Lemmata");
  pair(out_, "version", task_.producer_version);
  out_ << YAML::EndMap << YAML::Key << "task" << YAML::Value << YAML::BeginMap;
  out_ << YAML::Key << "input_files" << YAML::Value << YAML::BeginSeq << YAML::DoubleQuoted
       << name() << YAML::EndSeq;
  out_ << YAML::Key << "input_file_hashes" << YAML::Value << YAML::BeginMap << YAML::Key
       << YAML::DoubleQuoted << name() << YAML::Value << YAML::DoubleQuoted << digest
       << YAML::EndMap;
  pair(out_, "specification", task_.specification);
  pair(out_, "data_model", source_.pointer_bits == 64 ? "LP64" : "ILP32");
  pair(out_, "language", "C");
  out_ << YAML::EndMap << YAML::EndMap << YAML::Key << "content" << YAML::Value << YAML::BeginSeq;
}

// Invariants ------------------------------------------------------------------------------------

/// The conjuncts that can be expressed at the place; nullopt if there is none.
std::optional<std::string> Writer::said(Term invariant, LocationId at, const ctext::CPlace& place,
                                        CWitness& witness) const {
  CNames names = [&](Term term) -> std::optional<CName> {
    const CVariable* variable = places_.visible(term, places_.frame(at), place);
    if (variable == nullptr) return {};
    return CName{variable->name, variable->bits, variable->sign};
  };
  std::string out;
  if (task_.readable) invariant = task_.readable(invariant);
  for (Term part : conjuncts(cfa_.terms(), invariant)) {
    if (cfa_.terms().is_true(part)) continue;
    std::optional<std::string> words = c_expression(cfa_.terms(), part, names);
    if (!words) {
      ++witness.lost;
      continue;
    }
    out += (out.empty() ? "(" : " && (") + *words + ")";
  }
  if (out.empty()) return {};
  return out;
}

CWitness Writer::invariants(const LocationInvariants& invariants) {
  CWitness witness;
  for (std::uint32_t rounds : invariants.rounds)
    witness.unwound = std::max(witness.unwound, rounds);
  // By place: the disjunction of the claims at its locations; true if one of them has no claim.
  std::map<ctext::CPlace, std::set<std::string>> said_at;
  std::set<ctext::CPlace> open;
  for (LocationId head : places_.loop_heads()) {
    std::optional<ctext::CPlace> place = places_.place(head);
    if (!place) {
      ++witness.lost_loops;
      continue;
    }
    Term invariant = invariants.at[index(head)];
    if (!invariant) {  // nothing is claimed here
      open.insert(*place);
      continue;
    }
    if (cfa_.terms().is_false(invariant)) {  // never reached, but another copy may be
      said_at[*place];
      continue;
    }
    std::optional<std::string> words = said(invariant, head, *place, witness);
    if (!words)
      open.insert(*place);
    else
      said_at[*place].insert(*words);
  }
  std::string content;
  for (const auto& [place, several] : said_at)
    for (const std::string& words : several) content += words + ";";
  begin("invariant_set", content);
  for (const auto& [place, several] : said_at) {
    if (open.contains(place)) {
      witness.lost += several.size();
      continue;
    }
    std::string value = several.empty() ? "0" : "";
    for (const std::string& words : several) {
      std::string one = several.size() > 1 ? "(" + words + ")" : words;
      value += (value.empty() ? "" : " || ") + one;
    }
    out_ << YAML::BeginMap << YAML::Key << "invariant" << YAML::Value << YAML::BeginMap;
    bool loop = place.kind == ctext::CPlace::Kind::Loop;
    pair(out_, "type", loop ? "loop_invariant" : "location_invariant");
    location(out_, {name(), places_.position(place.token)});
    pair(out_, "value", value);
    pair(out_, "format", "c_expression");
    out_ << YAML::EndMap << YAML::EndMap;
    ++witness.places;
  }
  return end(std::move(witness));
}

// Runs ------------------------------------------------------------------------------------------

void Writer::waypoint(const char* type, std::size_t token, const std::string& constraint,
                      const char* format) {
  out_ << YAML::BeginMap << YAML::Key << "segment" << YAML::Value << YAML::BeginSeq
       << YAML::BeginMap << YAML::Key << "waypoint" << YAML::Value << YAML::BeginMap;
  pair(out_, "type", type);
  pair(out_, "action", "follow");
  if (!constraint.empty()) {
    out_ << YAML::Key << "constraint" << YAML::Value << YAML::BeginMap;
    pair(out_, "value", constraint);
    pair(out_, "format", format);
    out_ << YAML::EndMap;
  }
  location(out_, {name(), places_.position(token)});
  out_ << YAML::EndMap << YAML::EndMap << YAML::EndSeq << YAML::EndMap;
}

/// `\result == 5`; nothing for values that are no number.
std::string Writer::result_is(Term value, const CInput& input) const {
  const TermStore& terms = cfa_.terms();
  const std::string equal = "\\result == ";
  if (terms.kind(value) == SortKind::Bool) return equal + (terms.is_true(value) ? "1" : "0");
  if (terms.kind(value) == SortKind::Int) return equal + terms.integer_value(value).get_str();
  if (terms.kind(value) == SortKind::Float)
    return c_float_constraint("\\result", terms.float_value(value));
  if (terms.kind(value) != SortKind::BitVec) return {};
  if (input.sign == CSign::Unsigned)
    return equal + terms.integer_value(value).get_str() + (terms.width(value) > 32 ? "ULL" : "U");
  CNames none = [](Term) { return std::optional<CName>(); };
  std::optional<std::string> words = c_expression(terms, value, none);
  if (!words) return {};
  // The least number has no literal and is written as a difference.
  return equal + (words->find(' ') == std::string::npos ? *words : "(" + *words + ")");
}

/// `x == 5`, as it holds behind the declaration.
std::optional<std::string> Writer::open_value(Term value, const CVariable& variable) const {
  if (cfa_.terms().kind(value) == SortKind::Float)
    return c_float_constraint(variable.name, cfa_.terms().float_value(value));
  Term equal = cfa_.terms().make_eq(variable.term, value);
  return c_expression(cfa_.terms(), equal, [&](Term) {
    return std::optional(CName{variable.name, variable.bits, variable.sign});
  });
}

const std::map<Term, std::set<Term>>& Writer::elements_read(const CfaTrace& trace) {
  if (!read_) read_ = ElementReads(cfa_).of(trace);
  return *read_;
}

/// An assumption for each element that the run reads: an array may be long, and what is not read
/// does not matter. False if there are no words for it.
bool Writer::open_elements(const CVariable& variable, Term value, const CfaTrace& trace,
                           CWitness& witness) {
  constexpr std::size_t kMost = 1000;
  TermStore& terms = cfa_.terms();
  std::size_t bracket = variable.name.find("[]");
  auto read = elements_read(trace).find(variable.term);
  if (read == elements_read(trace).end()) return true;
  std::optional<std::size_t> token = places_.behind_declaration(variable);
  bool one = bracket != std::string::npos && bracket == variable.name.rfind("[]");
  if (!token || !one || read->second.size() > kMost) return false;
  CVariable element = variable;
  element.term = terms.fresh("element", terms.element_sort(terms.sort(variable.term)));
  std::vector<std::string> all;
  for (Term index : read->second) {
    element.name = variable.name.substr(0, bracket + 1) + terms.integer_value(index).get_str() +
                   variable.name.substr(bracket + 1);
    Term now = evaluate(terms, terms.make_select(value, index), {});
    std::optional<std::string> words = open_value(now, element);
    if (!words) return false;
    all.push_back(*words);
  }
  for (const std::string& words : all) waypoint("assumption", *token, words, "c_expression");
  witness.places += all.size();
  return true;
}

/// Values of variables that the edge leaves open and that are none of its inputs.
void Writer::open_waypoints(const CfaTrace& trace, std::size_t step, CWitness& witness) {
  EdgeId edge = trace.edges[step];
  const std::vector<Term>& after = trace.values[step + 1];
  std::vector<Term> inputs;
  for (const CInput& input : source_.inputs)
    if (input.edge == edge) inputs.push_back(input.variable);
  std::vector<Term> open;
  auto collect = [&](auto&& self, const Command& command) -> void {
    if (command.kind() == Command::Kind::Havoc) open.push_back(command.variable());
    for (const Command& part : command.parts()) self(self, part);
  };
  collect(collect, cfa_[edge].command);
  for (std::size_t i = 0; i < source_.variables.size(); ++i) {
    const CVariable& variable = source_.variables[i];
    bool is_open = std::find(open.begin(), open.end(), variable.term) != open.end();
    bool is_input = std::find(inputs.begin(), inputs.end(), variable.term) != inputs.end();
    if (!is_open || is_input || variable.origin == COrigin::Internal) continue;
    if (cfa_.terms().kind(variable.term) == SortKind::Array) {
      if (!open_elements(variable, after[i], trace, witness)) ++witness.lost;
      continue;
    }
    std::optional<std::size_t> token = places_.behind_declaration(variable);
    std::optional<std::string> words = open_value(after[i], variable);
    if (!token || !words) {
      ++witness.lost;
      continue;
    }
    waypoint("assumption", *token, *words, "c_expression");
    ++witness.places;
  }
}

Result<CWitness> Writer::violation(const CfaTrace& trace) {
  CWitness witness;
  std::optional<std::size_t> target = places_.error_statement(trace.edges.back());
  if (!target)
    return Error{{task_.file}, "the error has no place in the program's text", ErrorKind::Usage};
  std::map<EdgeId, std::vector<const CInput*>> inputs;
  for (const CInput& input : source_.inputs) inputs[input.edge].push_back(&input);
  std::string content;
  for (EdgeId edge : trace.edges) content += std::to_string(index(edge)) + ";";
  begin("violation_sequence", content);
  for (std::size_t i = 0; i < trace.edges.size(); ++i) {
    for (const CInput* input : inputs[trace.edges[i]]) {
      auto at = std::find(cfa_.variables().begin(), cfa_.variables().end(), input->variable);
      Term value = trace.values[i + 1][static_cast<std::size_t>(at - cfa_.variables().begin())];
      std::optional<std::size_t> token = places_.call_end(*input);
      std::string words = result_is(value, *input);
      if (!token || words.empty()) {
        ++witness.lost;
        continue;
      }
      waypoint("function_return", *token, words, "ext_c_expression");
      ++witness.places;
    }
    open_waypoints(trace, i, witness);
  }
  waypoint("target", *target, "", "");
  return end(std::move(witness));
}

}  // namespace

Result<CWitness> write_invariant_set(const Cfa& cfa, const CSource& source, const CMarks& marks,
                                     const ctext::CText& text, const check::Certified& certified,
                                     const CWitnessTask& task) {
  const auto& invariants = certificate_as<LocationInvariants>(certified.verdict());
  if (invariants.at.size() != cfa.locations().size())
    return Error{{task.file}, "invariants of another automaton", ErrorKind::Internal};
  return Writer(cfa, source, marks, text, task).invariants(invariants);
}

Result<CWitness> write_violation_sequence(const Cfa& cfa, const CSource& source,
                                          const CMarks& marks, const ctext::CText& text,
                                          const check::Certified& certified,
                                          const CWitnessTask& task) {
  const CfaTrace& trace = run_as<CfaTrace>(certified.verdict());
  if (text.tokens().empty())
    return Error{{task.file}, "the program has no text", ErrorKind::Internal};
  assert(!trace.edges.empty() && "a run takes an edge");
  return Writer(cfa, source, marks, text, task).violation(trace);
}

}  // namespace lem::writer
