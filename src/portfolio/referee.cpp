#include "portfolio/referee.h"

#include <variant>

namespace lem::portfolio {

Result<check::Certified> Referee::certify_back(const Verdict& verdict) {
  Timer& back = ctx_.stats.timer("app.back-translate");
  Timer& check = ctx_.stats.timer("app.certify");
  Verdict original = [&] {
    TimerScope scope(back);
    return pipeline_.back(verdict);
  }();
  TimerScope scope(check);
  Result<check::Certified> outcome =
      check::certify(original_, std::move(original), ctx_.stop, native_);
  if (!outcome) {
    ++ctx_.stats.counter("app.rejected");
    ctx_.log.info([&] { return "evidence rejected: " + outcome.error().message; });
  } else if (!std::holds_alternative<Unknown>(outcome->verdict())) {
    ctx_.log.info([&] { return original_.property().name + ": evidence accepted"; });
  } else if (!outcome->note().empty()) {
    ctx_.log.info([&] { return "evidence not accepted: " + outcome->note(); });
  }
  return outcome;
}

bool Referee::accepts(const Verdict& verdict) {
  if (std::holds_alternative<Unknown>(verdict)) return false;
  Result<check::Certified> outcome = certify_back(verdict);
  if (!outcome) {
    if (!rejected_) rejected_ = outcome.error();
    return false;
  }
  // A stop request turns the outcome into Unknown.
  if (outcome->verdict().index() != verdict.index()) {
    if (!ctx_.stopped() || !undecided_) undecided_ = *std::move(outcome);
    return false;
  }
  if (accepted_ && accepted_->verdict.index() != verdict.index())
    contradiction_ = Error{{}, "two certified answers contradict each other", ErrorKind::Internal};
  accepted_ = Accepted{verdict, *std::move(outcome)};
  return true;
}

Result<check::Certified> Referee::rule(const Verdict& verdict) {
  if (contradiction_) return *contradiction_;
  if (accepted_ && accepted_->verdict == verdict) return accepted_->outcome;
  if (std::holds_alternative<Unknown>(verdict) && rejected_ && !ctx_.stopped()) return *rejected_;
  // That a counterexample was not confirmed says more than that the time is over.
  if (std::holds_alternative<Unknown>(verdict) && undecided_ &&
      (!ctx_.stopped() || undecided_->verdict() == Verdict(Unknown{Reason::NotNative})))
    return *undecided_;
  return certify_back(verdict);
}

}  // namespace lem::portfolio
