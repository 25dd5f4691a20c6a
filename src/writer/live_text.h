// Proofs of justice properties in words, for reports: their formulas are about a product of the
// model, so that they are summed up here and given in full in certificates alone.
#pragma once

#include <string>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// "at most 3 times all recurring signals are seen: 12 clauses".
std::string live_text(const LiveProof& proof);
std::string live_text(const TermLiveProof& proof);
/// The method: "klive", "l2s" or "rlive".
std::string_view live_method(const ProductShape& shape);

}  // namespace lem::writer
