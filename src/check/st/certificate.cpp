// Proofs about PLC programs, as the front end read them. Tests: tests/cli/st_test.py.
#include "check/cfa.h"
#include "check/files/claims.h"
#include "check/validate.h"
#include "model/st/loops.h"
#include "model/st/source.h"

namespace lem::check {

Result<Accepted> validate_st_certificate(const Problem& model, const std::string& path,
                                         const std::string& property, const EvidenceTask& task) {
  assert(model.source.st != nullptr && "the model is a PLC program");
  const StSource& source = *model.source.st;
  std::optional<std::size_t> named;
  for (std::size_t i = 0; i < model.properties.size(); ++i)
    if (property == model.properties[i].name) named = i;
  if (!named) return Error{{path, 1, 1}, "the program has no property '" + property + "'"};
  TermStore& terms = model.cfa().terms();
  std::vector<LocationId> loops = st_loops(model.cfa(), source.head);
  LocationInvariants claim;
  claim.at.resize(model.cfa().locations().size());
  claim.at[index(source.head)] = terms.boolean(true);
  for (LocationId loop : loops) claim.at[index(loop)] = terms.boolean(true);
  for (const StClaim& one : source.claims) {
    if (one.loop > loops.size())
      return Error{{path, 1, 1}, "the program has no loop " + std::to_string(one.loop)};
    Term& at = claim.at[index(one.loop == 0 ? source.head : loops[one.loop - 1])];
    at = terms.make_and(at, one.holds);
  }
  claim.at[index(model.cfa().initial())] = terms.boolean(true);
  auto judge = [&](std::size_t i) -> Status {
    Problem original = focus(model, i);
    LocationInvariants own = claim;
    own.at[index(original.cfa().error())] = terms.boolean(false);
    TermFinding found = check_invariants(original.cfa(), own, task.stop);
    if (found.holds == TermHolds::Yes) return Ok{};
    std::string why = found.holds == TermHolds::No ? found.failed + " fails" : "undecided";
    return Error{
        {path},
        "the certificate for property '" + original.property().name + "' is rejected: " + why,
        ErrorKind::Internal};
  };
  Result<Accepted> accepted = judge_properties(model, path, named, task, judge);
  if (!accepted) return accepted;
  claim.at[index(error_of(model, accepted->properties.front()))] = terms.boolean(false);
  accepted->contents = std::move(claim);
  return accepted;
}

}  // namespace lem::check
