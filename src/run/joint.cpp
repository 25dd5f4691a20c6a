#include "run/joint.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <utility>

#include "term/traverse.h"

namespace lem::run {

namespace {

/// The same variables with the same numbers; more gates may follow.
AigBuilder copy_of(const Aig& aig) {
  AigBuilder builder;
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) builder.add_input();
  for (const Latch& latch : aig.latches()) builder.add_latch(latch.reset);
  for (const AndGate& gate : aig.ands()) builder.raw_and(gate.left, gate.right);
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    builder.set_next(aig.latch(i), aig.latches()[i].next);
  for (AigLit constraint : aig.constraints()) builder.add_constraint(constraint);
  return builder;
}

std::string joint_name(std::size_t members) {
  return std::to_string(members) + " properties";
}

Problem join_bits(const Problem& problem, std::span<const std::size_t> members,
                  std::span<const Proved> proved) {
  AigBuilder builder = copy_of(problem.aig());
  AigLit any = kAigFalse;
  for (std::size_t member : members) any = builder.or_gate(any, problem.properties[member].bad());
  for (const Proved& known : proved)
    builder.add_constraint(!problem.properties[known.property].bad());
  SourceMap source = problem.source;
  source.file_var.clear();  // the new gates are in no file
  return {std::move(builder).freeze(), {{joint_name(members.size()), any}}, std::move(source)};
}

TransitionSystem constrained(const Problem& problem, std::span<const Proved> proved) {
  const TransitionSystem& system = problem.system();
  TransitionSystemBuilder builder(system.store());
  for (const StateVar& state : system.states()) {
    builder.add_state(state.current, state.next);
    if (state.init != Term{}) builder.set_init(state.current, state.init);
    if (state.update != Term{}) builder.set_update(state.current, state.update);
  }
  for (Term input : system.inputs()) builder.add_input(input);
  builder.add_init(system.init_relation());
  builder.add_trans(system.trans_relation());
  builder.add_constraint(system.constraint());
  for (const Proved& known : proved)
    builder.add_constraint(system.terms().make_not(problem.properties[known.property].bad_term()));
  Result<TransitionSystem> result = std::move(builder).freeze();
  assert(result && "a valid system with one more constraint is valid");
  return *std::move(result);
}

Problem join_terms(const Problem& problem, std::span<const std::size_t> members,
                   std::span<const Proved> proved) {
  std::vector<Term> any;
  for (std::size_t member : members) any.push_back(problem.properties[member].bad_term());
  Term bad = problem.system().terms().make_or(any);
  return {constrained(problem, proved), {{joint_name(members.size()), bad}}, problem.source};
}

Problem join_program(const Problem& problem, std::span<const std::size_t> members) {
  const Cfa& cfa = problem.cfa();
  CfaBuilder builder(cfa.store());
  for (Term variable : cfa.variables()) builder.add_variable(variable);
  for (const Location& one : cfa.locations()) builder.add_location(one.name, one.line);
  LocationId any = builder.add_location("error");
  std::set<LocationId> errors;
  for (std::size_t member : members) errors.insert(error_of(problem, member));
  for (const CfaEdge& one : cfa.edges())
    builder.add_edge(one.from, one.command, errors.contains(one.to) ? any : one.to, one.line);
  builder.set_initial(errors.contains(cfa.initial()) ? any : cfa.initial());
  builder.set_error(any);
  Result<Cfa> made = std::move(builder).freeze();
  assert(made && "a valid automaton with one more location is valid");
  SourceMap source;  // of no program: its runs are confirmed for each member
  source.file = problem.source.file;
  source.format = problem.source.format;
  return {*std::move(made), {{joint_name(members.size()), ErrorLocation{}}}, std::move(source)};
}

Problem join(const Problem& problem, std::span<const std::size_t> members,
             std::span<const Proved> proved, Joint::Form form) {
  assert(!members.empty());
  if (form == Joint::Form::Several) {
    assert(!problem.is_program() && "an automaton has one error location");
    Problem some{problem.is_bits() ? join_bits(problem, {}, proved)
                                   : join_terms(problem, {}, proved)};
    some.properties.clear();
    for (std::size_t member : members) some.properties.push_back(problem.properties[member]);
    return some;
  }
  if (members.size() == 1 && proved.empty()) return focus(problem, members.front());
  if (problem.is_program()) return join_program(problem, members);
  return problem.is_bits() ? join_bits(problem, members, proved)
                           : join_terms(problem, members, proved);
}

/// Values of all variables at the last step of a trace.
std::vector<bool> last_values(const Aig& aig, const Trace& trace) {
  std::vector<bool> state = trace.initial;
  std::vector<bool> value(aig.num_vars());
  auto of = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
  for (std::size_t step = 0; step < trace.inputs.size(); ++step) {
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
      value[aig.input(i).var()] = trace.inputs[step][i];
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) value[aig.latch(i).var()] = state[i];
    for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
      value[var] = of(aig.gate_of(var).left) && of(aig.gate_of(var).right);
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) state[i] = of(aig.latches()[i].next);
  }
  return value;
}

/// Every state and input at the last step of a trace.
TermMap last_values(const TransitionSystem& system, const TermTrace& trace) {
  const TermTrace::Step& last = trace.steps.back();
  TermMap values;
  for (std::size_t i = 0; i < system.states().size(); ++i)
    values.emplace(system.states()[i].current, last.states[i]);
  for (std::size_t i = 0; i < system.inputs().size(); ++i)
    values.emplace(system.inputs()[i], last.inputs[i]);
  return values;
}

}  // namespace

bool is_inductive(const Certificate& certificate) {
  Rung about = rung_of(certificate);
  return (about == Rung::Bits || about == Rung::Terms) && !is_live(certificate) &&
         induction_depth(certificate).value_or(1) == 1;
}

Joint::Joint(const Problem& problem, std::vector<std::size_t> members, std::vector<Proved> proved,
             Form form)
    : original_(problem),
      members_(std::move(members)),
      proved_(std::move(proved)),
      form_(form),
      joint_(join(problem, members_, proved_, form)) {}

/// The gates that join the members are conjunctions of "member does not fail", true wherever no
/// member fails: clauses that contain one say nothing, and its complement adds nothing to a clause.
static void remove_new_gates(std::vector<SignalClause>& clauses, const Aig& original) {
  auto is_new = [&](AigLit lit) { return lit.var() >= original.num_vars(); };
  auto holds = [&](AigLit lit) { return is_new(lit) && !lit.negative(); };
  std::erase_if(clauses, [&](const SignalClause& clause) {
    return std::any_of(clause.begin(), clause.end(), holds);
  });
  for (SignalClause& clause : clauses) std::erase_if(clause, is_new);
}

void Joint::add_proved(std::vector<SignalClause>& clauses) const {
  std::set<SignalClause> known(clauses.begin(), clauses.end());
  auto add = [&](const SignalClause& clause) {
    if (known.insert(clause).second) clauses.push_back(clause);
  };
  for (const Proved& proved : proved_) {
    add({!original_.properties[proved.property].bad()});
    for (const SignalClause& clause : clauses_of(proved.certificate)) add(clause);
  }
}

std::optional<Found> Joint::back(Found found) const {
  assert(!found.properties.empty() && !is_unknown(found.verdict) &&
         "a finding is a definite verdict about something");
  if (auto* safe = std::get_if<Safe>(&found.verdict))
    if (!is_plain()) std::visit([&](auto& proof) { carry(proof); }, safe->certificate);
  if (form_ == Form::Several) {
    for (std::size_t& property : found.properties) property = members_[property];
    return found;
  }
  const Run* run = run_of(found.verdict);
  found.properties = run == nullptr ? members_ : violated(*run);
  if (found.properties.empty()) return {};  // a run that ends nowhere: not worth a claim
  return found;
}

void Joint::carry_clauses(std::vector<SignalClause>& clauses) const {
  remove_new_gates(clauses, original_.aig());
  add_proved(clauses);
}

void Joint::carry(TermInvariant& joint) const {
  TermStore& terms = original_.system().terms();
  std::vector<Term> all{joint.invariant};
  for (const Proved& proved : proved_) {
    all.push_back(terms.make_not(original_.properties[proved.property].bad_term()));
    all.push_back(std::get<TermInvariant>(proved.certificate).invariant);
  }
  joint.invariant = terms.make_and(all);
}

void Joint::carry(LocationInvariants& joint) const {
  std::size_t locations = original_.cfa().locations().size();
  joint.at.resize(locations);
  if (!joint.rounds.empty()) joint.rounds.resize(locations);
  for (std::size_t member : members_)
    joint.at[index(error_of(original_, member))] = original_.cfa().terms().boolean(false);
}

std::function<bool(std::size_t)> Joint::at_end(const Trace& run) const {
  return [this, value = last_values(original_.aig(), run)](std::size_t property) {
    AigLit bad = original_.properties[property].bad();
    return value[bad.var()] != bad.negative();
  };
}

std::function<bool(std::size_t)> Joint::at_end(const TermTrace& run) const {
  return [this, values = last_values(original_.system(), run)](std::size_t property) {
    TermStore& terms = original_.system().terms();
    return terms.is_true(evaluate(terms, original_.properties[property].bad_term(), values));
  };
}

std::function<bool(std::size_t)> Joint::at_end(const CfaTrace& run) const {
  const Cfa& cfa = original_.cfa();
  LocationId reached = run.edges.empty() ? cfa.initial() : cfa[run.edges.back()].to;
  return [this, reached](std::size_t property) { return error_of(original_, property) == reached; };
}

/// A Horn system has one property: nothing is joined.
std::function<bool(std::size_t)> Joint::at_end(const Derivation& /*run*/) const {
  return [](std::size_t) { return true; };
}

std::vector<std::size_t> Joint::violated(const Run& run) const {
  if (is_plain()) return members_;
  std::function<bool(std::size_t)> fails =
      std::visit([&](const auto& one) { return at_end(one); }, run);
  std::vector<std::size_t> found;
  std::copy_if(members_.begin(), members_.end(), std::back_inserter(found), fails);
  return found;
}

}  // namespace lem::run
