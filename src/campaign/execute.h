// Executes one run in a child process and says what came of it. Tests:
// tests/unit/campaign/worker_test.cpp.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "campaign/spec.h"

namespace lem::campaign {

/// Words in a command that stand for something: the folder that a run of `lemmata check` puts its
/// evidence into. `{file}` and the limits are replaced when the campaign is planned.
inline constexpr std::string_view kEvidenceWord = "{evidence}";

/// Nothing if it was stopped. `evidence`: a folder of its own in a folder that is there, both
/// relative to `folder`, as the record names them.
///   require: the calling thread lives as long as this process
std::optional<RunRecord> execute(const RunSpec& spec, const std::string& folder,
                                 const std::string& evidence, const std::stop_token& stop);

/// Of a file; of a folder, that of the names and hashes of its files. Empty if there is nothing.
std::string hash_of(const std::string& path);

}  // namespace lem::campaign
