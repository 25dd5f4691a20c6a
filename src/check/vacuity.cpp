#include "check/vacuity.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/time_box.h"
#include "check/cfa.h"
#include "check/circuit.h"
#include "check/steps.h"
#include "check/terms.h"
#include "model/format.h"
#include "smt/smt_solver.h"

namespace lem::check {

namespace {

constexpr const char* kNoRun = "no run satisfies the constraints";
constexpr const char* kNoStep = "no run satisfies the constraints beyond its first step";
constexpr const char* kNoWay = "no run gets past the assumptions";
constexpr const char* kNoVisit = "no run comes here";
constexpr const char* kNoPremise = "the premise of the property never holds";

// The number of induction steps for proving that the premise never holds. Most premises that never
// hold are excluded by the proof's invariant or by one step.
constexpr std::uint32_t kMaxInduction = 2;

// Runs of bits ------------------------------------------------------------------------------------

/// Whether there are `count` steps from reset that all keep the constraints.
sat::SatResult has_run(const Aig& aig, std::uint32_t count, const std::stop_token& stop) {
  const std::vector<AigLit> constraints(aig.constraints().begin(), aig.constraints().end());
  std::vector<Cone> cones(count);
  for (std::uint32_t step = count; step-- > 0;) {
    std::vector<AigLit> roots = constraints;
    for (std::uint32_t i = 0; step + 1 < count && i < aig.num_latches(); ++i)
      if (cones[step + 1][aig.latch(i).var()]) roots.push_back(aig.latches()[i].next);
    cones[step] = cone_of(aig, roots);
  }
  Circuit circuit;
  std::vector<AigLit> latches;
  for (const Latch& latch : aig.latches())
    latches.push_back(latch.reset == Reset::Free ? circuit.fresh()
                                                 : kAigFalse ^ (latch.reset == Reset::One));
  std::vector<AigLit> facts;
  for (std::uint32_t step = 0; step < count; ++step) {
    std::vector<AigLit> leaves;
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) leaves.push_back(circuit.fresh());
    leaves.insert(leaves.end(), latches.begin(), latches.end());
    Step now(circuit, aig, leaves, cones[step]);
    for (AigLit constraint : constraints) facts.push_back(now[constraint]);
    for (std::uint32_t i = 0; step + 1 < count && i < aig.num_latches(); ++i)
      if (cones[step + 1][aig.latch(i).var()]) latches[i] = now[aig.latches()[i].next];
  }
  Refutation refutation(circuit, stop);
  for (AigLit fact : facts) refutation.require(fact);
  return refutation.solve();
}

std::optional<std::string> no_run(const Aig& aig, const std::stop_token& stop) {
  if (aig.constraints().empty()) return {};
  if (has_run(aig, 2, stop) != sat::SatResult::Unsat) return {};
  return has_run(aig, 1, stop) == sat::SatResult::Unsat ? kNoRun : kNoStep;
}

// Runs of transition systems ----------------------------------------------------------------------

/// Every state has a value to start with or a free one, every step is possible, nothing is
/// constrained.
bool cannot_block(const TransitionSystem& system) {
  const TermStore& terms = system.terms();
  return terms.is_true(system.constraint()) && terms.is_true(system.init_relation()) &&
         terms.is_true(system.trans_relation());
}

std::optional<std::string> no_run(const TransitionSystem& system, const std::stop_token& stop) {
  if (cannot_block(system)) return {};
  Steps steps(system);
  auto solver = smt::make_z3(system.terms(), smt::Workload::Single, stop);
  solver->add(steps.at(system.init_formula(), 0));
  solver->add(steps.at(system.constraint(), 0));
  smt::Answer more = smt::Answer::Unknown;
  {
    smt::Scope scope(*solver);
    solver->add(steps.between(system.trans_formula(), 0));
    solver->add(steps.at(system.constraint(), 1));
    more = solver->solve();
  }
  if (more != smt::Answer::Unsat) return {};
  return solver->solve() == smt::Answer::Unsat ? kNoRun : kNoStep;
}

// Premises ----------------------------------------------------------------------------------------

/// Whether the premise is excluded at all steps: by what the proof says of every step, or by
/// induction with that as a lemma.
bool never_holds(const TransitionSystem& system, Term bad, Term premise, const TermInvariant& proof,
                 const std::stop_token& stop) {
  TermStore& terms = system.terms();
  Term good = terms.make_and(proof.invariant, terms.make_not(bad));
  Term known = terms.make_and(system.constraint(), good);
  Steps steps(system);
  auto unsat_with = [](smt::SmtSolver& solver, Term formula) {
    smt::Scope scope(solver);
    solver.add(formula);
    return solver.solve() == smt::Answer::Unsat;
  };
  auto base = smt::make_z3(terms, smt::Workload::Single, stop);
  auto step = smt::make_z3(terms, smt::Workload::Single, stop);
  base->add(steps.at(system.init_formula(), 0));
  for (std::uint32_t k = 0; k <= kMaxInduction; ++k) {
    Term here = steps.at(premise, k);
    if (k > 0) {
      Term move = steps.between(system.trans_formula(), k - 1);
      base->add(move);
      step->add(move);
    }
    base->add(steps.at(known, k));
    step->add(steps.at(known, k));
    if (unsat_with(*step, here)) return true;
    if (!unsat_with(*base, here)) return false;
    step->add(terms.make_not(here));
  }
  return false;
}

// Runs of programs --------------------------------------------------------------------------------

/// A condition under which the command can be executed; false if there is no simple one.
Term enabled(TermStore& terms, const Command& command) {
  switch (command.kind()) {
    case Command::Kind::Assume:
      return command.guard();
    case Command::Kind::Assign:
    case Command::Kind::Havoc:
      return terms.boolean(true);
    case Command::Kind::Choice:
      return terms.boolean(false);
    case Command::Kind::Sequence:
      break;
  }
  Term out = terms.boolean(true);
  for (std::size_t i = 0; i < command.parts().size(); ++i) {
    Term part = enabled(terms, command.parts()[i]);
    if (i == 0)
      out = part;
    else if (!terms.is_true(part))
      return terms.boolean(false);
  }
  return out;
}

/// Every location that has edges always has one to take: nothing is assumed.
bool cannot_block(const Cfa& cfa) {
  TermStore& terms = cfa.terms();
  for (std::uint32_t i = 0; i < cfa.locations().size(); ++i) {
    Term some = terms.boolean(cfa.out(LocationId{i}).empty());
    for (EdgeId edge : cfa.out(LocationId{i}))
      some = terms.make_or(some, enabled(terms, cfa[edge].command));
    if (!terms.is_true(some)) return false;
  }
  return true;
}

bool on_a_loop(const Cfa& cfa, LocationId start) {
  std::vector<bool> seen(cfa.locations().size());
  std::vector<LocationId> todo{start};
  while (!todo.empty()) {
    LocationId here = todo.back();
    todo.pop_back();
    for (EdgeId edge : cfa.out(here)) {
      LocationId to = cfa[edge].to;
      if (to == start) return true;
      if (seen[index(to)]) continue;
      seen[index(to)] = true;
      todo.push_back(to);
    }
  }
  return false;
}

/// A run that assumptions do not cut off ends where no edge leaves, or goes around a loop for ever,
/// and every loop has a location with a claim. That no run comes to such a place is a claim of the
/// same kind; before the first loop it needs no invariant.
std::optional<LocationInvariants> no_end(const Cfa& cfa, const LocationInvariants& proof) {
  LocationInvariants claim = proof;
  for (std::uint32_t i = 0; i < claim.at.size(); ++i) {
    LocationId at{i};
    if (at == cfa.error()) continue;
    // The proof says that no run comes there, as at the errors of properties proved with this one.
    bool never = claim.at[i] && cfa.terms().is_false(claim.at[i]);
    bool last = !never && (cfa.out(at).empty() || (claim.at[i] && on_a_loop(cfa, at)));
    if (at == cfa.initial() && last) return {};
    if (at != cfa.initial()) claim.at[i] = last ? cfa.terms().boolean(false) : Term();
  }
  return claim;
}

}  // namespace

/// The properties of one joint proof differ in their errors alone, to which no run comes.
std::optional<std::string> Vacuity::no_way(const Cfa& cfa, const LocationInvariants& proof,
                                           const std::stop_token& stop) {
  std::optional<LocationInvariants> claim = no_end(cfa, proof);
  if (!claim) return {};
  LocationInvariants ends = *claim;
  ends.at[index(cfa.error())] = Term();
  if (!asked_ || !(asked_->ends == ends)) {
    bool cut_off = check_invariants(cfa, *claim, stop).holds == TermHolds::Yes;
    asked_ = {std::move(ends), cut_off};
  }
  return asked_->cut_off ? std::optional<std::string>(kNoWay) : std::nullopt;
}

/// Whether an assertion says in so many words that no run comes to it: its proof says that, too.
static bool is_never(std::string_view text) {
  auto skip = [&](std::string_view what) {
    text.remove_prefix(std::min(text.find_first_not_of(what), text.size()));
  };
  skip("( ");
  if (text.starts_with("!\"")) return true;
  for (std::string_view word : {"0", "false"}) {
    if (!text.starts_with(word)) continue;
    text.remove_prefix(word.size());
    skip(" )");
    bool alone = text.empty() || text.starts_with(",") || text.starts_with("&&");
    return alone && text.find("||") == std::string_view::npos;
  }
  return false;
}

/// Calls of reach_error are there for no run to come to them.
std::optional<std::string> Vacuity::no_visit(const Problem& original,
                                             const LocationInvariants& proof,
                                             const std::stop_token& stop) {
  const CSource* c = original.source.c.get();
  const CProperty* about = c == nullptr ? nullptr : c->about(original.property().name);
  if (about == nullptr || about->rule == CRule::ErrorCall || about->rule == CRule::Unreachable)
    return {};
  if (about->rule == CRule::Assertion && is_never(about->text)) return kNoVisit;
  const Cfa& cfa = original.cfa();
  std::vector<LocationId> places = deciding_places(cfa, cfa.error());
  if (places.empty() || proof.at.size() != cfa.locations().size()) return {};
  bool never = places_.of(cfa, proof, places, stop) == Reach::Never;
  return never ? std::optional<std::string>(kNoVisit) : std::nullopt;
}

std::optional<std::string> Vacuity::of(const Problem& original, const Certificate& certificate,
                                       Term premise, Budget budget, const std::stop_token& stop) {
  if (!facts_of(original.source.format).assumes) return {};
  if (original.is_bits() && original.aig().constraints().empty()) return {};
  if (original.is_terms() && cannot_block(original.system()) && !premise) return {};
  bool blocks = original.is_program() && !cannot_block(original.cfa());
  if (original.is_program() && !blocks && original.source.c == nullptr) return {};
  if (original.property().is_justice()) return {};
  TimeBox box(stop, budget);
  if (!box.limited()) return {};
  if (const auto* claim = std::get_if<LocationInvariants>(&certificate)) {
    std::optional<std::string> why;
    if (blocks) why = no_way(original.cfa(), *claim, box.token());
    return why ? why : no_visit(original, *claim, box.token());
  }
  if (!runs_) {
    runs_ = original.is_bits() ? no_run(original.aig(), box.token())
                               : no_run(original.system(), box.token());
  }
  if (*runs_ || !premise) return *runs_;
  const auto* proof = std::get_if<TermInvariant>(&certificate);
  if (proof == nullptr) return {};
  bool never =
      never_holds(original.system(), original.property().bad_term(), premise, *proof, box.token());
  return never ? std::optional<std::string>(kNoPremise) : std::nullopt;
}

}  // namespace lem::check
