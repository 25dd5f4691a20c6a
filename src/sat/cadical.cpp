#include "sat/cadical.h"

#include <cadical.hpp>
#include <cassert>
#include <climits>
#include <utility>

namespace lem::sat {

namespace {

class Cadical final : public SatSolver, private CaDiCaL::Terminator {
 public:
  Cadical() {
    solver_.set("quiet", 1);  // keeps it from reporting on standard output
    solver_.connect_terminator(this);
  }
  ~Cadical() override { solver_.disconnect_terminator(); }
  Cadical(const Cadical&) = delete;
  Cadical& operator=(const Cadical&) = delete;

  Var new_var() override { return num_vars_++; }
  Var num_vars() const override { return num_vars_; }

  void add_clause(std::span<const Lit> clause) override {
    for (Lit lit : clause) solver_.add(dimacs(lit));
    solver_.add(0);
  }

  SatResult solve(std::span<const Lit> assumptions) override {
    for (Lit lit : assumptions) solver_.assume(dimacs(lit));
    if (conflict_limit_ < INT_MAX)
      solver_.limit("conflicts", static_cast<int>(conflict_limit_) + 1);  // for this call alone
    switch (solver_.solve()) {
      case 10:
        return SatResult::Sat;
      case 20:
        return SatResult::Unsat;
      default:
        return SatResult::Stopped;
    }
  }

  // CaDiCaL's val() and failed() are not const, though they change nothing we can see.
  bool value(Lit lit) const override {
    // Asked for the variable alone: what val() gives for a negative literal differs by version.
    int var = static_cast<int>(lit.var()) + 1;
    return (const_cast<CaDiCaL::Solver&>(solver_).val(var) > 0) != lit.negative();
  }
  bool failed(Lit lit) const override {
    return const_cast<CaDiCaL::Solver&>(solver_).failed(dimacs(lit));
  }
  void limit_conflicts(std::uint64_t per_query) override { conflict_limit_ = per_query; }
  void set_stop(std::stop_token stop) override { stop_ = std::move(stop); }

 private:
  bool terminate() override { return stop_.stop_requested(); }
  int dimacs(Lit lit) const {
    assert(lit.var() < num_vars_ && "variable was not declared");
    int var = static_cast<int>(lit.var()) + 1;
    return lit.negative() ? -var : var;
  }

  CaDiCaL::Solver solver_;
  Var num_vars_ = 0;
  std::uint64_t conflict_limit_ = UINT64_MAX;
  std::stop_token stop_;
};

}  // namespace

std::unique_ptr<SatSolver> make_cadical() {
  return std::make_unique<Cadical>();
}

}  // namespace lem::sat
