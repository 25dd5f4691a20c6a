// Witnesses of C programs against the program (validate.h, c_witness_file.h).
#include <fmt/format.h>

#include "base/assert.h"
#include "check/c_native.h"
#include "check/c_parse.h"
#include "check/c_witness_file.h"
#include "check/cfa.h"
#include "check/validate.h"
#include "model/sha256.h"

namespace lem {

namespace {

using check::WitnessEntry;
using check::WitnessInvariant;

Error rejected(const std::string& path, const std::string& why) {
  return {{path}, why, ErrorKind::Internal};
}

/// The program's text, when the witness is about it.
Result<CText> text_for(const Problem& program, const std::string& path, const WitnessEntry& entry) {
  if (program.source.c == nullptr)
    return Error{{path}, "the model has no C source", ErrorKind::Usage};
  Result<CText> text = CText::read(program.source.file);
  if (!text) return text;
  if (sha256(text->text()) != entry.file_hash)
    return rejected(path, "the witness is about another file: its hash differs");
  const char* model = program.source.c->pointer_bits == 64 ? "LP64" : "ILP32";
  if (entry.data_model != model)
    return rejected(path, "the witness is about another data model: " + entry.data_model);
  return text;
}

check::CNumbers numbers_of(const Cfa& cfa) {
  for (Term variable : cfa.variables())
    if (cfa.terms().kind(variable) == SortKind::Int) return check::CNumbers::Whole;
  return check::CNumbers::Bits;
}

/// The invariants at the locations that are at their places.
Result<std::vector<Term>> claims(const Problem& program, const CPlaces& places,
                                 const std::vector<WitnessInvariant>& invariants,
                                 const std::string& path) {
  const Cfa& cfa = program.cfa();
  std::vector<Term> at(cfa.locations().size());
  for (const WitnessInvariant& one : invariants) {
    std::optional<CPlace> place = places.at(one.kind, one.row, one.column);
    auto here = [&](const std::string& what) {
      return rejected(path, fmt::format("invariant at {}:{}: {}", one.row, one.column, what));
    };
    if (!place) return here("no such place in the program");
    for (LocationId id : places.loop_heads()) {
      if (places.place(id) != place) continue;
      check::CScope scope = [&](std::string_view name) {
        return places.variable(name, id, *place);
      };
      Result<Term> claim = check::parse_condition(cfa.terms(), one.value, scope,
                                                  program.source.c->pointer_bits, numbers_of(cfa));
      if (!claim) return here(claim.error().message);
      Term& all = at[index(id)];
      all = all ? cfa.terms().make_and(all, *claim) : *claim;
    }
  }
  return at;
}

}  // namespace

Status validate_c_certificate(const Problem& program, const std::string& path,
                              const std::string& text, std::stop_token stop) {
  Result<WitnessEntry> entry = check::read_witness(path, text, check::WitnessKind::InvariantSet);
  if (!entry) return entry.error();
  Result<CText> source = text_for(program, path, *entry);
  if (!source) return source.error();
  CPlaces places(program.cfa(), *program.source.c, *source);
  Result<std::vector<Term>> at = claims(program, places, entry->invariants, path);
  if (!at) return at.error();
  check::TermFinding finding =
      check::check_loop_invariants(program.cfa(), places.loop_heads(), *at, stop);
  switch (finding.holds) {
    case check::TermHolds::Yes:
      return Ok{};
    case check::TermHolds::No:
      return rejected(path, finding.failed + " does not suffice");
    case check::TermHolds::Undecided:
    case check::TermHolds::Stopped:
      return rejected(path, finding.failed + " cannot be decided");
  }
  unreachable();
}

Status validate_c_witness(const Problem& program, const std::string& path, const std::string& text,
                          std::stop_token stop) {
  Result<WitnessEntry> entry =
      check::read_witness(path, text, check::WitnessKind::ViolationSequence);
  if (!entry) return entry.error();
  Result<CText> source = text_for(program, path, *entry);
  if (!source) return source.error();
  const CSource& c = *program.source.c;
  Result<CfaTrace> run = check::run_of(program.cfa(), c, *source, entry->waypoints);
  if (!run) return rejected(path, run.error().message);
  if (auto wrong = check::replay(program.cfa(), *run, stop)) return rejected(path, *wrong);
  check::NativeRun native =
      check::run_natively(program.cfa(), c, *run, program.source.file, {}, stop);
  if (native.outcome != check::NativeRun::Outcome::Reached)
    return rejected(path, "natively the error is not reached: " + native.reason);
  return Ok{};
}

}  // namespace lem
