#include "transform/bits/rebuild.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/cone.h"
#include "model/latch_name.h"
#include "transform/bits/canonical.h"

namespace lem::transform {

SignalSubstitution no_substitution(const Aig& aig) {
  SignalSubstitution identity(aig.num_vars());
  for (std::uint32_t var = 0; var < aig.num_vars(); ++var) identity[var] = AigLit(var, false);
  return identity;
}

// ---------------------------------------------------------------------------- the way back

namespace {

class Renaming final : public BitsBackTranslator {
 public:
  Renaming(const Aig& old, Origins origins)
      : origins_(std::move(origins)), first_latch_(old.first_latch()) {
    for (const Latch& latch : old.latches()) resets_.push_back(latch.reset == Reset::One);
    assert(origins_.idle_inputs.size() == old.num_inputs() && "every old input needs a value");
  }

  Trace trace(Trace trace) const override {
    Trace old;
    old.initial = resets_;
    std::uint32_t inputs = static_cast<std::uint32_t>(trace.inputs.front().size());
    for (std::uint32_t i = 0; i < trace.initial.size(); ++i) {
      AigLit origin = origins_.signal[1 + inputs + i];
      if (origin.var() == 0) continue;  // a latch that the transform added
      assert(origin.var() >= first_latch_ && "latches come from latches");
      old.initial[origin.var() - first_latch_] = trace.initial[i] != origin.negative();
    }
    for (const std::vector<bool>& step : trace.inputs) {
      std::vector<bool>& values = old.inputs.emplace_back(origins_.idle_inputs);
      for (std::uint32_t i = 0; i < inputs; ++i) {
        AigLit origin = origins_.signal[1 + i];
        assert(origin.var() < first_latch_ && !origin.negative() && "inputs come from inputs");
        values[origin.var() - 1] = step[i];
      }
    }
    return old;
  }

  std::optional<Certificate> certificate(Certificate certificate) const override {
    const auto* by_k = std::get_if<KInductive>(&certificate);
    if (by_k != nullptr && by_k->simple_path == SimplePath::Yes && !origins_.keeps_states)
      return std::nullopt;
    std::vector<SignalClause>& clauses = clauses_of(certificate);
    clauses = rename(clauses);
    return certificate;
  }

 private:
  std::vector<SignalClause> rename(const std::vector<SignalClause>& clauses) const {
    std::vector<SignalClause> renamed;
    for (const SignalClause& clause : clauses) {
      SignalClause image;
      for (AigLit lit : clause) image.push_back(origins_.signal[lit.var()] ^ lit.negative());
      if (std::find(image.begin(), image.end(), kAigTrue) != image.end()) continue;
      std::erase(image, kAigFalse);
      renamed.push_back(std::move(image));
    }
    renamed.insert(renamed.end(), origins_.facts.begin(), origins_.facts.end());
    return renamed;
  }

  Origins origins_;
  std::vector<bool> resets_;  // by old latch; 0 where the reset is free
  std::uint32_t first_latch_;
};

}  // namespace

std::unique_ptr<BackTranslator> make_renaming(const Aig& old, Origins origins) {
  return std::make_unique<Renaming>(old, std::move(origins));
}

// ---------------------------------------------------------------------------- rewriting

namespace {

/// Emits the cone of the roots in the canonical graph as a new problem.
class Emitter {
 public:
  Emitter(const Problem& old, const Canonical& graph) : old_(old), graph_(graph) {}

  Rebuilt emit() {
    std::vector<AigLit> constraints = kept_constraints();
    bool no_step = !constraints.empty() && constraints.front() == kAigFalse;
    std::vector<AigLit> bads;
    for (const Property& property : old_.properties)
      mark(bads.emplace_back(no_step ? kAigFalse : graph_[property.bad()]));
    for (AigLit constraint : constraints) mark(constraint);
    close();
    copy();
    for (AigLit constraint : constraints) builder_.add_constraint(image(constraint));
    std::vector<Property> properties = old_.properties;
    for (std::size_t i = 0; i < bads.size(); ++i) properties[i].target = image(bads[i]);
    Rebuilt rebuilt{{std::move(builder_).freeze(), std::move(properties), {}}, std::move(origins_)};
    rebuilt.problem.source.file = old_.source.file;
    rebuilt.problem.source.format = old_.source.format;
    rebuilt.problem.source.latch_names = std::move(latch_names_);
    return rebuilt;
  }

 private:
  /// A constraint is removed only if it is true: a satisfiable one on other signals may become
  /// unsatisfiable after some steps, and then there are no longer traces.
  std::vector<AigLit> kept_constraints() const {
    std::vector<AigLit> kept;
    for (AigLit constraint : old_.aig().constraints())
      if (graph_[constraint] != kAigTrue) kept.push_back(graph_[constraint]);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    if (!kept.empty() && kept.front() == kAigFalse) kept.resize(1);
    return kept;
  }

  void mark(AigLit lit) {
    if (in_cone_.empty()) in_cone_.assign(old_.aig().num_vars(), false);
    if (in_cone_[lit.var()]) return;
    in_cone_[lit.var()] = true;
    pending_.push_back(lit.var());
  }

  void close() {
    while (!pending_.empty()) {
      std::uint32_t var = pending_.back();
      pending_.pop_back();
      if (old_.aig().is_latch(var)) mark(graph_[old_.aig().latch_of(var).next]);
      if (!old_.aig().is_and(var)) continue;
      mark(graph_.gate(var).left);
      mark(graph_.gate(var).right);
    }
  }

  void copy() {
    const Aig& aig = old_.aig();
    image_.assign(aig.num_vars(), kAigFalse);
    origins_.signal.push_back(kAigFalse);
    origins_.idle_inputs.assign(aig.num_inputs(), false);
    for (std::uint32_t var = 1; var < aig.num_vars(); ++var) {
      if (!in_cone_[var]) continue;
      if (aig.is_input(var)) image_[var] = builder_.add_input();
      if (aig.is_latch(var)) image_[var] = builder_.add_latch(aig.latch_of(var).reset);
      if (aig.is_and(var))
        image_[var] = builder_.raw_and(image(graph_.gate(var).left), image(graph_.gate(var).right));
      if (aig.is_latch(var)) latch_names_.push_back(latch_name(old_, var - aig.first_latch()));
      origins_.signal.push_back(AigLit(var, false));
    }
    for (std::uint32_t var = aig.first_latch(); var < aig.first_and(); ++var)
      if (in_cone_[var]) builder_.set_next(image_[var], image(graph_[aig.latch_of(var).next]));
  }

  AigLit image(AigLit lit) const { return image_[lit.var()] ^ lit.negative(); }

  const Problem& old_;
  const Canonical& graph_;
  std::vector<bool> in_cone_;
  std::vector<std::uint32_t> pending_;
  std::vector<AigLit> image_;  // by old variable
  AigBuilder builder_;
  Origins origins_;
  std::vector<std::string> latch_names_;
};

bool keeps_states(const Problem& old, const SignalSubstitution& substitution,
                  const Origins& origins) {
  const Aig& aig = old.aig();
  std::vector<AigLit> roots = origins.signal;
  for (const Property& property : old.properties) roots.push_back(property.bad());
  roots.insert(roots.end(), aig.constraints().begin(), aig.constraints().end());
  for (const SignalClause& fact : origins.facts)
    roots.insert(roots.end(), fact.begin(), fact.end());
  std::vector<bool> cone = sequential_cone(aig, std::move(roots));
  std::vector<bool> kept(aig.num_vars(), false);
  for (AigLit origin : origins.signal) kept[origin.var()] = true;  // the constant is among them
  for (std::uint32_t var = aig.first_latch(); var < aig.first_and(); ++var)
    if (cone[var] && !kept[substitution[var].var()]) return false;
  return true;
}

}  // namespace

static Rebuilt rebuild_from(const Problem& old, const SignalSubstitution& substitution,
                            const Canonical& graph) {
  Rebuilt rebuilt = Emitter(old, graph).emit();
  for (std::uint32_t var : graph.unexplained()) {
    AigLit equal = substitution[var];
    AigLit plain(var, false);
    if (equal.var() == 0) {
      rebuilt.origins.facts.push_back({plain ^ (equal == kAigFalse)});
      continue;
    }
    rebuilt.origins.facts.push_back({plain, !equal});
    rebuilt.origins.facts.push_back({!plain, equal});
  }
  rebuilt.origins.keeps_states = keeps_states(old, substitution, rebuilt.origins);
  return rebuilt;
}

Rebuilt rebuild(const Problem& old, const SignalSubstitution& substitution) {
  return rebuild_from(old, substitution, Canonical(old.aig(), substitution));
}

Rebuilt rebuild_cone(const Problem& old, const SignalSubstitution& substitution) {
  const Aig& aig = old.aig();
  std::vector<AigLit> roots;
  for (const Property& property : old.properties) roots.push_back(property.bad());
  std::vector<bool> inside = constrained_cone(aig, std::move(roots));
  return rebuild_from(old, substitution, Canonical(aig, substitution, inside));
}

Transformed rebuild_with_way_back(const Problem& old, const SignalSubstitution& substitution) {
  Rebuilt rebuilt = rebuild(old, substitution);
  return {std::move(rebuilt.problem), make_renaming(old.aig(), std::move(rebuilt.origins))};
}

}  // namespace lem::transform
