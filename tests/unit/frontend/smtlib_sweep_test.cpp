// Every VMT and CHC benchmark is read, when the benchmarks are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace lem::frontend {
namespace {

class Sweep : public ::testing::TestWithParam<const char*> {};

TEST_P(Sweep, EveryBenchmarkIsRead) {
  std::filesystem::path folder =
      std::filesystem::path(LEM_SOURCE_DIR "/../shared/benchmarks") / GetParam();
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no benchmarks here";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    auto problem = read_problem(file);
    EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, Sweep, ::testing::Values("vmt", "vmt-array", "chc"));

}  // namespace
}  // namespace lem::frontend
