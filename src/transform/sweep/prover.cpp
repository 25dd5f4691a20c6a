#include "transform/sweep/prover.h"

#include <array>
#include <utility>

namespace lem {

namespace {

constexpr std::uint64_t kSeed = 0x1e33a7a5eedULL;
constexpr SimWord kFirstLane = 1;

std::vector<std::uint32_t> candidates(const Aig& aig, SweepScope scope) {
  std::vector<std::uint32_t> vars;
  for (std::uint32_t var = 1; var < aig.num_vars(); ++var)
    if (scope == SweepScope::AllSignals || aig.is_latch(var)) vars.push_back(var);
  return vars;
}

}  // namespace

SweepProver::SweepProver(const Aig& aig, SweepScope scope, SweepLimits limits)
    : aig_(aig),
      scope_(scope),
      limits_(std::move(limits)),
      random_(kSeed),
      simulation_(aig),
      classes_(guess()),
      awake_(aig.num_vars(), false),
      awake_constraint_(aig.constraints().size(), false) {}

bool SweepProver::out_of_time() const {
  return limits_.stop.stop_requested() || std::chrono::steady_clock::now() >= limits_.deadline;
}

/// Classes by random simulation from reset. Runs that a constraint cuts off start again.
Classes SweepProver::guess() {
  constexpr std::uint32_t kFrames = 48;
  constexpr std::uint32_t kWords = 4;
  simulation_.randomize_inputs(random_);
  simulation_.reset_latches(random_, ~SimWord{0});
  simulation_.evaluate();
  Classes classes(aig_.num_vars(), candidates(aig_, scope_), simulation_.words());
  for (std::uint32_t word = 0; word < kWords; ++word) {
    simulation_.reset_latches(random_, ~SimWord{0});
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
      simulation_.randomize_inputs(random_);
      simulation_.evaluate();
      classes.refine(simulation_.words(), ~SimWord{0});
      if (classes.num_members() == 0 || out_of_time()) break;
      SimWord cut_off = ~simulation_.allowed();
      simulation_.step();
      if (cut_off != 0) simulation_.reset_latches(random_, cut_off);
    }
  }
  // Inputs may represent others but are equal to nothing themselves.
  for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
    if (classes.is_member(1 + i)) classes.isolate(1 + i);
  return classes;
}

/// Refutes inductiveness cheaply: random states that satisfy the latch equalities, one step on.
void SweepProver::falsify_by_random_states() {
  constexpr int kPatience = 6;
  for (int quiet = 0; quiet < kPatience && classes_.num_members() > 0 && !out_of_time();) {
    std::uint64_t before = classes_.version();
    simulation_.randomize_inputs(random_);
    for (std::uint32_t var = aig_.first_latch(); var < aig_.first_and(); ++var)
      simulation_[var] =
          classes_.is_member(var) ? simulation_.of(classes_.representative(var)) : random_.next();
    simulation_.evaluate();
    SimWord allowed = simulation_.allowed();
    simulation_.step();
    classes_.refine(simulation_.words(), allowed);
    quiet = classes_.version() == before ? quiet + 1 : 0;
  }
}

std::optional<Substitution> SweepProver::prove() {
  if (scope_ == SweepScope::Latches) falsify_by_random_states();
  // Refinement keeps the base case: a part of a class that is equal at reset is equal at reset.
  if (!prove_case(InductionCase::Base) || !prove_case(InductionCase::Step)) return std::nullopt;
  auto proved = classes_.representatives();
  return Substitution(proved.begin(), proved.end());
}

bool SweepProver::prove_case(InductionCase which) {
  for (std::uint64_t round = 0; classes_.num_members() > 0; ++round) {
    if (round == limits_.rounds) return false;
    std::uint64_t before = classes_.version();
    if (!run_round(which)) return false;
    if (classes_.version() == before) return true;
  }
  return !out_of_time();
}

bool SweepProver::run_round(InductionCase which) {
  if (out_of_time()) return false;
  ++counts_.rounds;
  case_ = which;
  round_version_ = classes_.version();
  speculated_.assign(classes_.representatives().begin(), classes_.representatives().end());
  miters_ = make_miters(aig_, speculated_, which, scope_);
  load(Extent::Awake);
  for (const Miter& goal : miters_.goals) {
    if (out_of_time()) return false;
    ask(goal);
  }
  return true;
}

/// The clauses of the round: the cones of the goals and of the assumptions, all or those awake.
/// Others come along where they are over these cones anyway.
void SweepProver::load(Extent extent) {
  extent_ = extent;
  solver_ = std::make_unique<sat::Cdcl>();
  solver_->set_stop(limits_.stop);
  solver_->limit_conflicts(limits_.conflicts);
  sat_var_.assign(miters_.graph.num_vars(), kNotLoaded);
  std::vector<std::uint32_t> gates = number_variables();
  std::vector<std::vector<sat::Var>> dependencies(solver_->num_vars());
  for (std::uint32_t var : gates) {
    auto [left, right] = miters_.graph.gate_of(var);
    dependencies[sat_var_[var]] = {sat_var_[left.var()], sat_var_[right.var()]};
  }
  solver_->set_dependencies(std::make_shared<const sat::Dependencies>(std::move(dependencies)));
  add_clauses(gates);
}

/// Gives solver variables to the constant and the cones; returns the gates in ascending order.
std::vector<std::uint32_t> SweepProver::number_variables() {
  std::vector<std::uint32_t> pending(1, 0);
  for (const Miter& goal : miters_.goals)
    pending.insert(pending.end(), {goal.left.var(), goal.right.var()});
  for (const Miter& equality : miters_.assumed)
    if (extent_ == Extent::Everything || awake_[equality.var])
      pending.insert(pending.end(), {equality.left.var(), equality.right.var()});
  for (std::size_t i = 0; i < miters_.constraints.size(); ++i)
    if (extent_ == Extent::Everything || awake_constraint_[i])
      pending.push_back(miters_.constraints[i].var());
  while (!pending.empty()) {
    std::uint32_t var = pending.back();
    pending.pop_back();
    if (sat_var_[var] != kNotLoaded) continue;
    sat_var_[var] = 0;  // marked; numbered below, so that the order is the graph's
    if (!miters_.graph.is_and(var)) continue;
    pending.push_back(miters_.graph.gate_of(var).left.var());
    pending.push_back(miters_.graph.gate_of(var).right.var());
  }
  std::vector<std::uint32_t> gates;
  for (std::uint32_t var = 0; var < miters_.graph.num_vars(); ++var) {
    if (sat_var_[var] == kNotLoaded) continue;
    sat_var_[var] = solver_->new_var();
    if (miters_.graph.is_and(var)) gates.push_back(var);
  }
  return gates;
}

void SweepProver::add_clauses(std::span<const std::uint32_t> gates) {
  auto add = [&](std::initializer_list<sat::Lit> clause) {
    solver_->add_clause(std::span(clause.begin(), clause.size()));
  };
  add({to_sat(kAigTrue)});
  for (std::uint32_t var : gates) {
    sat::Lit gate = to_sat(AigLit(var, false));
    sat::Lit left = to_sat(miters_.graph.gate_of(var).left);
    sat::Lit right = to_sat(miters_.graph.gate_of(var).right);
    add({!gate, left});
    add({!gate, right});
    add({gate, !left, !right});
  }
  for (const Miter& equality : miters_.assumed) {
    if (!is_loaded(equality.left) || !is_loaded(equality.right)) continue;
    add({to_sat(equality.left), !to_sat(equality.right)});
    add({!to_sat(equality.left), to_sat(equality.right)});
    if (!awake_[equality.var]) continue;
    solver_->always(to_sat(equality.left).var());
    solver_->always(to_sat(equality.right).var());
  }
  for (std::size_t i = 0; i < miters_.constraints.size(); ++i) {
    if (!is_loaded(miters_.constraints[i])) continue;
    add({to_sat(miters_.constraints[i])});
    if (awake_constraint_[i]) solver_->always(to_sat(miters_.constraints[i]).var());
  }
}

/// Is the goal's equality implied? If not, the counterexample refines the classes; without an
/// answer the candidate is given up.
void SweepProver::ask(const Miter& goal) {
  constexpr int kRetries = 24;
  auto still_believed = [&] { return classes_.representative(goal.var) == speculated_[goal.var]; };
  int retries = 0;
  for (bool sign : {false, true}) {
    while (still_believed()) {
      ++counts_.queries;
      std::array assumptions{to_sat(goal.left ^ sign), to_sat(!goal.right ^ sign)};
      sat::SatResult answer = solver_->solve_confined(assumptions, {});
      if (answer == sat::SatResult::Unsat) break;
      Cex cex = answer == sat::SatResult::Sat ? learn_from_model() : Cex::Stuck;
      if (cex == Cex::Refines) return;
      if (cex == Cex::Stuck || ++retries > kRetries) {
        ++counts_.abandoned;
        if (still_believed()) classes_.isolate(goal.var);
        return;
      }
      ++counts_.wakes;
      if (extent_ != Extent::Everything) load(Extent::Everything);
    }
  }
}

/// Lane 0 follows the model, unassigned inputs at random; the upper half also strays from it.
void SweepProver::fill_lanes(AigLit lit, SimWord& word) {
  constexpr SimWord kStraying = 0xffffffff00000000ULL;
  sat::Truth value = is_loaded(lit) ? solver_->model(to_sat(lit)) : sat::Truth::Unassigned;
  switch (value) {
    case sat::Truth::Unassigned:
      word = random_.next();
      return;
    case sat::Truth::False:
      word = 0;
      break;
    case sat::Truth::True:
      word = ~SimWord{0};
      break;
  }
  word ^= random_.next() & random_.next() & random_.next() & kStraying;
}

/// The lanes whose first step breaks an assumption.
SimWord SweepProver::refuted_lanes() {
  SimWord refuted = ~simulation_.allowed();
  for (const Miter& equality : miters_.assumed)
    refuted |= simulation_[equality.var] ^ simulation_.of(speculated_[equality.var]);
  return refuted;
}

/// Makes confined queries respect what lane 0 violates; false if they all do already.
bool SweepProver::wake_violated() {
  bool woken = false;
  for (const Miter& equality : miters_.assumed) {
    SimWord differs = simulation_[equality.var] ^ simulation_.of(speculated_[equality.var]);
    if ((differs & kFirstLane) == 0 || awake_[equality.var]) continue;
    woken = awake_[equality.var] = true;
    if (extent_ != Extent::Everything) continue;
    solver_->always(to_sat(equality.left).var());
    solver_->always(to_sat(equality.right).var());
  }
  for (std::size_t i = 0; i < miters_.constraints.size(); ++i) {
    bool holds = (simulation_.of(aig_.constraints()[i]) & kFirstLane) != 0;
    if (holds || awake_constraint_[i]) continue;
    woken = awake_constraint_[i] = true;
    if (extent_ == Extent::Everything) solver_->always(to_sat(miters_.constraints[i]).var());
  }
  return woken;
}

/// The classes just refined hold in the present step of every lane, so it is the first step of
/// further counterexamples, as long as constraints allow. Chains of registers fall at once.
void SweepProver::walk_on(SimWord lanes) {
  constexpr int kPatience = 2;
  for (int quiet = 0; quiet < kPatience;) {
    // Constraints read gates, which a sweep of latches has not evaluated.
    if (scope_ == SweepScope::Latches) simulation_.evaluate();
    lanes &= simulation_.allowed();
    if (lanes == 0) return;
    simulation_.step();
    simulation_.randomize_inputs(random_);
    if (scope_ == SweepScope::AllSignals) simulation_.evaluate();
    std::uint64_t before = classes_.version();
    classes_.refine(simulation_.words(), lanes);
    quiet = classes_.version() == before ? quiet + 1 : 0;
  }
}

/// Runs the counterexample and its neighbours on the unreduced model.
SweepProver::Cex SweepProver::learn_from_model() {
  SimWord lanes = ~SimWord{0};
  Cex kind = Cex::Refines;
  for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
    fill_lanes(miters_.first_inputs[i], simulation_[1 + i]);
  for (std::uint32_t var = aig_.first_latch(); var < aig_.first_and(); ++var) {
    AigLit value = miters_.first_latches[var - aig_.first_latch()];
    bool own = case_ == InductionCase::Base || speculated_[var].var() == var;
    if (value.var() == 0) {
      simulation_[var] = value.negative() ? ~SimWord{0} : 0;
    } else if (own) {
      fill_lanes(value, simulation_[var]);
    } else {
      simulation_[var] = simulation_.of(speculated_[var]);
    }
  }
  simulation_.evaluate();
  if (case_ == InductionCase::Step) {
    lanes = ~refuted_lanes();
    if ((lanes & kFirstLane) == 0) kind = wake_violated() ? Cex::Spurious : Cex::Stuck;
    simulation_.step();
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
      fill_lanes(miters_.last_inputs[i], simulation_[1 + i]);
    if (scope_ == SweepScope::AllSignals && lanes != 0) simulation_.evaluate();
  }
  classes_.refine(simulation_.words(), lanes);
  if (case_ == InductionCase::Step && lanes != 0) walk_on(lanes);
  if (kind == Cex::Refines) ++counts_.refuted;
  // Perhaps not the goal's own class, and perhaps it was split earlier in this round.
  assert((kind != Cex::Refines || classes_.version() != round_version_) &&
         "a counterexample refutes some equality of its round");
  return kind;
}

}  // namespace lem
