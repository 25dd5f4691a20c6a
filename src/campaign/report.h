// The report about a campaign: one page that needs no other file, and beside it a table (.csv) and
// results for build servers (JUnit, .xml). Tests: tests/cli/campaign_test.py.
#pragma once

#include <string>

#include "base/result.h"

namespace lem::campaign {

/// `against`: another campaign's database, or empty.
Status write_report(const std::string& database, const std::string& page,
                    const std::string& against);

}  // namespace lem::campaign
