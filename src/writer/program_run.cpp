#include "writer/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

#include "ctext/compiler.h"
#include "ctext/entry_calls.h"
#include "writer/infix.h"

namespace lem::writer {

namespace {

/// 'a' for 97, where C has a name for it.
std::string character(const mpz_class& number) {
  static constexpr std::pair<int, const char*> kEscapes[] = {
      {0, "'\\0'"}, {9, "'\\t'"}, {10, "'\\n'"}, {13, "'\\r'"}, {39, "'\\''"}, {92, "'\\\\'"}};
  for (const auto& [code, text] : kEscapes)
    if (number == code) return text;
  if (number < 32 || number > 126) return {};
  return std::string("'") + static_cast<char>(number.get_si()) + "'";
}

}  // namespace

std::string program_name(const Problem& program, std::size_t i) {
  const Cfa& cfa = program.cfa();
  if (program.source.c == nullptr) return cfa.terms().name(cfa.variables()[i]);
  const CVariable& variable = program.source.c->variables[i];
  if (variable.origin == COrigin::Internal) return {};
  return variable.function.empty() ? variable.name : variable.function + "::" + variable.name;
}

/// The entries that differ from the rest, and the rest.
static std::string array_value(const Problem& program, std::size_t i, Term value) {
  const TermStore& terms = program.cfa().terms();
  std::string out;
  for (; terms.op(value) == Op::Store; value = terms.arg(value, 0)) {
    std::string index = infix_text(terms, terms.arg(value, 1));
    out = '[' + index + "] = " + program_value(program, i, terms.arg(value, 2)) + ", " + out;
  }
  if (terms.op(value) != Op::ConstArray) return out + infix_text(terms, value);
  return out + (out.empty() ? "all " : "rest ") + program_value(program, i, terms.arg(value, 0));
}

/// C's numbers: in two's complement where the type is signed; enumerators and letters by name.
std::string program_value(const Problem& program, std::size_t i, Term value) {
  const TermStore& terms = program.cfa().terms();
  const CSource* c = program.source.c.get();
  if (terms.kind(value) == SortKind::Array) return array_value(program, i, value);
  bool number = terms.kind(value) == SortKind::BitVec || terms.kind(value) == SortKind::Int;
  if (!number || c == nullptr) return infix_text(terms, value);
  const CVariable& variable = c->variables[i];
  mpz_class as_signed =
      terms.kind(value) == SortKind::Int ? terms.integer_value(value) : terms.signed_value(value);
  if (variable.enumerators != nullptr && as_signed.fits_slong_p()) {
    auto found = variable.enumerators->find(as_signed.get_si());
    if (found != variable.enumerators->end()) return found->second;
  }
  mpz_class shown = variable.sign == CSign::Signed ? as_signed : terms.integer_value(value);
  std::string letter = variable.character ? character(shown) : std::string();
  return letter.empty() ? shown.get_str() : letter;
}

namespace {

/// The arguments of main, which are bytes from outside, as strings of C.
class ArgumentStrings {
 public:
  /// Whether the input is one of these.
  bool take(const CInput& input, const mpz_class& value) {
    std::string_view name = input.function;
    if (!name.starts_with(ctext::kArgumentBytes)) return false;
    name.remove_prefix(std::string_view(ctext::kArgumentBytes).size());
    text_[std::stoul(std::string(name))].push_back(static_cast<char>(value.get_si()));
    return true;
  }
  void show(RunRow& row) const {
    for (const auto& [i, bytes] : text_) {
      std::string shown;
      for (char byte : bytes.substr(0, bytes.find('\0'))) {
        std::string letter = character(byte);
        shown += byte == '"'      ? "\\\""
                 : byte == '\''   ? "'"
                 : letter.empty() ? fmt::format("\\{:03o}", static_cast<unsigned char>(byte))
                                  : letter.substr(1, letter.size() - 2);
      }
      row.inputs.emplace_back(ctext::kArgumentBytes);
      row.read.emplace_back();
      row.given.push_back(fmt::format("argv[{}] = \"{}\"", i, shown));
    }
  }

 private:
  std::map<std::size_t, std::string> text_;
};

/// Bytes of arguments are collected in `strings`. Returns whether there were any.
bool note_inputs(const Problem& program, const CfaTrace& trace, std::size_t step,
                 ArgumentStrings& strings, RunRow& row) {
  if (program.source.c == nullptr) return false;
  const Cfa& cfa = program.cfa();
  EdgeId edge = trace.edges[step - 1];
  const std::vector<Term>& after = trace.values[step];
  bool bytes = false;
  for (const CInput& input : program.source.c->inputs) {
    if (input.edge != edge) continue;
    auto at = std::find(cfa.variables().begin(), cfa.variables().end(), input.variable);
    assert(at != cfa.variables().end() && "inputs are variables of the automaton");
    auto i = static_cast<std::size_t>(at - cfa.variables().begin());
    if (cfa.terms().kind(after[i]) == SortKind::BitVec &&
        strings.take(input, cfa.terms().signed_value(after[i]))) {
      bytes = true;
      continue;
    }
    std::string name = program_name(program, i);
    const TermStore& terms = cfa.terms();
    std::string value = program_value(program, i, after[i]);
    bool of_entry = input.function.ends_with(ctext::kEntryInput);
    if (of_entry && !name.empty()) {  // a value that the caller has: it needs no source
      if (after[i] == trace.values[step - 1][i]) row.changed.emplace_back(name, value);
      continue;
    }
    row.inputs.push_back(input.function);
    if (name.empty() && input.sign == CSign::Unsigned && terms.kind(after[i]) == SortKind::BitVec)
      value = terms.integer_value(after[i]).get_str();
    std::string given = input.function == ctext::kArgumentCount
                            ? value + (value == "1" ? " argument" : " arguments")
                        : of_entry ? "an argument = " + value
                                   : input.function + "() = " + value;
    row.given.push_back(name.empty() ? given : "");
    row.read.push_back(name);
  }
  return bytes;
}

/// What the edge assigns for certain, and what had the value before.
void note_kept(const Problem& program, EdgeId edge, const CfaTrace& trace, std::size_t step,
               RunRow& row) {
  const Cfa& cfa = program.cfa();
  const Command& command = cfa[edge].command;
  if (command.kind() == Command::Kind::Choice) return;
  for (Term variable : assigned(command)) {
    auto at = std::find(cfa.variables().begin(), cfa.variables().end(), variable);
    if (at == cfa.variables().end()) continue;
    auto i = static_cast<std::size_t>(at - cfa.variables().begin());
    if (trace.values[step][i] != trace.values[step - 1][i]) continue;
    if (std::string name = program_name(program, i); !name.empty())
      row.kept.emplace_back(name, program_value(program, i, trace.values[step][i]));
  }
}

/// The calls that the commands of the edge are in; inlining makes copies of a line for each.
void note_calls(const Problem& program, EdgeId edge, RunRow& row) {
  const CSource* c = program.source.c.get();
  if (c == nullptr || c->marks == nullptr || index(edge) >= c->marks->edges.size()) return;
  const std::vector<CFrame>& frames = c->marks->frames;
  std::uint32_t frame = 0;
  row.elsewhere = row.line != 0;
  for (const CMark& mark : c->marks->edges[index(edge)]) {
    frame = mark.line != 0 || frame == 0 ? mark.frame : frame;
    if (mark.line != 0) row.elsewhere = false;
    if (mark.file != 0) row.file = c->marks->files[mark.file - 1];
    if (mark.line == row.line && row.column == 0) row.column = mark.column;
  }
  if (!row.elsewhere) row.file.clear();
  for (; frame != 0 && frame < frames.size(); frame = frames[frame].parent)
    row.calls.insert(row.calls.begin(), frames[frame].line);
}

}  // namespace

std::vector<RunRow> rows_of(const Problem& program, const CfaTrace& trace) {
  const Cfa& cfa = program.cfa();
  std::vector<RunRow> rows;
  ArgumentStrings strings;
  std::size_t with_strings = trace.values.size();  // the first step that has bytes of them
  for (std::size_t step = 0; step < trace.values.size(); ++step) {
    RunRow& row = rows.emplace_back();
    row.to = cfa[cfa.initial()].name;
    if (step > 0) {
      const CfaEdge& edge = cfa[trace.edges[step - 1]];
      row = {edge.line, cfa[edge.from].name, cfa[edge.to].name, {}, {}, {}};
      if (note_inputs(program, trace, step, strings, row))
        with_strings = std::min(with_strings, step);
      note_calls(program, trace.edges[step - 1], row);
      row.edges = {trace.edges[step - 1]};
      note_kept(program, trace.edges[step - 1], trace, step, row);
    }
    for (std::size_t i = 0; i < cfa.variables().size(); ++i) {
      bool changed = step == 0 || trace.values[step][i] != trace.values[step - 1][i];
      std::string name = changed ? program_name(program, i) : std::string();
      if (!name.empty())
        row.changed.emplace_back(name, program_value(program, i, trace.values[step][i]));
    }
  }
  if (with_strings < rows.size()) strings.show(rows[with_strings]);
  return rows;
}

std::vector<InvariantRow> rows_of(const Problem& program, const LocationInvariants& invariants) {
  const Cfa& cfa = program.cfa();
  std::vector<InvariantRow> rows;
  for (std::size_t i = 0; i < invariants.at.size(); ++i) {
    if (!invariants.at[i] || cfa.terms().is_true(invariants.at[i])) continue;
    const Location& location = cfa.locations()[i];
    rows.push_back({location.name, location.line, infix_text(cfa.terms(), invariants.at[i])});
  }
  return rows;
}

std::vector<UnwoundRow> unwound_rows(const Problem& program, const LocationInvariants& proof) {
  std::vector<UnwoundRow> rows;
  for (std::size_t i = 0; i < proof.rounds.size(); ++i) {
    if (proof.rounds[i] == 0) continue;
    const Location& location = program.cfa().locations()[i];
    rows.push_back({location.name, location.line, proof.rounds[i]});
  }
  return rows;
}

}  // namespace lem::writer
