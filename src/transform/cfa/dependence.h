// What an error location of a program depends on: variables, and branches that decide whether what
// matters is executed [Weiser81, Ferrante87]. Other assertions are passed as if they were not
// there: a guard that only other errors lie behind counts where it speaks of a variable that
// matters. Control dependence is that of the automaton without its errors; a loop without end has
// one way out, so that everything has a postdominator. Tests:
// tests/unit/run/program_slice_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/problem.h"

namespace lem::transform {

class Dependence {
 public:
  /// Guards where control goes one way only are assumptions, and what assertions leave of a run:
  /// all count, or those that speak of a variable that matters. With few of them a slice is
  /// smaller, and proofs that need the others are lost.
  enum class Assumptions : std::uint8_t { Related, All };
  /// Borrows the automaton.   `errors`: of all properties
  Dependence(const Cfa& cfa, std::span<const LocationId> errors,
             Assumptions assumptions = Assumptions::Related);

  struct Relevant {
    std::vector<bool> variables;  // by index in the automaton
    std::vector<bool> branches;   // by location: its guards decide about something
    std::vector<bool> errors;     // by location: nothing but errors that were asked for follows
  };
  Relevant of(std::span<const LocationId> targets) const;

  /// Whether control goes several ways from there, errors apart.
  bool is_branch(LocationId at) const { return next_[index(at)].size() > 1; }
  /// Whether nothing but an error follows.
  bool is_doomed(LocationId at) const { return !alive_[index(at)]; }
  /// Where all ways from there meet; none: nowhere.
  std::optional<LocationId> meeting(LocationId at) const;

 private:
  using Node = std::uint32_t;  // locations, one virtual node before each endless loop, the exit
  static constexpr Node kNowhere = ~Node{0};
  struct Reads {
    std::vector<std::uint32_t> guards;  // variables
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> assigned;
  };
  class Closure;
  void find_alive(std::span<const LocationId> errors);
  void make_graph();
  void find_postdominators();
  void find_control();
  void read(const Command& command, Reads& into) const;
  std::vector<std::uint32_t> variables_in(Term term) const;

  const Cfa& cfa_;
  Assumptions assumptions_;
  std::vector<std::uint32_t> place_;     // by id of a variable
  std::vector<bool> alive_;              // by location: something else than an error follows
  std::vector<std::vector<Node>> next_;  // by node, without errors
  Node exit_ = 0;
  std::vector<Node> after_;                  // by node: its immediate postdominator
  std::vector<std::vector<Node>> deciders_;  // by node: branches that it is control dependent on
  std::vector<Reads> reads_;                 // by edge
};

}  // namespace lem::transform
