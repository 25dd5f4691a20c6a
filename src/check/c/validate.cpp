// Witnesses of C programs against the program (validate.h, witness_file.h).
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "base/assert.h"
#include "base/sha256.h"
#include "base/try.h"
#include "check/c/confirm.h"
#include "check/c/parse.h"
#include "check/c/witness_file.h"
#include "check/cfa.h"
#include "check/validate.h"

namespace lem::check {

namespace {

Error rejected(const SourcePos& at, const std::string& why) {
  return {at, why, ErrorKind::Internal};
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// What the one property says in the words of the competition, without blanks.
constexpr std::string_view kUnreachCall = "CHECK(init(main()),LTL(G!call(reach_error())))";

/// The program's text, if the witness is about this program and its property.
Result<ctext::CText> text_for(const Problem& program, const std::string& path,
                              const WitnessEntry& entry) {
  if (program.source.c == nullptr)
    return Error{{path}, "the model has no C source", ErrorKind::Usage};
  Result<ctext::CText> text = ctext::CText::read(program.source.file);
  if (!text) return text;
  if (sha256(text->text()) != entry.file_hash.text)
    return rejected(entry.file_hash.at, "the witness is about another file: its hash differs");
  if (file_name(entry.file_name.text) != file_name(program.source.file))
    return rejected(entry.file_name.at,
                    "the witness is about another file: " + entry.file_name.text);
  const char* model = program.source.c->pointer_bits == 64 ? "LP64" : "ILP32";
  if (entry.data_model.text != model)
    return rejected(entry.data_model.at,
                    "the witness is about another data model: " + entry.data_model.text);
  std::string property = entry.specification.text;
  std::erase_if(property, [](unsigned char c) { return std::isspace(c) != 0; });
  if (property != kUnreachCall)
    return rejected(entry.specification.at,
                    "the witness is about another property: " + entry.specification.text);
  std::vector<const WitnessText*> files;
  for (const WitnessInvariant& one : entry.invariants) files.push_back(&one.location.file);
  for (const Waypoint& one : entry.waypoints) files.push_back(&one.location.file);
  for (const WitnessText* file : files)
    if (file->text != entry.file_name.text)
      return Error{file->at, "'" + file->text + "' is none of the input files"};
  return text;
}

CNumbers numbers_of(const Cfa& cfa) {
  for (Term variable : cfa.variables())
    if (cfa.terms().kind(variable) == SortKind::Int) return CNumbers::Whole;
  return CNumbers::Bits;
}

/// The claims of a witness by place.
struct ClaimsOfText {
  std::vector<Term> heads;  // by location; null: nothing
  std::vector<PointClaim> points;
};

class ClaimReader {
 public:
  ClaimReader(const Problem& program, const ctext::CPlaces& places)
      : program_(program), cfa_(program.cfa()), places_(places) {
    out_.heads.resize(cfa_.locations().size());
  }

  Result<ClaimsOfText> read(const std::vector<WitnessInvariant>& invariants) {
    for (const WitnessInvariant& one : invariants) LEM_TRY(add(one));
    return std::move(out_);
  }

 private:
  Status add(const WitnessInvariant& one);
  Result<Term> claim(const WitnessInvariant& one, const ctext::CPlace& place,
                     std::uint32_t frame) const;
  void claim_at(LocationId head, Term claim) {
    Term& all = out_.heads[index(head)];
    all = all ? cfa_.terms().make_and(all, claim) : claim;
  }
  bool is_at_end(const ctext::CEntry& entry) const {
    return entry.command == std::max<std::size_t>(cfa_[entry.edge].command.parts().size(), 1);
  }
  /// The head of a loop that control is at if and only if it comes to the statement at the end of
  /// an edge.
  std::optional<LocationId> head_of(const std::vector<ctext::CEntry>& entries,
                                    const ctext::CEntry& one) const;

  const Problem& program_;
  const Cfa& cfa_;
  const ctext::CPlaces& places_;
  ClaimsOfText out_;
};

Result<Term> ClaimReader::claim(const WitnessInvariant& one, const ctext::CPlace& place,
                                std::uint32_t frame) const {
  CScope scope = [&](std::string_view name) { return places_.variable(name, frame, place); };
  Result<Term> claim = parse_condition(cfa_.terms(), one.value.text, scope,
                                       program_.source.c->pointer_bits, numbers_of(cfa_));
  if (!claim) return Error{one.value.at, "'" + one.value.text + "': " + claim.error().message};
  return claim;
}

std::optional<LocationId> ClaimReader::head_of(const std::vector<ctext::CEntry>& entries,
                                               const ctext::CEntry& one) const {
  LocationId to = cfa_[one.edge].to;
  const std::vector<LocationId>& heads = places_.loop_heads();
  if (!std::binary_search(heads.begin(), heads.end(), to)) return {};
  for (EdgeId in : cfa_.in(to)) {
    auto comes = [&](const ctext::CEntry& each) {
      return each.edge == in && each.frame == one.frame && is_at_end(each);
    };
    if (std::none_of(entries.begin(), entries.end(), comes)) return {};
  }
  return to;
}

Status ClaimReader::add(const WitnessInvariant& one) {
  LEM_LET(ctext::CPlace place, place_of(places_, one.location, one.kind));
  std::set<std::uint32_t> done;  // calls in which the loop has a head
  if (one.kind == ctext::CPlace::Kind::Loop)
    for (LocationId head : places_.loop_heads()) {
      if (places_.place(head) != place) continue;
      LEM_LET(Term here, claim(one, place, places_.frame(head)));
      claim_at(head, here);
      done.insert(places_.frame(head));
    }
  std::vector<ctext::CEntry> entries = places_.entries(place.token);
  if (entries.empty() && done.empty())
    return Error{one.location.at, "the program as it is analysed is never at this place"};
  for (const ctext::CEntry& entry : entries) {
    if (done.contains(entry.frame)) continue;
    LEM_LET(Term here, claim(one, place, entry.frame));
    // A claim at the head of a loop may be assumed when the loop continues.
    std::optional<LocationId> head = is_at_end(entry) ? head_of(entries, entry) : std::nullopt;
    if (head)
      claim_at(*head, here);
    else
      out_.points.push_back({entry.edge, entry.command, here});
  }
  return Ok{};
}

/// The claims at heads of loops, which alone may be assumed.
LocationInvariants invariants_of(const Cfa& cfa, const std::vector<LocationId>& heads,
                                 const std::vector<Term>& at) {
  TermStore& terms = cfa.terms();
  LocationInvariants out{at};
  for (LocationId head : heads)
    if (!out.at[index(head)]) out.at[index(head)] = terms.boolean(true);
  out.at[index(cfa.initial())] = terms.boolean(true);
  out.at[index(cfa.error())] = terms.boolean(false);
  return out;
}

}  // namespace

Result<Accepted> validate_c_certificate(const Problem& program, const CMarks& marks,
                                        const std::string& path, const std::string& text,
                                        const EvidenceTask& task) {
  LEM_LET(WitnessEntry entry, read_witness(path, text, WitnessKind::InvariantSet));
  LEM_LET(ctext::CText source, text_for(program, path, entry));
  ctext::CPlaces places(program.cfa(), *program.source.c, marks, source);
  LEM_LET(ClaimsOfText claims, ClaimReader(program, places).read(entry.invariants));
  TermFinding finding = check_invariants_of_text(program.cfa(), places.loop_heads(), claims.heads,
                                                 claims.points, task.stop);
  LocationInvariants contents = invariants_of(program.cfa(), places.loop_heads(), claims.heads);
  // A proof without invariants is one by unwinding (docs/formats.md).
  if (finding.holds == TermHolds::No && entry.invariants.empty()) {
    finding = check_unwinding(program.cfa(), task.stop);
    contents.rounds.resize(program.cfa().locations().size());
  }
  switch (finding.holds) {
    case TermHolds::Yes:
      return Accepted{{0}, std::move(contents)};
    case TermHolds::No:
      return rejected({path}, finding.failed + " does not suffice");
    case TermHolds::Undecided:
    case TermHolds::Stopped:
      return rejected({path}, finding.failed + " cannot be decided");
  }
  unreachable();
}

Result<Accepted> validate_c_witness(const Problem& program, const CMarks& marks,
                                    const std::string& path, const std::string& text,
                                    const EvidenceTask& task) {
  const std::stop_token& stop = task.stop;
  LEM_LET(WitnessEntry entry, read_witness(path, text, WitnessKind::ViolationSequence));
  LEM_LET(ctext::CText source, text_for(program, path, entry));
  const CSource& c = *program.source.c;
  ctext::CPlaces places(program.cfa(), c, marks, source);
  Result<WitnessRun> found_run = run_of(program.cfa(), c, places, entry.waypoints, stop);
  if (!found_run) return found_run.error();
  if (!found_run->undecided.empty()) return Accepted{{}, {}, found_run->undecided};
  const CfaTrace* run = &found_run->trace;
  if (auto wrong = replay(program.cfa(), *run, stop)) return rejected({path}, *wrong);
  using Outcome = Confirmation::Outcome;
  const CProperty* about = c.about(program.property().name);
  Confirmation found =
      confirm(program.cfa(), c, *run, program.source.file, task.native, stop, about);
  if (found.outcome != Outcome::Ran && found.outcome != Outcome::Replayed)
    return rejected({path}, "natively the error is not reached: " + found.why);
  return Accepted{{0}, Run(std::move(found_run->trace))};
}

}  // namespace lem::check
