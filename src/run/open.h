// The properties that are still open, and what makes a claim about some of them an answer:
// certification on the original problem, for each property alone or for several by one proof. The
// one place where a property is settled. Tests: tests/unit/run/open_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "base/growth.h"
#include "base/result.h"
#include "check/certify.h"
#include "model/found.h"
#include "model/problem.h"

namespace lem::run {

enum class Certify { No, Yes };

struct Settings {
  Certify certify = Certify::Yes;
  check::Native native = check::Native::Sandbox;  // how runs of C programs are certified
  Growth* growth = nullptr;                       // where workers report what they count; borrowed
};

/// Called once for each property, in any order. `by`: the engine or method that answered; empty if
/// nobody did. An error ends the run.
using OnSettled =
    std::function<Status(std::size_t property, check::Certified outcome, std::string_view by)>;

/// Whether evidence was accepted; if not, it is wrong.
enum class Accepted : std::uint8_t { No, Yes };

class Open {
 public:
  /// Borrows all but the list.   require: ascending
  Open(const Problem& problem, std::span<const std::size_t> properties, const Settings& settings,
       const OnSettled& on_settled, const Context& ctx)
      : problem_(problem),
        settings_(settings),
        on_settled_(on_settled),
        ctx_(ctx),
        open_(properties.begin(), properties.end()) {}

  const Problem& problem() const { return problem_; }
  /// In input order.
  const std::vector<std::size_t>& all() const { return open_; }
  bool empty() const { return open_.empty(); }
  std::size_t size() const { return open_.size(); }
  bool has(std::size_t property) const;
  /// Those of them that are open.
  std::vector<std::size_t> among(std::span<const std::size_t> properties) const;
  /// Proved ones with inductive invariants.
  const std::map<std::size_t, Certificate>& proved() const { return proved_; }

  /// Safety properties that are settled as safe.
  const std::vector<std::size_t>& held() const { return held_; }

  /// Certifies a claim and settles those that are open; what cannot be decided stays open. An error
  /// if an answer could not be settled.
  Result<Accepted> accept(const Found& found, std::string_view by);
  /// What was wrong with the last evidence that was not accepted.
  const std::optional<Error>& rejected() const { return rejected_; }
  /// A candidate that was guessed: settles the property if it is a proof.
  Result<Accepted> try_proof(std::size_t property, Certificate candidate, std::string_view by);
  /// Nobody knows: settled with this reason, or with what certification said of evidence that was
  /// not enough.   require: open
  Status give_up(std::size_t property, Reason reason);
  Status give_up_all(Reason reason);

  /// An error if two claims about an open property contradict each other and both are certified.
  Status check_consistent(const Found& one, const Found& other);

 private:
  Status settle(std::size_t property, check::Certified outcome, std::string_view by);
  Result<check::Certified> certify(std::size_t property, Verdict verdict);
  Result<Accepted> accept_proof_of_several(const Found& found, std::string_view by);
  Accepted reject(const Error& why);

  const Problem& problem_;
  const Settings& settings_;
  const OnSettled& on_settled_;
  const Context& ctx_;
  std::vector<std::size_t> open_;
  std::map<std::size_t, Certificate> proved_;
  std::vector<std::size_t> held_;
  std::map<std::size_t, check::Certified> undecided_;  // evidence not wrong, and not enough
  std::optional<Error> rejected_;
};

}  // namespace lem::run
