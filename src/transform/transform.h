// Transforms rewrite a one-property problem and bring the evidence back. A pipeline composes them
// forward and back; nothing is undone by hand.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem {

/// Carries evidence for the transformed problem back to the problem it was made from.
class BackTranslator {
 public:
  virtual ~BackTranslator() = default;
  virtual Trace trace(Trace trace) const = 0;
  /// Nothing if the proof does not carry over: one over simple paths may fail when latches that
  /// told states apart are not in the transformed problem.
  virtual std::optional<Certificate> certificate(Certificate certificate) const = 0;
};

struct Transformed {
  Problem problem;
  std::unique_ptr<BackTranslator> back;
};

struct TransformInfo {
  std::string_view id;    // "coi"; its switch is the option "transform.coi"
  std::string_view help;  // with the paper key in brackets
  Transformed (*apply)(const Problem& problem, const Context& ctx);
};

/// All transforms in the order in which the pipeline runs them.
std::span<const TransformInfo> all_transforms();
/// Their options ("transform.<id>" and limits).
std::span<const OptionRow> transform_options();

/// A problem after every enabled transform, with the way back.
class Pipeline {
 public:
  /// require: `original` has one property.
  Pipeline(const Problem& original, const Context& ctx);
  const Problem& problem() const { return problem_; }
  /// Evidence for `problem()` turned into evidence for the original; Unknown{GaveUp} for a proof
  /// that does not carry over.
  Verdict back(Verdict verdict) const;

 private:
  Problem problem_;
  std::vector<std::unique_ptr<BackTranslator>> steps_;
};

}  // namespace lem
