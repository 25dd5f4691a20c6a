#include "check/files/claims.h"

#include "check/terms.h"

namespace lem::check {

// About 8 GB of circuit and clauses: a comment must not be able to exhaust memory.
static constexpr std::uint64_t kMostUnrolledSignals = std::uint64_t{1} << 26;

std::optional<std::string> implausible(std::uint64_t k, SimplePath simple_path,
                                       std::uint64_t signals, std::uint64_t states) {
  if (k > kMostInductionSteps)
    return "k=" + std::to_string(k) + " is more than " + std::to_string(kMostInductionSteps);
  std::uint64_t pairs = simple_path == SimplePath::Yes ? k * (k + 1) / 2 : 0;
  if (k * signals > kMostUnrolledSignals || pairs * states > kMostUnrolledSignals)
    return "k=" + std::to_string(k) + " needs too much memory";
  return std::nullopt;
}

Status judge_certificate(const Problem& model, std::size_t property, const std::string& path,
                         const TermInvariant& claim, std::stop_token stop) {
  const Property& about = model.properties[property];
  TermFinding finding = check_safety(model.system(), about.bad_term(), claim.invariant, stop);
  if (finding.holds == TermHolds::Yes)
    finding = check_induction(model.system(), about.bad_term(), claim, stop);
  if (finding.holds == TermHolds::Yes) return Ok{};
  std::string why = finding.failed +
                    (finding.holds == TermHolds::No ? " fails" : " was not decided by the solvers");
  return Error{{path, 0, 0},
               "the certificate for property '" + about.name + "' is rejected: " + why,
               ErrorKind::Internal};
}

Status check_kind(const Property& property, const std::string& path, Judges judges) {
  bool fits = judges == Judges::Both || property.is_justice() == (judges == Judges::Justice);
  if (fits) return Ok{};
  std::string kind = property.is_justice() ? "a justice property" : "no justice property";
  return Error{{path},
               "the evidence says nothing about '" + property.name + "', which is " + kind,
               ErrorKind::Internal};
}

Result<Accepted> judge_properties(const Problem& model, const std::string& path,
                                  std::optional<std::size_t> named, const EvidenceTask& task,
                                  const std::function<Status(std::size_t)>& judge_one,
                                  Judges judges) {
  const std::vector<Property>& all = model.properties;
  auto judge = [&](std::size_t index) -> Status {
    Status fits = check_kind(all[index], path, judges);
    return fits ? judge_one(index) : fits;
  };
  auto refuse = [&](std::string why) { return Error{{path}, std::move(why), ErrorKind::Internal}; };
  if (named && task.property && *named != *task.property)
    return refuse("the evidence is about property '" + all[*named].name + "', not '" +
                  all[*task.property].name + "'");
  if (!named) named = task.property;
  if (!named && all.size() == 1) named = 0;
  if (named) {
    if (Status status = judge(*named); !status) return status.error();
    return Accepted{{*named}};
  }
  Accepted accepted;
  std::string reasons;
  for (std::size_t i = 0; i < all.size() && !task.stop.stop_requested(); ++i) {
    Status status = judge(i);
    if (status.ok())
      accepted.properties.push_back(i);
    else if (status.error().kind != ErrorKind::Internal)
      return status.error();
    else if (reasons.empty())
      reasons = status.error().message;
  }
  if (!accepted.properties.empty()) return accepted;
  return refuse("the evidence names no property and proves none of the model's " +
                std::to_string(all.size()) + ": " + reasons);
}

}  // namespace lem::check
