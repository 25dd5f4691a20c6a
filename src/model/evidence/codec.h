// Verdicts with their evidence as bytes, for processes that were forked from one another. The
// bytes are no file format: writer/ makes those. Tests: tests/unit/model/evidence_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "model/verdict.h"
#include "term/term_store.h"

namespace lem {

/// The store that terms of the evidence are in; those below `known` exist on both sides.
struct SharedTerms {
  const TermStore* store = nullptr;
  std::size_t known = 0;
};

///   require: a store, if the evidence has terms; runs have a first step
void write_verdict(ByteWriter& out, const Verdict& verdict, SharedTerms terms);
/// Terms are read into the store. nullopt if the bytes are no verdict, or one with terms and there
/// is no store. Whether the evidence fits a model is the checker's question.
std::optional<Verdict> read_verdict(ByteReader& in, TermStore* terms);

void write_reason(ByteWriter& out, Reason reason);
std::optional<Reason> read_reason(ByteReader& in);

}  // namespace lem
