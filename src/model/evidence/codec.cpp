// Every kind has a write() and a read() here; which one follows is its place in the variant.
#include "model/evidence/codec.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "term/wire.h"

namespace lem {

namespace {

constexpr auto kLastReason = static_cast<std::uint64_t>(Reason::OutOfMemory);

/// Where bytes go, with the terms that the other side knows.
struct Output {
  ByteWriter& bytes;
  SharedTerms shared;

  void number(std::uint64_t value) { bytes.number(value); }
  void terms(std::span<const Term> values) {
    assert(shared.store != nullptr && "evidence with terms needs their store");
    bytes.text(write_terms(*shared.store, values, shared.known));
  }
};

/// Where bytes come from. What is read after bad() is of no use.
struct Input {
  ByteReader& bytes;
  TermStore* store;

  std::uint64_t number() { return bytes.number(); }
  std::uint32_t small_number() { return static_cast<std::uint32_t>(bytes.number()); }
  std::optional<std::vector<Term>> terms() {
    std::string text = bytes.text();
    if (store == nullptr || !bytes.good()) return {};
    return read_terms(*store, text);
  }
};

void write(Output& out, const std::vector<SignalClause>& clauses) {
  out.number(clauses.size());
  for (const SignalClause& clause : clauses) {
    out.number(clause.size());
    for (AigLit lit : clause) out.number(lit.code());
  }
}

bool read(Input& in, std::vector<SignalClause>& clauses) {
  clauses.resize(in.bytes.count());
  for (SignalClause& clause : clauses) {
    clause.resize(in.bytes.count());
    for (AigLit& lit : clause) lit = AigLit::from_code(in.small_number());
  }
  return in.bytes.good();
}

void write(Output& out, const Trace& run) {
  out.bytes.bits(run.initial);
  out.number(run.inputs.size());
  for (const std::vector<bool>& row : run.inputs) out.bytes.bits(row);
}

bool read(Input& in, Trace& run) {
  run.initial = in.bytes.bits();
  run.inputs.resize(in.bytes.count());
  for (std::vector<bool>& row : run.inputs) row = in.bytes.bits();
  return !run.inputs.empty();
}

void write(Output& out, const InductiveInvariant& claim) {
  write(out, claim.clauses);
}

bool read(Input& in, InductiveInvariant& claim) {
  return read(in, claim.clauses);
}

void write(Output& out, const KInductive& claim) {
  out.number(claim.k);
  out.number(claim.simple_path == SimplePath::Yes ? 1 : 0);
  write(out, claim.clauses);
}

bool read(Input& in, KInductive& claim) {
  claim.k = in.small_number();
  claim.simple_path = in.number() != 0 ? SimplePath::Yes : SimplePath::No;
  return read(in, claim.clauses);
}

/// Whether the values fill that many rows; numbers of the message may be of any size. Rows of
/// nothing take no bytes: there are no more of them than of anything else.
bool is_table(const std::vector<Term>& values, std::size_t rows, std::size_t width) {
  constexpr std::size_t kMostEmptyRows = 1 << 20;
  if (width == 0) return values.empty() && rows <= kMostEmptyRows;
  return values.size() % width == 0 && values.size() / width == rows;
}

void write(Output& out, const TermTrace& run) {
  std::vector<Term> values;
  for (const TermTrace::Step& step : run.steps) {
    values.insert(values.end(), step.states.begin(), step.states.end());
    values.insert(values.end(), step.inputs.begin(), step.inputs.end());
  }
  out.number(run.steps.size());
  out.number(run.steps.front().states.size());
  out.number(run.steps.front().inputs.size());
  out.terms(values);
}

bool read(Input& in, TermTrace& run) {
  std::size_t steps = in.number();
  std::size_t states = in.number();
  std::size_t inputs = in.number();
  std::optional<std::vector<Term>> values = in.terms();
  if (!values || states > values->size() || inputs > values->size()) return false;
  if (!is_table(*values, steps, states + inputs)) return false;
  auto at = values->begin();
  auto take = [&](std::size_t count) {
    std::vector<Term> row(at, at + static_cast<std::ptrdiff_t>(count));
    at += static_cast<std::ptrdiff_t>(count);
    return row;
  };
  for (std::size_t i = 0; i < steps; ++i) {
    TermTrace::Step& step = run.steps.emplace_back();
    step.states = take(states);
    step.inputs = take(inputs);
  }
  return steps > 0;
}

void write(Output& out, const TermInvariant& claim) {
  out.number(claim.k);
  out.number(claim.simple_path == SimplePath::Yes ? 1 : 0);
  out.terms({&claim.invariant, 1});
}

bool read(Input& in, TermInvariant& claim) {
  claim.k = in.small_number();
  claim.simple_path = in.number() != 0 ? SimplePath::Yes : SimplePath::No;
  std::optional<std::vector<Term>> terms = in.terms();
  if (!terms || terms->size() != 1) return false;
  claim.invariant = terms->front();
  return true;
}

void write(Output& out, const CfaTrace& run) {
  std::vector<Term> values;
  for (const std::vector<Term>& row : run.values)
    values.insert(values.end(), row.begin(), row.end());
  out.number(run.edges.size());
  for (EdgeId edge : run.edges) out.number(index(edge));
  out.number(run.values.front().size());
  out.terms(values);
}

bool read(Input& in, CfaTrace& run) {
  run.edges.resize(in.bytes.count());
  for (EdgeId& edge : run.edges) edge = EdgeId(in.small_number());
  std::size_t width = in.number();
  std::optional<std::vector<Term>> values = in.terms();
  if (!values || !is_table(*values, run.edges.size() + 1, width)) return false;
  for (auto at = values->begin(); run.values.size() <= run.edges.size();) {
    auto end = at + static_cast<std::ptrdiff_t>(width);
    run.values.emplace_back(at, end);
    at = end;
  }
  return true;
}

/// Locations with a claim, then the claims.
void write(Output& out, const LocationInvariants& map) {
  std::vector<bool> claimed;
  std::vector<Term> claims;
  for (Term claim : map.at) {
    claimed.push_back(static_cast<bool>(claim));
    if (claim) claims.push_back(claim);
  }
  out.bytes.bits(claimed);
  out.number(map.rounds.size());
  for (std::uint32_t rounds : map.rounds) out.number(rounds);
  out.terms(claims);
}

bool read(Input& in, LocationInvariants& map) {
  std::vector<bool> claimed = in.bytes.bits();
  map.rounds.resize(in.bytes.count());
  for (std::uint32_t& each : map.rounds) each = in.small_number();
  std::optional<std::vector<Term>> claims = in.terms();
  auto count = std::count(claimed.begin(), claimed.end(), true);
  if (!claims || std::ssize(*claims) != count) return false;
  if (!map.rounds.empty() && map.rounds.size() != claimed.size()) return false;
  auto next = claims->begin();
  for (bool claim : claimed) map.at.push_back(claim ? *next++ : Term());
  return true;
}

void write(Output& out, const Derivation& run) {
  std::vector<Term> values;
  out.number(run.steps.size());
  for (const Derivation::Step& step : run.steps) {
    out.number(step.clause);
    out.number(step.values.size());
    out.number(step.premises.size());
    for (std::size_t premise : step.premises) out.number(premise);
    values.insert(values.end(), step.values.begin(), step.values.end());
  }
  out.terms(values);
}

bool read(Input& in, Derivation& run) {
  run.steps.resize(in.bytes.count());
  std::vector<std::size_t> widths;
  std::size_t sum = 0;
  for (Derivation::Step& step : run.steps) {
    step.clause = in.number();
    widths.push_back(in.small_number());
    sum += widths.back();
    step.premises.resize(in.bytes.count());
    for (std::size_t& premise : step.premises) premise = in.number();
  }
  std::optional<std::vector<Term>> values = in.terms();
  if (!values || values->size() != sum) return false;
  auto at = values->begin();
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    auto end = at + static_cast<std::ptrdiff_t>(widths[i]);
    run.steps[i].values.assign(at, end);
    at = end;
  }
  return !run.steps.empty();
}

/// Of each predicate how many params there are and whether there is a formula; then both.
void write(Output& out, const Interpretation& claim) {
  std::vector<Term> all;
  out.number(claim.of.size());
  for (const PredicateMeaning& meaning : claim.of) {
    out.number(meaning.params.size());
    out.number(meaning.formula ? 1 : 0);
    all.insert(all.end(), meaning.params.begin(), meaning.params.end());
    if (meaning.formula) all.push_back(meaning.formula);
  }
  out.terms(all);
}

bool read(Input& in, Interpretation& claim) {
  claim.of.resize(in.bytes.count());
  std::vector<std::pair<std::size_t, bool>> shapes;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < claim.of.size(); ++i) {
    std::size_t params = in.small_number();
    shapes.emplace_back(params, in.number() != 0);
    sum += params + (shapes.back().second ? 1 : 0);
  }
  std::optional<std::vector<Term>> all = in.terms();
  if (!all || all->size() != sum) return false;
  auto at = all->begin();
  for (std::size_t i = 0; i < claim.of.size(); ++i) {
    auto end = at + static_cast<std::ptrdiff_t>(shapes[i].first);
    claim.of[i].params.assign(at, end);
    at = end;
    if (shapes[i].second) claim.of[i].formula = *at++;
  }
  return true;
}

void write(Output& out, const Unknown& unknown) {
  out.number(static_cast<std::uint64_t>(unknown.reason));
}

bool read(Input& in, Unknown& unknown) {
  std::uint64_t reason = in.number();
  if (!in.bytes.good() || reason > kLastReason) return false;
  unknown.reason = static_cast<Reason>(reason);
  return true;
}

void write(Output& out, const ProductShape& shape) {
  out.number(static_cast<std::uint64_t>(shape.kind));
  out.number(shape.k);
  out.number(shape.copied.size());
  for (std::uint32_t copied : shape.copied) out.number(copied);
}

bool read(Input& in, ProductShape& shape) {
  std::uint64_t kind = in.number();
  if (kind > static_cast<std::uint64_t>(ProductKind::Constant)) return false;
  shape.kind = static_cast<ProductKind>(kind);
  shape.k = in.small_number();
  shape.copied.resize(in.bytes.count());
  for (std::uint32_t& copied : shape.copied) copied = in.small_number();
  return in.bytes.good();
}

/// The layers, then the rest.
void write(Output& out, const Layers& claim) {
  out.number(claim.layers.size());
  for (const StateSet& layer : claim.layers) write(out, layer);
  write(out, claim.rest);
}

bool read(Input& in, Layers& claim) {
  claim.layers.resize(in.bytes.count());
  for (StateSet& layer : claim.layers)
    if (!read(in, layer)) return false;
  return read(in, claim.rest);
}

void write(Output& out, const TermLayers& claim) {
  std::vector<Term> all = claim.layers;
  all.push_back(claim.rest);
  out.terms(all);
}

bool read(Input& in, TermLayers& claim) {
  std::optional<std::vector<Term>> all = in.terms();
  if (!all || all->empty()) return false;
  claim.rest = all->back();
  all->pop_back();
  claim.layers = *std::move(all);
  return true;
}

// They contain variants, and are in one.
void write(Output& out, const LiveProof& claim);
bool read(Input& in, LiveProof& claim);
void write(Output& out, const TermLiveProof& claim);
bool read(Input& in, TermLiveProof& claim);

template <class... Kinds>
void write(Output& out, const std::variant<Kinds...>& value) {
  out.number(value.index());
  std::visit([&](const auto& one) { write(out, one); }, value);
}

template <class Kind, class Variant>
bool read_kind(Input& in, Variant& value) {
  return read(in, value.template emplace<Kind>());
}

template <class... Kinds>
bool read(Input& in, std::variant<Kinds...>& value) {
  std::uint64_t kind = in.number();
  std::uint64_t place = 0;
  return ((kind == place++ && read_kind<Kinds>(in, value)) || ...);
}

void write(Output& out, const LiveProof& claim) {
  write(out, claim.shape);
  write(out, claim.proof);
}
bool read(Input& in, LiveProof& claim) {
  return read(in, claim.shape) && read(in, claim.proof);
}
void write(Output& out, const TermLiveProof& claim) {
  write(out, claim.shape);
  write(out, claim.proof);
}
bool read(Input& in, TermLiveProof& claim) {
  return read(in, claim.shape) && read(in, claim.proof);
}

void write(Output& out, const Safe& safe) {
  write(out, safe.certificate);
}
bool read(Input& in, Safe& safe) {
  return read(in, safe.certificate);
}
void write(Output& out, const Unsafe& unsafe) {
  write(out, unsafe.run);
  out.number(unsafe.loop ? *unsafe.loop + 1 : 0);
}
bool read(Input& in, Unsafe& unsafe) {
  if (!read(in, unsafe.run)) return false;
  if (std::uint64_t loop = in.number(); loop > 0) unsafe.loop = loop - 1;
  return in.bytes.good();
}

}  // namespace

void write_verdict(ByteWriter& out, const Verdict& verdict, SharedTerms terms) {
  Output to{out, terms};
  write(to, verdict);
}

std::optional<Verdict> read_verdict(ByteReader& in, TermStore* terms) {
  Input from{in, terms};
  Verdict verdict;
  if (!read(from, verdict) || !in.good()) return {};
  return verdict;
}

void write_reason(ByteWriter& out, Reason reason) {
  Output to{out, {}};
  write(to, Unknown{reason});
}

std::optional<Reason> read_reason(ByteReader& in) {
  Input from{in, nullptr};
  Unknown unknown{Reason::GaveUp};
  if (!read(from, unknown)) return {};
  return unknown.reason;
}

}  // namespace lem
