// A worker goes through a list of runs and keeps a journal. On a cluster it is a task of a job,
// with a bundle of runs in a file: bundles/B in the campaign's folder. Each attempt at a bundle has
// a journal of its own, journals/B.K. An attempt first reads what earlier ones did: runs that have
// ended are not run again, and one during which two attempts ended with their node is reported, not
// run. An attempt that sees a later one leaves the bundle to it: its node was given up.
// Tests: tests/unit/campaign/worker_test.cpp.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/journal.h"
#include "campaign/spec.h"

namespace lem::campaign {

inline constexpr int kMostLost = 2;

/// Files of a campaign's folder.
std::string bundle_path(const std::string& folder, std::int64_t bundle);
std::string journal_path(const std::string& folder, const std::string& name);
std::string evidence_folder(const std::string& journal);  // relative

Status write_bundle(const std::string& folder, std::int64_t bundle,
                    const std::vector<RunSpec>& runs);
Result<std::vector<RunSpec>> read_bundle(const std::string& folder, std::int64_t bundle);

/// A record for a run that lost its node too often.
RunRecord given_up(const RunSpec& spec, const std::string& hosts);

/// One run, with its lines in the journal.
Status work_on(const RunSpec& spec, const std::string& folder, const std::string& name,
               const std::stop_token& stop);

/// Returns when the bundle is done, was taken over, or a stop was requested.
Status work_bundle(const std::string& folder, std::int64_t bundle, const std::stop_token& stop);

}  // namespace lem::campaign
