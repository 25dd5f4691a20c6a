// The machine-readable result of a run (`--json`; docs/formats.md has the schema).
// Tests: tests/unit/writer/json_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/stats.h"
#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"
#include "writer/finding.h"
#include "writer/run_report.h"

namespace lem::writer {

/// A trace of a transition system as a separate file: the property and the steps as in "trace" of
/// the results. check/validate.h reads it back.
///   require: the verdict is Unsafe, for that property of the system
std::string write_json_witness(const Problem& problem, std::size_t property_index,
                               const check::Certified& certified);

/// One row of the results as text. Made when the verdict is found: later the engine of the next
/// property adds terms to the store, which another thread may not read meanwhile.
std::string json_row(const PropertyResult& result, const Problem* problem, const RunReport& report);

/// One JSON document with a newline at its end. `problem` gives the signals their names and may be
/// nullptr when the input was not read; no row then has evidence.
std::string write_json(const RunReport& report, const Problem* problem, const Stats& stats);

/// The findings of a document with places that write_json made in another process of ours; nullopt
/// if it is not whole.
std::optional<CheckedFile> read_findings(std::string_view document);
enum class Places : std::uint8_t { No, Yes };
/// One document of those of several files.   require: each is from write_json
std::string write_json_list(const std::string& version, std::span<const std::string> documents,
                            Places wanted);

}  // namespace lem::writer
