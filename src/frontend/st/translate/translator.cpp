#include "frontend/st/translate/translator.h"

#include "base/try.h"
#include "frontend/st/parser.h"
#include "term/traverse.h"

namespace lem::st {

Result<StProgram> Translator::run(const std::string& file) {
  Result<const PouInfo*> chosen = choose_entry(context_.program, context_.options.entry);
  if (!chosen) {
    Error error = chosen.error();
    error.at.file = file;
    return error;
  }
  context_.entry = *chosen;
  LEM_TRY(environment_.make_variables());
  LEM_TRY(requirements_.read());
  LocationId start = cfa_.new_location("start"), ready = cfa_.new_location("ready");
  head_ = cfa_.new_location("cycle");
  cfa_.builder().set_initial(start);
  cfa_.continue_at(start);
  LEM_TRY(environment_.set_initial_values());
  cfa_.go_to(ready);
  cfa_.continue_at(head_);
  LEM_TRY(begin_cycle());
  LEM_TRY(calls_.run_body(context_.entry_frame, context_.entry->pou->name.at));
  LEM_TRY(end_cycle());
  cfa_.continue_at(ready);
  InFrame inside(context_, context_.entry_frame);
  LEM_TRY(requirements_.at_start());
  cfa_.go_to(head_);
  return finished(file);
}

Status Translator::begin_cycle() {
  LEM_TRY(environment_.begin_cycle());
  InFrame inside(context_, context_.entry_frame);
  for (const std::string& text : context_.options.assumptions) {
    LEM_LET(ExprPtr expr, parse_expression(text, {"--assume", 1, 1}, context_.warnings));
    LEM_LET(Term holds, expressions_.boolean(*expr));
    cfa_.restrict(holds);
  }
  LEM_TRY(requirements_.at_begin_of_cycle());
  LocationId begin = cfa_.source().cycle_begin = cfa_.new_location("begin");
  cfa_.jump(begin);
  return Ok{};
}

Status Translator::end_cycle() {
  LocationId end = cfa_.source().cycle_end = cfa_.new_location("end of cycle");
  cfa_.jump(end);
  cfa_.set_line(0);
  InFrame inside(context_, context_.entry_frame);
  LEM_TRY(requirements_.at_end_of_cycle());
  cfa_.go_to(head_);
  return Ok{};
}

/// A line of a proof, at the head of a cycle; `variables` is the number of those before all lines.
Status Translator::read_claim(const StClaimText& one, std::size_t variables) {
  TermStore& t = cfa_.terms();
  Error calls_something{one.at, "an invariant calls nothing and leaves nothing open"};
  auto index_of = [&](Term variable) {
    std::size_t i = 0;
    while (cfa_.source().variables[i].term != variable) ++i;
    return i;
  };
  LEM_LET(ExprPtr expr, parse_expression(one.condition, one.at, context_.warnings));
  LEM_LET(Term holds, expressions_.boolean(*expr));
  // Values that were put aside are put back; whatever else happens is no part of an invariant.
  for (std::vector<Command> aside = cfa_.take_pending(); !aside.empty(); aside.pop_back()) {
    const Command& last = aside.back();
    if (last.kind() != Command::Kind::Assign || index_of(last.variable()) < variables)
      return calls_something;
    holds = substitute(t, holds, {{last.variable(), last.value()}});
  }
  if (cfa_.at() != head_) return calls_something;
  cfa_.source().claims.push_back({one.loop, holds});
  return Ok{};
}

Status Translator::read_claims() {
  if (context_.options.claims.empty()) return Ok{};
  TermStore& t = cfa_.terms();
  std::size_t variables = cfa_.source().variables.size();
  for (std::size_t i = 0; i < variables; ++i) {
    const StVariable& one = cfa_.source().variables[i];
    const Type* own = one.type;
    for (const char* key : {"bool", "byte", "word", "dword", "lword"})
      if (const Type* like = context_.elementary(key);
          own == nullptr && expressions_.types.sort_of(*like) == t.sort(one.term))
        own = like;
    if (own != nullptr && t.kind(one.term) != SortKind::Array)
      expressions_.places.add_numbered(i, Storage{own, one.term});
  }
  cfa_.continue_at(head_);
  for (const StClaimText& one : context_.options.claims) LEM_TRY(read_claim(one, variables));
  return Ok{};
}

Result<StProgram> Translator::finished(const std::string& file) {
  std::deque<StProperty>& properties = expressions_.properties.all();
  if (properties.empty()) return Error{{file}, kNothingToCheck, ErrorKind::Usage};
  LEM_TRY(read_claims());
  cfa_.builder().set_error(properties[0].error);
  Result<Cfa> cfa = std::move(cfa_.builder()).freeze();
  if (!cfa) return Error{{file}, cfa.error().message, ErrorKind::Internal};
  StSource& source = cfa_.source();
  source.program = program_;
  source.entry = context_.entry->pou->name.text;
  source.head = head_;
  source.properties = {properties.begin(), properties.end()};
  return StProgram{*std::move(cfa), cfa_.shared_source()};
}

}  // namespace lem::st
