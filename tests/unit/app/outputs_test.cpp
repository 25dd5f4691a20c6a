#include "app/outputs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace lem::app {
namespace {

namespace fs = std::filesystem;

class Outputs : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "lem_outputs_" + std::to_string(getpid()) + "/";
    fs::create_directories(folder_ + "sub");
    std::ofstream(folder_ + "in.aag") << "aag 0 0 0 0 0\n";
  }
  void TearDown() override { fs::remove_all(folder_); }
  bool apart(std::vector<std::string> names) const {
    std::vector<Output> outputs;
    for (const std::string& name : names)
      outputs.push_back(
          {"--o" + std::to_string(outputs.size()), name.starts_with("/") ? name : folder_ + name});
    return check_apart(input(), outputs).ok();
  }
  std::vector<std::string> input() const { return {folder_ + "in.aag"}; }
  std::string folder_;
};

TEST_F(Outputs, DifferentFilesAreApart) {
  EXPECT_TRUE(apart({}));
  EXPECT_TRUE(apart({"a", "b", "sub/a"}));
}

TEST_F(Outputs, TheInputIsRecognisedByAnyName) {
  fs::create_symlink(folder_ + "in.aag", folder_ + "link.aag");
  fs::create_hard_link(folder_ + "in.aag", folder_ + "hard.aag");
  for (const char* name : {"in.aag", "./in.aag", "sub/../in.aag", "link.aag", "hard.aag"})
    EXPECT_FALSE(apart({"a", name})) << name;
}

TEST_F(Outputs, FilesThatAreNotThereYetAreRecognised) {
  fs::create_directory_symlink(folder_ + "sub", folder_ + "other");
  EXPECT_FALSE(apart({"a", "a"}));
  EXPECT_FALSE(apart({"a", "sub/../a"}));
  EXPECT_FALSE(apart({"sub/a", "other/a"}));
}

TEST_F(Outputs, DevicesAreNotOverwritten) {
  EXPECT_TRUE(apart({"/dev/null", "/dev/null"}));
}

TEST_F(Outputs, TheErrorNamesBoth) {
  std::vector<Output> outputs = {{"--json", folder_ + "x"}, {"--witness", folder_ + "x"}};
  Status status = check_apart(input(), outputs);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::Usage);
  EXPECT_EQ(status.error().message, "--witness '" + folder_ + "x' would overwrite --json");
}

}  // namespace
}  // namespace lem::app
