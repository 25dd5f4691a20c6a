// Runs of a campaign on a cluster. Runs are put into bundles, a bundle is a task, and tasks are
// submitted as arrays, so that the cluster's seconds for a task are shared by many runs. The
// cluster queues a task again when its node is lost (sbatch --requeue). What a task leaves undone
// otherwise, at its limit of time for example, is submitted again in a new bundle.
//
// Jobs have the campaign's tag in their names: a session finds those of an earlier one in the
// queue, also if it was killed between the submission and the note about it. Tests:
// tests/cli/slurm_test.py.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"
#include "campaign/place.h"
#include "campaign/plan.h"
#include "campaign/session.h"

namespace lem::campaign {

/// Returns when every run has ended, or, with its jobs cancelled, after a stop request. `program`:
/// this one, under a name that nodes of the cluster know.
Status run_on_slurm(Session& session, const Place& place, const ClusterWishes& wishes,
                    const std::string& program, const std::stop_token& stop);

/// Takes back what the campaign has in the queue, before it goes on elsewhere. An error if it gave
/// jobs to a cluster and that does not answer: runs might be made twice at the same time.
Status leave_cluster(Session& session);

/// The wishes of a campaign's plan, for sessions that are given none.
void keep_wishes(Database& database, const ClusterWishes& wishes);
ClusterWishes kept_wishes(Database& database);

/// How many runs a task gets: each core has several tasks, and the cluster not too many in all.
std::int64_t bundle_size(std::int64_t runs, int cores, const ClusterWishes& wishes);

}  // namespace lem::campaign
