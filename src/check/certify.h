// The independent check: evidence against the original problem, with a fresh solver. Shares no code
// with engines and transforms, so it does not share their bugs.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem {

/// A verdict whose evidence was accepted. Only the checker makes one; writers take nothing else.
class Certified {
 public:
  const Verdict& verdict() const { return verdict_; }
  /// False only under --no-certify.
  bool checked() const { return checked_; }
  /// Why evidence that is not wrong was not enough; mostly empty.
  const std::string& note() const { return note_; }

 private:
  friend Result<Certified> certify(const Problem& original, Verdict verdict, std::stop_token stop);
  friend Certified trust_unchecked(Verdict verdict);
  Certified(Verdict verdict, bool checked, std::string note = {})
      : verdict_(std::move(verdict)), checked_(checked), note_(std::move(note)) {}
  Verdict verdict_;
  bool checked_;
  std::string note_;
};

/// require: one property.  Unknown needs no evidence and passes. Rejected evidence is an Internal
/// error that says which check failed; a stop request during the check certifies Unknown{Stopped}.
Result<Certified> certify(const Problem& original, Verdict verdict, std::stop_token stop);

/// For --no-certify alone; the result says that nothing was checked.
Certified trust_unchecked(Verdict verdict);

}  // namespace lem
