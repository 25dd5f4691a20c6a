// Which lemmas of a proof are needed: a minimal inductive subset [Ivrii14]. The algorithm asks an
// oracle which lemmas support which; one oracle for each kind of model is in the files beside.
// Tests: tests/unit/explain/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace lem::explain {

enum class Implied : std::uint8_t { Yes, No, Undecided };

/// The answer of an oracle; of a Yes, lemmas that suffice for it, in ascending order.
struct Support {
  Implied implied = Implied::Undecided;
  std::vector<std::size_t> by{};
};

/// The step of an induction: lemmas 0 to size() - 1, each of which holds initially.
class Induction {
 public:
  virtual ~Induction() = default;
  virtual std::size_t size() const = 0;
  /// Whether the lemmas `kept` (ascending) imply the lemma `goal` one step later. The goal size()
  /// is safety: they exclude that the property fails now.
  virtual Support support(std::span<const std::size_t> kept, std::size_t goal) = 0;
};

struct Subset {
  std::vector<std::size_t> needed{};  // ascending
  /// By lemma of `needed`: the needed lemmas that imply it after a step.
  std::vector<std::vector<std::size_t>> support{};
  /// The needed lemmas that exclude the failure of the property.
  std::vector<std::size_t> safety{};
  /// No proper subset is inductive and safe. False if a solver did not decide or time was up: then
  /// the subset is inductive and safe, but may be too large.
  bool minimal = true;
};

/// A subset of the lemmas that is inductive and safe, and of which no proper subset is.
///   require: all lemmas together are inductive and safe
Subset minimal_inductive_subset(Induction& induction, const std::stop_token& stop);

}  // namespace lem::explain
