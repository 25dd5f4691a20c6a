// Words as integers (int_encoding.h), for engines that are good at linear arithmetic: interpolation
// finds few and general predicates there, and solvers are far faster on sums than on the adders of
// bit-vectors.
#include <algorithm>

#include "transform/passes.h"
#include "transform/terms/inductive_core.h"
#include "transform/terms/int_decoding.h"
#include "transform/terms/steps.h"

namespace lem::transform {

namespace {

struct Renamed {
  Term bv, integer;
  Word word;
};

class WordsAgain final : public BackTranslator {
 public:
  WordsAgain(const Problem& old, const Problem& integers, std::vector<Renamed> renamed, bool exact)
      : old_(old.system()),
        bad_(old.property().bad_term()),
        integers_(integers.system()),
        integer_bad_(integers.property().bad_term()),
        renamed_(std::move(renamed)),
        exact_(exact) {}

  std::optional<Run> run(Run run) const override {
    TermStore& terms = old_.terms();
    TermTrace trace = std::get<TermTrace>(std::move(run));
    for (TermTrace::Step& step : trace.steps) {
      TermMap values = values_at(integers_, step);
      for (const Renamed& each : renamed_)
        values[each.bv] = terms.bv(terms.integer_value(values.at(each.integer)), each.word.width);
      step = step_of(old_, values);
    }
    if (!exact_ && !is_run(trace)) return std::nullopt;
    return trace;
  }

  std::optional<Certificate> certificate(Certificate certificate) const override {
    IntDecoding decoding(old_.terms());
    for (const Renamed& each : renamed_) decoding.add(each.integer, each.bv, each.word);
    TermInvariant result = std::get<TermInvariant>(certificate);
    // Every lemma over words is expensive to check, so only the needed ones are translated.
    if (result.k == 1) result.invariant = inductive_core(integers_, integer_bad_, result.invariant);
    std::optional<Term> said = decoding.formula(result.invariant);
    if (!said || result.simple_path == SimplePath::Yes) return std::nullopt;
    result.invariant = *said;
    return result;
  }

 private:
  /// An opaque integer may have had a value that the words do not have.
  bool is_run(const TermTrace& trace) const {
    TermStore& terms = old_.terms();
    auto holds = [&](Term formula, const TermMap& values) {
      return terms.is_true(evaluate(terms, formula, values));
    };
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      TermMap values = values_at(old_, trace.steps[i]);
      if (!holds(old_.constraint(), values)) return false;
      if (i == 0 && !holds(old_.init_formula(), values)) return false;
      if (i + 1 == trace.steps.size()) return holds(bad_, values);
      for (std::size_t s = 0; s < old_.states().size(); ++s)
        values[old_.states()[s].next] = trace.steps[i + 1].states[s];
      if (!holds(old_.trans_formula(), values)) return false;
    }
    return false;
  }

  TransitionSystem old_;
  Term bad_;
  TransitionSystem integers_;
  Term integer_bad_;
  std::vector<Renamed> renamed_;
  bool exact_;
};

/// All formulas of the problem.
std::vector<Term> roots_of(const Problem& problem) {
  const TransitionSystem& system = problem.system();
  std::vector<Term> roots{system.init_relation(), system.trans_relation(), system.constraint(),
                          problem.property().bad_term()};
  for (const StateVar& state : system.states())
    for (Term each : {state.current, state.next, state.init, state.update})
      if (each) roots.push_back(each);
  roots.insert(roots.end(), system.inputs().begin(), system.inputs().end());
  return roots;
}

/// Arrays and floats would have words in them.
bool has_words_alone(const TermStore& terms, std::span<const Term> roots) {
  bool alone = true;
  for_each_subterm(terms, roots, [&](Term term) {
    SortKind kind = terms.kind(term);
    alone = alone && (kind == SortKind::Bool || kind == SortKind::BitVec);
  });
  return alone;
}

}  // namespace

Transformed apply_integers(const Problem& problem, const Context& ctx) {
  const TransitionSystem& old = problem.system();
  TermStore& terms = old.terms();
  std::vector<Term> roots = roots_of(problem);
  if (!has_words_alone(terms, roots)) return unchanged(problem);
  WordClasses classes(terms);
  for (Term root : roots) classes.add(root);
  for (const StateVar& state : old.states()) {
    classes.unite(state.current, state.next);
    if (state.init) classes.unite(state.current, state.init);
    if (state.update) classes.unite(state.current, state.update);
  }
  IntEncoding encoding(terms, classes);
  TransitionSystemBuilder builder(old.store());
  std::vector<Renamed> renamed;
  auto rename = [&](Term bv) {
    Term image = encoding.variable(bv);
    if (image != bv) renamed.push_back({bv, image, classes.word(bv)});
    return image;
  };
  for (const StateVar& state : old.states())
    builder.add_state(rename(state.current), encoding.variable(state.next));
  for (Term input : old.inputs()) builder.add_input(rename(input));
  for (const Renamed& each : renamed)
    builder.add_constraint(encoding.in_range(each.integer, each.word));
  for (const StateVar& state : old.states()) {
    Term image = encoding.variable(state.current);
    if (state.init) builder.set_init(image, encoding.term(state.init, state.current));
    if (state.update) builder.set_update(image, encoding.term(state.update, state.current));
  }
  builder.add_init(encoding.term(old.init_relation()));
  builder.add_trans(encoding.term(old.trans_relation()));
  builder.add_constraint(encoding.term(old.constraint()));
  Term bad = encoding.term(problem.property().bad_term());
  for (const IntEncoding::Opaque& each : encoding.opaque()) {
    builder.add_input(each.integer);
    builder.add_constraint(encoding.in_range(each.integer, each.word));
  }
  bool exact = encoding.opaque().empty();
  if (!exact && ctx.options.get<Integers>("transform.integers") == Integers::Exact)
    return unchanged(problem);
  ctx.stats.counter("transform.integers.words") += renamed.size();
  ctx.stats.counter("transform.integers.opaque") += encoding.opaque().size();
  Problem made = with_system(problem, std::move(builder), bad);
  auto back = std::make_unique<WordsAgain>(problem, made, std::move(renamed), exact);
  return {std::move(made), std::move(back)};
}

}  // namespace lem::transform
