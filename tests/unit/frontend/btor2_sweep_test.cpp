// All BTOR2 benchmarks that are at hand are read; malformed ones are rejected with place and cause.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace lem::frontend {
namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(folder, absent)) {
    std::string extension = entry.path().extension().string();
    if (extension == ".btor2" || extension == ".btor") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Btor2Sweep, ReadsEveryBenchmark) {
  auto files = files_in(LEM_SOURCE_DIR "/../shared/benchmarks/btor2");
  if (files.empty()) GTEST_SKIP() << "the benchmarks are not here";
  for (const std::string& file : files) {
    auto problem = read_problem(file);
    ASSERT_TRUE(problem.ok()) << problem.error().text();
    EXPECT_FALSE(problem->properties.empty()) << file;
  }
}

TEST(Btor2Sweep, RejectsEveryMalformedFile) {
  const std::string folder = LEM_SOURCE_DIR "/../shared/benchmarks/malformed/";
  if (files_in(folder).empty()) GTEST_SKIP() << "the malformed files are not here";
  auto cause = [&](const std::string& name) {
    auto problem = read_problem(folder + name);
    return problem ? std::string("no error") : problem.error().text().substr(folder.size());
  };
  EXPECT_EQ(cause("ebmc__dup-node-id1.btor2"),
            "ebmc__dup-node-id1.btor2:5:1: error: id 3 is already defined in line 4");
  EXPECT_EQ(cause("ebmc__dup-sort-id1.btor2"),
            "ebmc__dup-sort-id1.btor2:3:1: error: id 1 is already defined in line 2");
  EXPECT_EQ(cause("ebmc__redand-array1.btor2"),
            "ebmc__redand-array1.btor2:7:12: error: argument 1 of 'redand' must be a bit-vector, "
            "found an array of bitvec 8 indexed by bitvec 4");
  EXPECT_EQ(cause("ebmc__sext-array1.btor2"),
            "ebmc__sext-array1.btor2:7:10: error: argument 1 of 'sext' must be a bit-vector, found "
            "an array of bitvec 8 indexed by bitvec 4");
  EXPECT_EQ(cause("ebmc__slice-oob1.btor2"),
            "ebmc__slice-oob1.btor2:5:13: error: bit 100 is out of range: the argument is a bitvec "
            "8");
}

}  // namespace
}  // namespace lem::frontend
