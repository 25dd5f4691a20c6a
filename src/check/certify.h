// The independent check: evidence against the original problem, with a fresh solver. Shares no code
// with engines and transforms, so it does not share their bugs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/native_mode.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::check {

/// How a verdict was certified. Unchecked: not at all. Replayed: a run of a C program was replayed
/// on automaton and LLVM code, but not natively. Checked: everything else.
enum class Certification : std::uint8_t { Unchecked, Replayed, Checked };

/// A verdict whose evidence was accepted. Only the checker makes one, and the writers of evidence
/// take no other type.
class Certified {
 public:
  const Verdict& verdict() const { return verdict_; }
  /// False only under --no-certify.
  bool checked() const { return how_ != Certification::Unchecked; }
  Certification how() const { return how_; }
  /// Why correct evidence did not suffice, or why it was only replayed; usually empty.
  const std::string& note() const { return note_; }

 private:
  friend Result<Certified> certify(const Problem& original, Verdict verdict, std::stop_token stop,
                                   Native native);
  friend Result<std::vector<Certified>> certify_together(const Problem& original,
                                                         std::span<const std::size_t> properties,
                                                         const Certificate& certificate,
                                                         std::stop_token stop);
  friend Certified trust_unchecked(Verdict verdict);
  friend Certified unknown(Reason reason);
  Certified(Verdict verdict, Certification how, std::string note = {})
      : verdict_(std::move(verdict)), how_(how), note_(std::move(note)) {}
  Verdict verdict_;
  Certification how_;
  std::string note_;
};

/// require: one property.  Unknown needs no evidence and passes. Rejected evidence is an Internal
/// error that says which check failed; a stop request during the check certifies Unknown{Stopped}.
Result<Certified> certify(const Problem& original, Verdict verdict, std::stop_token stop,
                          Native native = Native::Sandbox);

/// One proof of several properties: Q = "none of them fails" and `certificate`. Each gets a
/// certificate of its own that contains the others, which is the same Q, so one check serves all.
/// In an automaton the invariants are the same for each, and false where a property fails.
///   require: at least one property   ensure: in the order of `properties`
Result<std::vector<Certified>> certify_together(const Problem& original,
                                                std::span<const std::size_t> properties,
                                                const Certificate& certificate,
                                                std::stop_token stop);

/// Nothing is claimed, so there is nothing to check.
Certified unknown(Reason reason);

/// For --no-certify alone; the result says that nothing was checked.
Certified trust_unchecked(Verdict verdict);

}  // namespace lem::check
