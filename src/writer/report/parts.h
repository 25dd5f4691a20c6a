// The parts of a report's data, each made in a file of its own. Only report.cpp uses them.
#pragma once

#include <nlohmann/json.hpp>

#include "ctext/text.h"
#include "writer/report/report.h"

namespace lem::writer::report {

using Json = nlohmann::ordered_json;

/// What all parts look at.
struct Subject {
  const Problem& problem;
  const ReportExtras& extras;
  const ctext::CText* text;  // of C programs whose source is there; else nullptr
};

/// Values of all variables of a circuit or a transition system at every step.
Json trace(const Subject& subject, const PropertyResult& result, const Trace& run);
Json trace(const Subject& subject, const PropertyResult& result, const TermTrace& run);
/// Steps of a run of a program (c, st) and what they assign.
Json trace(const Subject& subject, const PropertyResult& result, const CfaTrace& run);
/// Facts of a derivation, premises first.
Json trace(const Subject& subject, const PropertyResult& result, const Derivation& run);
/// The formulas of a proof, at source lines where these are known.   require: the verdict is Safe
Json proof(const Subject& subject, const PropertyResult& result);
/// The automaton as a picture, and the source lines of its locations; null for other models.
Json control_flow(const Subject& subject);
Json growth(const Growth& growth);

/// The row of the embedded text for a line as the compiler counts it; 0: unknown.
std::uint32_t row_of(const Subject& subject, std::uint32_t line);
/// Exact decimals where they are short, else a fraction.
std::string real_text(const mpq_class& value);

}  // namespace lem::writer::report
