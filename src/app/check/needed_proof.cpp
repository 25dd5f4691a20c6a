#include "app/check/needed_proof.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/fork.h"
#include "base/time_box.h"
#include "explain/proofs.h"

namespace lem::app {

namespace {

using Seconds = NeededProofs::Seconds;
using Clock = std::chrono::steady_clock;

// What a solver may need to notice that its time is over.
constexpr std::chrono::milliseconds kGrace{500};
// With less time than this a copy of the process is not worth its start.
constexpr Seconds kLeast{0.02};

/// The lemmas of a certificate by number, as src/explain counts them.
struct Lemmas {
  std::size_t count = 0;  // of the certificate; the property may be one more
  std::function<Result<explain::Subset>(const std::stop_token&)> search;
  std::function<Certificate(const std::vector<std::size_t>&)> with;  // these lemmas only
};

std::vector<bool> chosen(std::size_t count, const std::vector<std::size_t>& numbers) {
  std::vector<bool> out(count);
  for (std::size_t number : numbers)
    if (number < count) out[number] = true;
  return out;
}

/// Of an inductive or a k-inductive set of clauses.
template <class Clauses>
Lemmas bit_lemmas(const Problem& problem, std::size_t property, const Clauses& claim) {
  Lemmas out;
  out.count = claim.clauses.size();
  out.search = [&problem, property, &claim](const std::stop_token& stop) {
    return explain::needed_lemmas(
        explain::proof_of(problem.aig(), problem.properties[property].bad(), claim), stop);
  };
  out.with = [&claim](const std::vector<std::size_t>& numbers) -> Certificate {
    Clauses made = claim;
    made.clauses.clear();
    for (std::size_t number : numbers)
      if (number < claim.clauses.size()) made.clauses.push_back(claim.clauses[number]);
    return made;
  };
  return out;
}

Lemmas lemmas_of(const Problem& problem, std::size_t property, const InductiveInvariant& claim) {
  return bit_lemmas(problem, property, claim);
}

Lemmas lemmas_of(const Problem& problem, std::size_t property, const KInductive& claim) {
  return bit_lemmas(problem, property, claim);
}

Lemmas lemmas_of(const Problem& problem, std::size_t property, const TermInvariant& claim) {
  const TransitionSystem& system = problem.system();
  std::vector<Term> lemmas = explain::lemmas_of(system.terms(), claim);
  Lemmas out;
  out.count = lemmas.size();
  out.search = [&, property, lemmas](const std::stop_token& stop) {
    return explain::needed_lemmas(system, problem.properties[property].bad_term(), claim, lemmas,
                                  stop);
  };
  out.with = [&, lemmas](const std::vector<std::size_t>& numbers) -> Certificate {
    std::vector<Term> kept;
    for (std::size_t number : numbers) kept.push_back(lemmas[number]);
    return TermInvariant{system.terms().make_and(kept), claim.k, claim.simple_path};
  };
  return out;
}

/// A proof about a product: its lemmas are not about the model alone.
Lemmas lemmas_of(const Problem& /*problem*/, std::size_t /*property*/, const LiveProof& /*claim*/) {
  return {};
}
Lemmas lemmas_of(const Problem& /*problem*/, std::size_t /*property*/,
                 const TermLiveProof& /*claim*/) {
  return {};
}

Lemmas lemmas_of(const Problem& problem, std::size_t property, const LocationInvariants& claim) {
  Lemmas out;
  if (!claim.rounds.empty()) return out;  // loops are unwound: there is no induction to look at
  std::vector<explain::LocationLemma> lemmas = explain::lemmas_of(problem.cfa(), claim);
  out.count = lemmas.size();
  out.search = [&problem, property, &claim, lemmas](const std::stop_token& stop) {
    return explain::needed_lemmas(focus(problem, property).cfa(), claim, lemmas, stop);
  };
  out.with = [&problem, &claim, lemmas](const std::vector<std::size_t>& numbers) -> Certificate {
    std::vector<explain::LocationLemma> kept;
    for (std::size_t number : numbers) kept.push_back(lemmas[number]);
    return explain::claim_of(problem.cfa(), claim, kept);
  };
  return out;
}

/// Which lemmas about predicates are needed is not looked for.
Lemmas lemmas_of(const Problem& /*problem*/, std::size_t /*property*/,
                 const Interpretation& /*claim*/) {
  return {};
}

std::string message_of(const explain::Subset& subset) {
  std::ostringstream out;
  out << subset.minimal;
  for (std::size_t lemma : subset.needed) out << ' ' << lemma;
  out << " .";  // the whole message is there
  return std::move(out).str();
}

std::optional<explain::Subset> subset_of(const std::string& message) {
  if (!message.ends_with(" .")) return {};
  std::istringstream in(message.substr(0, message.size() - 2));
  explain::Subset out;
  in >> out.minimal;
  for (std::size_t lemma = 0; in >> lemma;) out.needed.push_back(lemma);
  return out;
}

std::optional<explain::Subset> search_apart(const Lemmas& lemmas, Seconds limit) {
  Forked copy = fork_with_pipe([&](int write_end) {
    TimeBox box({}, limit);
    Result<explain::Subset> found = lemmas.search(box.token());
    if (found) write_all(write_end, message_of(*found));
  });
  std::optional<std::string> message =
      copy.read_all({}, std::chrono::duration_cast<std::chrono::milliseconds>(limit) + kGrace);
  return message ? subset_of(*message) : std::nullopt;
}

}  // namespace

NeededProofs::NeededProofs(const Problem& problem, Seconds limit)
    : problem_(problem), end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(limit)) {}

std::optional<writer::ProofParts> NeededProofs::divide(const writer::PropertyResult& result) {
  auto named = [&](const Property& one) { return one.name == result.property; };
  auto at = std::find_if(problem_.properties.begin(), problem_.properties.end(), named);
  if (at == problem_.properties.end()) return {};
  auto property = static_cast<std::size_t>(at - problem_.properties.begin());
  Lemmas lemmas =
      std::visit([&](const auto& claim) { return lemmas_of(problem_, property, claim); },
                 *certificate_of(result.outcome.verdict()));
  if (lemmas.count == 0) return {};
  Seconds left = end_ - Clock::now();
  std::optional<explain::Subset> subset;
  if (left >= kLeast) subset = search_apart(lemmas, left);
  std::vector<bool> needed(lemmas.count, true);
  if (subset) needed = chosen(lemmas.count, subset->needed);
  std::vector<std::size_t> kept;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < lemmas.count; ++i) (needed[i] ? kept : others).push_back(i);
  Certificate rest = lemmas.with(others);
  // What holds at the start is no lemma; it is shown once, with the others.
  if (auto* claim = std::get_if<LocationInvariants>(&rest))
    claim->at[index(problem_.cfa().initial())] = {};
  return writer::ProofParts{lemmas.with(kept), std::move(rest), subset && subset->minimal};
}

}  // namespace lem::app
