#include "run/members.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace lem::run {

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

static std::span<const MemberRow> rows_for(const Problem& problem, Bits bits) {
  if (problem.has_justice())
    return bits == Bits::Yes ? std::span<const MemberRow>(kLiveMembers) : kLiveTermMembers;
  if (problem.is_bits()) return rows_for_bits(problem.aig());
  if (problem.is_program()) return rows_for_program(problem.cfa());
  if (problem.is_horn()) return kHornMembers;
  return bits == Bits::Yes ? std::span<const MemberRow>(kBitVectorMembers) : kTermMembers;
}

/// A PLC program has no last cycle, so a proof of bmc unwinds none of its loops: it holds no
/// invariant that Structured Text could show. The other members prove such properties as fast.
static bool suits(const MemberRow& row, const Problem& problem) {
  bool unwinds = row.engine == "bmc" && !row.rung && problem.is_program();
  return !unwinds || problem.source.st == nullptr;
}

Options member_options(const Member& member, const Options& base) {
  Options options = base;
  if (member.chosen) return options;
  std::vector<OptionRow> known = base.rows();
  for (const OptionRow& row : member.engine->options) {
    bool declared = std::any_of(known.begin(), known.end(),
                                [&](const OptionRow& other) { return other.name == row.name; });
    if (!declared) options.declare(std::span(&row, 1));
  }
  [[maybe_unused]] Status suits = options.set_all(member.engine->settings);
  assert(suits.ok() && "an engine names options that do not exist");
  [[maybe_unused]] Status set = options.set_all(member.settings);
  assert(set.ok() && "a member of `auto` names options that do not exist");
  return options;
}

std::vector<Member> members_for(const Problem& problem, Bits bits) {
  std::vector<Member> members;
  for (const MemberRow& row : rows_for(problem, bits)) {
    if (!suits(row, problem)) continue;
    const engine::EngineInfo* engine = engine::find_engine(row.engine);
    assert(engine != nullptr && "`auto` names an engine that does not exist");
    members.push_back({engine, std::string(row.settings), row.turn_ms, row.rung, false,
                       row.live.empty() ? nullptr : find_live(row.live)});
  }
  return members;
}

}  // namespace lem::run
