// The properties that are still open, and what makes a claim about some of them an answer:
// certification on the original problem, for each property alone or for several by one proof.
// Tests: tests/unit/schedule/schedule_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "engine/engine.h"
#include "schedule/joint.h"
#include "schedule/schedule.h"

namespace lem::schedule {

using engine::Found;

/// Whether evidence was accepted; if not, it is wrong.
enum class Accepted : std::uint8_t { No, Yes };

class Settling {
 public:
  /// Borrows all but the list.
  Settling(const Problem& problem, std::span<const std::size_t> properties, const Hooks& hooks,
           const Context& ctx)
      : problem_(problem), hooks_(hooks), ctx_(ctx), open_(properties.begin(), properties.end()) {}

  const Problem& problem() const { return problem_; }
  /// In input order.
  std::span<const std::size_t> open() const { return open_; }
  bool is_open(std::size_t property) const;
  /// Those of them that are.
  std::vector<std::size_t> open_among(std::span<const std::size_t> properties) const;
  /// Proved ones with inductive invariants.
  const std::map<std::size_t, Certificate>& proved() const { return proved_; }

  /// `by`: the engine or method that answered.   require: open
  Status settle(std::size_t property, check::Certified outcome, std::string_view by);
  /// Certifies a claim and settles those that are open; what cannot be decided stays open. An error
  /// if an answer could not be settled.
  Result<Accepted> accept(const Found& found, std::string_view by);
  /// What was wrong with the last evidence that was not accepted.
  const std::optional<Error>& rejected() const { return rejected_; }

 private:
  Result<Accepted> accept_run(std::span<const std::size_t> violated, const Run& run,
                              std::string_view by);
  Result<Accepted> accept_proof(std::span<const std::size_t> claimed,
                                const Certificate& certificate, std::string_view by);
  Accepted reject(const Error& why);

  const Problem& problem_;
  const Hooks& hooks_;
  const Context& ctx_;
  std::vector<std::size_t> open_;
  std::map<std::size_t, Certificate> proved_;
  std::optional<Error> rejected_;
};

}  // namespace lem::schedule
