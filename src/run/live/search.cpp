#include "run/live/search.h"

#include <cassert>
#include <optional>
#include <utility>

#include "run/live/lasso.h"
#include "run/live/product.h"
#include "run/live/rlive.h"
#include "run/lowering.h"
#include "transform/passes.h"

namespace lem::run {

namespace {

class LiveSearch {
 public:
  LiveSearch(const Question& question, const LiveInfo& method, const engine::EngineInfo* prover,
             const OnFound& found, const Context& ctx)
      : question_(question),
        method_(method),
        found_(found),
        ctx_(ctx),
        prover_(prover != nullptr ? *prover : chosen()),
        options_(ctx.options) {
    [[maybe_unused]] Status set = options_.set_all(prover_.settings);
    assert(set.ok() && "an engine names options that do not exist");
  }

  Result<Reason> run() {
    switch (method_.method) {
      case LiveMethod::L2s:
        return l2s();
      case LiveMethod::Klive:
        return klive();
      case LiveMethod::Rlive:
        return rlive();
    }
    unreachable();
  }

 private:
  const engine::EngineInfo& chosen() const;
  Result<Reason> l2s();
  Result<Reason> klive();
  Result<Reason> rlive();
  /// One safety problem. An answer is reported if it carries over.
  struct Asked {
    Reason end;
    bool answered = false;
    bool refuted = false;  // by a run that is no lasso
  };
  Result<Asked> ask(ProductShape shape);
  Error does_not_fit(const std::string& why) const;
  void report(const Found& found);
  std::optional<Certificate> layers_back(const Lowering& lowering, const Layers& layers) const;

  const Question& question_;
  const LiveInfo& method_;
  const OnFound& found_;
  const Context& ctx_;
  const engine::EngineInfo& prover_;
  Options options_;  // with what suits the prover
};

const engine::EngineInfo& LiveSearch::chosen() const {
  Prover prover = Prover::Ic3;
  if (method_.method == LiveMethod::L2s) prover = ctx_.options.get<Prover>("l2s.prover");
  if (method_.method == LiveMethod::Klive) prover = ctx_.options.get<Prover>("klive.prover");
  if (prover == Prover::Suited)
    prover = why_no_bits_for(question_.problem()).empty() ? Prover::Ic3 : Prover::Ic3ia;
  const engine::EngineInfo* engine =
      engine::find_engine(word_at(words(Prover{}), static_cast<std::size_t>(prover)));
  assert(engine != nullptr && "a prover is an engine");
  return *engine;
}

Error LiveSearch::does_not_fit(const std::string& why) const {
  return {{question_.problem().source.file},
          "engine '" + std::string(method_.id) + "' works on bits with '" +
              std::string(prover_.id) + "': " + why,
          ErrorKind::Usage};
}

void LiveSearch::report(const Found& found) {
  if (std::optional<Found> about = question_.back(found)) found_(*std::move(about));
}

Result<LiveSearch::Asked> LiveSearch::ask(ProductShape shape) {
  Context ctx = ctx_.with_options(options_);
  Question question(question_.problem());
  question.then<Product>(std::move(shape));
  const auto& lowered = question.then<Lowering>(ctx, prover_.accepts);
  if (ctx_.stopped()) return Asked{Reason::Stopped};
  if (!lowered.obstacle().empty()) return does_not_fit(lowered.obstacle());
  Asked asked{};
  auto back = [&](Found found) {
    bool run = std::holds_alternative<Unsafe>(found.verdict);
    std::optional<Found> about = question.back(std::move(found));
    asked.answered = about.has_value();
    asked.refuted = run && !about;
    if (about) report(*about);
  };
  asked.end = prover_.check(question.problem(), back, ctx);
  if (ctx_.stopped()) asked.end = Reason::Stopped;
  return asked;
}

Result<Reason> LiveSearch::l2s() {
  bool oracle = ctx_.options.get<Copying>("l2s.copy") == Copying::Oracle;
  ProductShape shape{oracle ? ProductKind::Oracle : ProductKind::Constant, 0,
                     recurring_states(question_.problem())};
  Result<Asked> asked = ask(std::move(shape));
  if (!asked) return asked.error();
  return asked->end;
}

/// A proof for some k is one of the property; a run that ends k + 1 rounds may contain a lasso, and
/// otherwise says that k is too small.
Result<Reason> LiveSearch::klive() {
  auto most = ctx_.options.get<std::uint32_t>("klive.most");
  for (std::uint32_t k = 0; k <= most;) {
    ctx_.stats.counter("klive.k").value = k;
    ctx_.log.debug([&] { return "klive: k = " + std::to_string(k); });
    if (ctx_.progress.due()) ctx_.progress.publish("klive: k = " + std::to_string(k));
    Result<Asked> asked = ask({ProductKind::Counter, k, {}});
    if (!asked) return asked.error();
    if (!asked->refuted || ctx_.stopped()) return asked->end;
    k += ctx_.options.on("klive.each") ? 1 : 1 + k / 2;
  }
  return Reason::BoundReached;
}

/// Layers of the lowered problem as layers of the model's product.
std::optional<Certificate> LiveSearch::layers_back(const Lowering& lowering,
                                                   const Layers& layers) const {
  auto back = [&](const StateSet& set) -> std::optional<Certificate> {
    std::optional<Found> found = lowering.back({{0}, Safe{InductiveInvariant{set}}});
    if (!found) return {};
    return std::get<Safe>(std::move(found->verdict)).certificate;
  };
  Layers bits;
  TermLayers terms;
  std::vector<StateSet> all = layers.layers;
  all.push_back(layers.rest);
  for (const StateSet& set : all) {
    std::optional<Certificate> carried = back(set);
    if (!carried) return {};
    if (auto* formula = std::get_if<TermInvariant>(&*carried))
      terms.layers.push_back(formula->invariant);
    else
      bits.layers.push_back(std::move(clauses_of(*carried)));
  }
  if (question_.problem().is_bits()) {
    bits.rest = std::move(bits.layers.back());
    bits.layers.pop_back();
    return LiveProof{{ProductKind::Delayed, 0, {}}, std::move(bits)};
  }
  terms.rest = terms.layers.back();
  terms.layers.pop_back();
  return TermLiveProof{{ProductKind::Delayed, 0, {}}, std::move(terms)};
}

Result<Reason> LiveSearch::rlive() {
  Options options = options_;
  // Facts of signals are no sets of states; the others would change when a round ends.
  [[maybe_unused]] Status set =
      options.set_all("transform.sweep=off,transform.fold=off,transform.unroll=off");
  assert(set.ok() && "transforms have these options");
  Context ctx = ctx_.with_options(options);
  Product product(question_.problem(), {ProductKind::Delayed, 0, {}});
  Lowering lowered(product.problem(), ctx, Rung::Bits);
  if (ctx_.stopped()) return Reason::Stopped;
  if (!lowered.obstacle().empty()) return does_not_fit(lowered.obstacle());
  auto outcome = Rlive(lowered.problem(), prover_, ctx).run();
  if (const auto* reason = std::get_if<Reason>(&outcome)) return *reason;
  if (auto* run = std::get_if<Trace>(&outcome)) {
    std::optional<Found> about = lowered.back({{0}, Unsafe{std::move(*run)}});
    if (about) about = product.back(*std::move(about));
    if (about) report(*about);
    return Reason::GaveUp;
  }
  std::optional<Certificate> proof = layers_back(lowered, std::get<Layers>(outcome));
  if (proof) report({{0}, Safe{*std::move(proof)}});
  return Reason::GaveUp;
}

}  // namespace

std::string why_no_bits_for(const Problem& problem) {
  if (problem.is_bits()) return {};
  return transform::why_no_bits(Product(problem, {}).problem());
}

Result<Reason> search_live(const Question& question, const LiveInfo& method,
                           const engine::EngineInfo* prover, const OnFound& found,
                           const Context& ctx) {
  assert(question.problem().property().is_justice() && "a method for justice");
  return LiveSearch(question, method, prover, found, ctx).run();
}

}  // namespace lem::run
