#include "run/methods/paths.h"

#include <array>
#include <cassert>
#include <map>
#include <utility>
#include <vector>

#include "base/time_box.h"
#include "engine/parts/bits/unroller.h"
#include "engine/parts/terms/system.h"
#include "run/joint.h"
#include "sat/cadical.h"

namespace lem::run {

namespace {

smt::Answer answer_of(sat::SatResult result) {
  switch (result) {
    case sat::SatResult::Sat:
      return smt::Answer::Sat;
    case sat::SatResult::Unsat:
      return smt::Answer::Unsat;
    case sat::SatResult::Stopped:
      return smt::Answer::Unknown;
  }
  unreachable();
}

/// The problem with these properties alone, in their order.
Problem selected(const Problem& problem, Properties properties) {
  Problem some{problem.model, {}, problem.source};
  for (std::size_t property : properties) some.properties.push_back(problem.properties[property]);
  return some;
}

/// Places in a list of properties, by property.
std::map<std::size_t, std::size_t> places_in(Properties properties) {
  std::map<std::size_t, std::size_t> places;
  for (std::size_t i = 0; i < properties.size(); ++i) places.emplace(properties[i], i);
  return places;
}

class BitPaths final : public Paths {
 public:
  BitPaths(const Problem& problem, Properties properties, std::chrono::milliseconds limit,
           const std::stop_token& stop)
      : limit_(limit),
        stop_(stop),
        problem_(selected(problem, properties)),
        places_(places_in(properties)),
        base_(problem_, places_, engine::Unroller::Start::Reset),
        step_(problem_, places_, engine::Unroller::Start::Anywhere) {
    for (std::size_t i = 0; i < properties.size(); ++i)
      good_.push_back(step_.steps.encoded(step_.steps.gates().leaf()));
  }

  void extend() override {
    if (step_.steps.num_steps() > 0)
      for (std::size_t i = 0; i < good_.size(); ++i)
        step_.solver->add_clause(
            std::array{!good_[i], step_.steps.encoded(!step_.steps.bad(step_.last(), i))});
    for (Path* path : {&base_, &step_}) {
      engine::Step at = path->steps.extend();
      path->steps.require(path->steps.legal(at));
    }
  }
  smt::Answer some_fails(Properties among) override {
    return ask(base_, std::array{base_.some_bad(among)});
  }
  bool fails(std::size_t property) override { return base_.is_bad(property); }
  Run run() override { return base_.steps.trace(base_.last()); }
  void none_fails(Properties among) override {
    for (std::size_t i : among) base_.steps.require(!base_.bad(i));
  }
  smt::Answer some_fails_after_good(Properties good, Properties among) override {
    std::vector<sat::Lit> assumptions{step_.some_bad(among)};
    for (std::size_t i : good) assumptions.push_back(good_[places_.at(i)]);
    return ask(step_, assumptions);
  }
  bool fails_after_good(std::size_t property) override { return step_.is_bad(property); }
  void never_fail(Properties invariants) override {
    for (std::size_t i : invariants) {
      step_.solver->add_clause(std::array{good_[places_.at(i)]});
      step_.steps.require(!step_.bad(i));
    }
  }

 private:
  struct Path {
    Path(const Problem& problem, const std::map<std::size_t, std::size_t>& numbers,
         engine::Unroller::Start start)
        : solver(sat::make_cadical()), steps(problem, *solver, start), places(numbers) {}
    sat::Lit bad(std::size_t property) const { return steps.bad(last(), places.at(property)); }
    engine::Step last() const { return engine::Step{steps.num_steps() - 1}; }
    sat::Lit some_bad(Properties among) {
      sat::Lit some = steps.gates().falsity();
      for (std::size_t i : among) {
        steps.encoded(bad(i));  // the model must say which
        some = steps.gates().disj(some, bad(i));
      }
      return steps.encoded(some);
    }
    bool is_bad(std::size_t property) const { return steps.value(bad(property)); }

    std::unique_ptr<sat::SatSolver> solver;
    engine::Unroller steps;
    const std::map<std::size_t, std::size_t>& places;
  };

  smt::Answer ask(Path& path, std::span<const sat::Lit> assumptions) const {
    TimeBox box(stop_, limit_);
    path.solver->set_stop(box.token());
    return answer_of(path.solver->solve(assumptions));
  }

  std::chrono::milliseconds limit_;
  std::stop_token stop_;
  Problem problem_;
  std::map<std::size_t, std::size_t> places_;
  Path base_, step_;
  std::vector<sat::Lit> good_;  // by property: it does not fail before the last step of step_
};

class TermPaths final : public Paths {
 public:
  TermPaths(const Problem& problem, Properties properties, std::chrono::milliseconds limit,
            const std::stop_token& stop)
      : problem_(problem),
        joint_(problem, {properties.begin(), properties.end()}),
        system_(joint_.problem()),
        terms_(system_.terms()),
        base_path_(system_, "joint-base:"),
        step_path_(system_, "joint-step:"),
        base_(smt::make_z3(terms_, smt::Workload::Stream, stop)),
        step_(smt::make_z3(terms_, smt::Workload::Stream, stop)) {
    for (smt::SmtSolver* solver : {base_.get(), step_.get()})
      solver->limit_time(static_cast<std::uint32_t>(limit.count()));
    base_->add(base_path_.at(system_.init(), 0));
    for (std::size_t property : properties)
      good_.emplace(property, terms_.fresh("good", terms_.bool_sort()));
  }

  void extend() override {
    if (steps_ > 0) {
      base_->add(base_path_.between(system_.trans(), last()));
      step_->add(step_path_.between(system_.trans(), last()));
      for (const auto& [property, good] : good_)
        step_->add(terms_.make_or(terms_.make_not(good),
                                  terms_.make_not(step_path_.at(bad(property), last()))));
    }
    ++steps_;
  }
  smt::Answer some_fails(Properties among) override {
    Term some = some_bad(among, base_path_);
    return base_->solve({&some, 1});
  }
  bool fails(std::size_t property) override {
    return terms_.is_true(base_->value(base_path_.at(bad(property), last())));
  }
  Run run() override {
    return system_.trace(steps_, [&](Term variable, std::size_t step) {
      return base_->value(base_path_.at(variable, step));
    });
  }
  void none_fails(Properties among) override {
    for (std::size_t i : among) base_->add(terms_.make_not(base_path_.at(bad(i), last())));
  }
  smt::Answer some_fails_after_good(Properties good, Properties among) override {
    std::vector<Term> assumptions{some_bad(among, step_path_)};
    for (std::size_t i : good) assumptions.push_back(good_.at(i));
    return step_->solve(assumptions);
  }
  bool fails_after_good(std::size_t property) override {
    return terms_.is_true(step_->value(step_path_.at(bad(property), last())));
  }
  void never_fail(Properties invariants) override {
    for (std::size_t i : invariants) {
      step_->add(good_.at(i));
      step_->add(terms_.make_not(step_path_.at(bad(i), last())));
    }
  }

 private:
  std::size_t last() const { return steps_ - 1; }
  Term bad(std::size_t property) const { return problem_.properties[property].bad_term(); }
  Term some_bad(Properties among, engine::TermUnroller& path) {
    std::vector<Term> some;
    for (std::size_t i : among) some.push_back(path.at(bad(i), last()));
    return terms_.make_or(some);
  }

  const Problem& problem_;
  Joint joint_;
  engine::TermSystem system_;
  TermStore& terms_;
  engine::TermUnroller base_path_, step_path_;
  std::unique_ptr<smt::SmtSolver> base_, step_;
  std::map<std::size_t, Term> good_;  // by property: it does not fail before the last step
  std::size_t steps_ = 0;
};

}  // namespace

std::unique_ptr<Paths> make_paths(const Problem& problem, Properties properties,
                                  std::chrono::milliseconds limit, const std::stop_token& stop) {
  assert(!problem.is_program());
  if (problem.is_bits()) return std::make_unique<BitPaths>(problem, properties, limit, stop);
  return std::make_unique<TermPaths>(problem, properties, limit, stop);
}

}  // namespace lem::run
