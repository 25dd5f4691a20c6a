// The ladder of models: Cfa above TransitionSystem above Aig; beside it Horn clauses
// (docs/architecture.md).
#pragma once

#include <cstdint>
#include <initializer_list>

namespace lem {

enum class Rung : std::uint8_t { Bits, Terms, Program, Horn };

/// A set of rungs: where an engine works, or where a pipeline may leave a model.
class Rungs {
 public:
  constexpr Rungs(Rung rung) : Rungs({rung}) {}
  constexpr Rungs(std::initializer_list<Rung> rungs) {
    for (Rung rung : rungs) members_ |= bit(rung);
  }
  static constexpr Rungs all() { return {Rung::Bits, Rung::Terms, Rung::Program, Rung::Horn}; }

  constexpr bool has(Rung rung) const { return (members_ & bit(rung)) != 0; }
  friend constexpr bool operator==(Rungs, Rungs) = default;

 private:
  static constexpr unsigned bit(Rung rung) { return 1U << static_cast<unsigned>(rung); }
  unsigned members_ = 0;
};

}  // namespace lem
