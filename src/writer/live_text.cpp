#include "writer/live_text.h"

#include <fmt/format.h>

#include <variant>

namespace lem::writer {

static std::string size_of(const InductiveInvariant& proof) {
  return fmt::format("{} clauses", proof.clauses.size());
}
static std::string size_of(const KInductive& proof) {
  return fmt::format("{} clauses, k-inductive for k = {}", proof.clauses.size(), proof.k);
}
static std::string size_of(const Layers& proof) {
  return fmt::format("{} layers", proof.layers.size());
}
static std::string size_of(const TermInvariant& /*proof*/) {
  return "an invariant of states and counter";
}
static std::string size_of(const TermLayers& proof) {
  return fmt::format("{} layers", proof.layers.size());
}

std::string_view live_method(const ProductShape& shape) {
  switch (shape.kind) {
    case ProductKind::Counter:
      return "klive";
    case ProductKind::Delayed:
      return "rlive";
    case ProductKind::Oracle:
    case ProductKind::Constant:
      return "l2s";
  }
  unreachable();
}

static std::string claim_of(const ProductShape& shape) {
  switch (shape.kind) {
    case ProductKind::Counter:
      return fmt::format("the recurring signals are all seen at most {} times", shape.k);
    case ProductKind::Delayed:
      return "each time that the recurring signals are all seen, a layer is left for ever";
    case ProductKind::Oracle:
    case ProductKind::Constant:
      return "no state comes back with all recurring signals seen between";
  }
  unreachable();
}

template <class Proof>
static std::string text_of(const Proof& proof) {
  std::string size = std::visit([](const auto& inner) { return size_of(inner); }, proof.proof);
  return claim_of(proof.shape) + ": " + size;
}

std::string live_text(const LiveProof& proof) {
  return text_of(proof);
}

std::string live_text(const TermLiveProof& proof) {
  return text_of(proof);
}

}  // namespace lem::writer
