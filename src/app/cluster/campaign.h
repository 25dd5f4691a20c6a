// `lemmata campaign`: many runs on this machine or on a cluster, and reports about them
// (docs/campaigns.md). Tests: tests/cli/campaign_test.py, tests/cli/slurm_test.py.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/console.h"
#include "app/exit_code.h"
#include "app/supervisor.h"
#include "campaign/plan.h"

namespace CLI {
class App;
}

namespace lem::app {

struct CampaignRequest {
  std::vector<std::string> inputs;  // a plan in .yml or .yaml, or files, folders and patterns
  std::string database;
  std::string on = "local";
  // Without a plan: what one would say.
  std::vector<std::string> engines;
  std::vector<std::string> settings;
  std::vector<std::string> expected;
  std::uint32_t repeat = 0;
  Limits limits;
  bool quiet = false;
  // `report`
  std::string page;
  std::string against;
  // `work`: a task of the cluster
  std::string folder;
  std::int64_t bundle = 0;
};

/// Borrows what it fills in.
void declare_campaign(CLI::App& app, CampaignRequest& request);
/// Runs what was given after `campaign`.
ExitCode run_campaign(const CLI::App& app, const CampaignRequest& request, Console& console);

/// What plans may name: engines, options, formats, and this program.
campaign::Vocabulary campaign_words();

}  // namespace lem::app
