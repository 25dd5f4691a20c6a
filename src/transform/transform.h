// Transforms rewrite a problem and translate evidence back. A pipeline composes both directions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "model/problem.h"
#include "model/rung.h"
#include "model/verdict.h"

namespace lem::transform {

/// Translates evidence for the transformed problem to evidence for the problem it was made from.
class BackTranslator {
 public:
  virtual ~BackTranslator() = default;
  /// nullopt if no values were found for what the transformed problem does not contain.
  virtual std::optional<Run> run(Run run) const = 0;
  /// nullopt if the proof does not carry over: one over simple paths may fail when latches that
  /// distinguished states are not in the transformed problem.
  virtual std::optional<Certificate> certificate(Certificate certificate) const = 0;
};

/// From an AIG to an AIG.
class BitsBackTranslator : public BackTranslator {
 public:
  std::optional<Run> run(Run run) const final { return trace(std::get<Trace>(std::move(run))); }
  virtual Trace trace(Trace trace) const = 0;
};

/// From a transition system to a transition system.
class TermsBackTranslator : public BackTranslator {
 public:
  std::optional<Run> run(Run run) const final { return trace(std::get<TermTrace>(std::move(run))); }
  std::optional<Certificate> certificate(Certificate certificate) const final {
    return invariant(std::get<TermInvariant>(certificate));
  }
  virtual TermTrace trace(TermTrace trace) const = 0;
  virtual std::optional<Certificate> invariant(TermInvariant invariant) const = 0;
};

/// From an automaton to an automaton.
class CfaBackTranslator : public BackTranslator {
 public:
  std::optional<Run> run(Run run) const final { return trace(std::get<CfaTrace>(run)); }
  std::optional<Certificate> certificate(Certificate certificate) const final {
    return invariants(std::get<LocationInvariants>(certificate));
  }
  virtual std::optional<CfaTrace> trace(const CfaTrace& run) const = 0;
  virtual LocationInvariants invariants(const LocationInvariants& claim) const = 0;
};

struct Transformed {
  Problem problem;
  std::unique_ptr<BackTranslator> back;
};

enum class Stage : std::uint8_t {
  Horn,
  Programs,
  Blocks,
  Counter,
  Terms,
  Integers,
  Blasting,
  Bits,
  Lifting
};

struct TransformInfo {
  std::string_view id;    // "coi"; its switch is the option "transform.coi"
  std::string_view help;  // with the paper key in brackets
  Stage stage;  // Horn: of Horn systems; Programs, Blocks: Cfa to Cfa; Counter: to a transition
                // system; Blasting: to Aig ...
  Transformed (*apply)(const Problem& problem, const Context& ctx);
};

/// All transforms in the order in which the pipeline runs them.
std::span<const TransformInfo> all_transforms();
/// Their options ("transform.<id>" and limits).
std::span<const OptionRow> transform_options();

/// A problem after every enabled transform, with the back-translation.
class Pipeline {
 public:
  /// Brings the problem to a rung of `targets`; with all of them it stays on its own.
  /// Several properties stay several: on the rungs of bits and terms, for an engine that takes
  /// them together (EngineInfo::several_properties).
  ///   require: one property where the problem is a program
  Pipeline(const Problem& original, const Context& ctx, Rungs targets = Rungs::all());
  /// Why the problem could not be brought to the target; empty if it was.
  const std::string& obstacle() const { return obstacle_; }
  const Problem& problem() const { return problem_; }
  /// Evidence for `problem()` turned into evidence for the original; Unknown{GaveUp} for a proof
  /// that does not carry over.
  Verdict back(Verdict verdict) const;

 private:
  void run(const TransformInfo& transform, const Context& ctx);
  void run_stage(Stage stage, const Context& ctx);
  bool run_on_bits(const TransformInfo& transform, const Context& ctx);
  void run_horn(const Context& ctx);
  void run_programs(const Context& ctx);
  void run_terms(const Context& ctx);
  void run_integers(const Context& ctx);
  void run_bits(const Context& ctx);

  Problem problem_;
  bool from_program_;
  std::string obstacle_;
  std::vector<std::unique_ptr<BackTranslator>> steps_;
};

}  // namespace lem::transform
