#include "portfolio/members.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace lem::portfolio {

static std::span<const MemberRow> rows_for_bits(const Aig& aig) {
  if (aig.num_latches() == 0) return kCombinationalMembers;
  return kSequentialMembers;
}

static std::span<const MemberRow> rows_for_program(const Cfa& cfa) {
  auto is_word = [&](Term variable) {
    SortKind kind = cfa.terms().kind(variable);
    return kind == SortKind::BitVec || kind == SortKind::Bool;
  };
  if (std::all_of(cfa.variables().begin(), cfa.variables().end(), is_word))
    return kWordProgramMembers;
  return kProgramMembers;
}

static std::span<const MemberRow> rows_for(const Problem& problem,
                                           const transform::Pipeline* bits) {
  if (problem.is_bits()) return rows_for_bits(problem.aig());
  if (problem.is_program()) return rows_for_program(problem.cfa());
  if (bits == nullptr) return kTermMembers;
  return kBitVectorMembers;
}

std::vector<Member> members_for(const Problem& problem, const transform::Pipeline* bits) {
  std::vector<Member> members;
  for (const MemberRow& row : rows_for(problem, bits)) {
    const EngineInfo* engine = find_engine(row.engine);
    assert(engine != nullptr && "a portfolio names an engine that does not exist");
    const transform::Pipeline* prepared = row.rung == Rung::Bits ? bits : nullptr;
    members.push_back({engine, std::string(row.settings), row.turn_ms, row.rung, prepared});
  }
  return members;
}

}  // namespace lem::portfolio
