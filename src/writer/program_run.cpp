#include "writer/program_run.h"

#include "writer/infix.h"

namespace lem::writer {

namespace {

/// The user's name of variable i; "" for those that are none of the user's.
std::string name_of(const Problem& program, std::size_t i) {
  const Cfa& cfa = program.cfa();
  if (program.source.c == nullptr) return cfa.terms().name(cfa.variables()[i]);
  const CVariable& variable = program.source.c->variables[i];
  if (variable.origin == COrigin::Internal) return {};
  return variable.function.empty() ? variable.name : variable.function + "::" + variable.name;
}

/// C's numbers: in two's complement where the type is signed.
std::string value_text(const Problem& program, std::size_t i, Term value) {
  const TermStore& terms = program.cfa().terms();
  const CSource* c = program.source.c.get();
  bool word = terms.kind(value) == SortKind::BitVec;
  if (word && c != nullptr)
    return (c->variables[i].sign == CSign::Signed ? terms.signed_value(value)
                                                  : terms.integer_value(value))
        .get_str();
  return infix_text(terms, value);
}

void note_inputs(const Problem& program, EdgeId edge, RunRow& row) {
  if (program.source.c == nullptr) return;
  for (const CInput& input : program.source.c->inputs)
    if (input.edge == edge) row.inputs.push_back(input.function);
}

}  // namespace

std::vector<RunRow> rows_of(const Problem& program, const CfaTrace& trace) {
  const Cfa& cfa = program.cfa();
  std::vector<RunRow> rows;
  for (std::size_t step = 0; step < trace.values.size(); ++step) {
    RunRow& row = rows.emplace_back();
    row.to = cfa[cfa.initial()].name;
    if (step > 0) {
      const CfaEdge& edge = cfa[trace.edges[step - 1]];
      row = {edge.line, cfa[edge.from].name, cfa[edge.to].name, {}, {}};
      note_inputs(program, trace.edges[step - 1], row);
    }
    for (std::size_t i = 0; i < cfa.variables().size(); ++i) {
      bool changed = step == 0 || trace.values[step][i] != trace.values[step - 1][i];
      std::string name = changed ? name_of(program, i) : std::string();
      if (!name.empty())
        row.changed.emplace_back(name, value_text(program, i, trace.values[step][i]));
    }
  }
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

}  // namespace lem::writer
