#include "base/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lem {
namespace {

namespace fs = std::filesystem;

/// A folder of this test alone, which TMPDIR names meanwhile.
class TemporaryFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    base_ = testing::TempDir() + "lem_temporary_" + std::to_string(getpid());
    fs::create_directories(base_);
    setenv("TMPDIR", base_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    fs::remove_all(base_);
  }
  bool empty_within(int milliseconds) const {
    for (; milliseconds > 0 && !fs::is_empty(base_); --milliseconds) usleep(1000);
    return fs::is_empty(base_);
  }
  std::string base_;
};

TEST_F(TemporaryFolderTest, GoesWithItsContent) {
  {
    TemporaryFolder folder;
    ASSERT_EQ(folder.path().substr(0, base_.size()), base_);
    std::ofstream(folder.path() + "/file") << "text";
    EXPECT_FALSE(fs::is_empty(base_));
  }
  EXPECT_TRUE(fs::is_empty(base_));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST_F(TemporaryFolderTest, GoesHoweverTheProcessEnds) {
  for (int signal : {SIGKILL, SIGTERM, SIGABRT, 0}) {
    pid_t child = fork();
    if (child == 0) {
      TemporaryFolder folder;
      std::ofstream(folder.path() + "/file") << "text";
      if (signal == 0) _exit(0);
      ::signal(signal, SIG_DFL);
      kill(getpid(), signal);
      pause();
    }
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(empty_within(5000)) << "signal " << signal;
  }
}

TEST_F(TemporaryFolderTest, SaysWhyItCouldNotBeMade) {
  std::string missing = base_ + "/missing";
  setenv("TMPDIR", missing.c_str(), 1);
  TemporaryFolder folder;
  EXPECT_EQ(folder.path(), "");
  EXPECT_EQ(folder.error(),
            "cannot make a temporary folder in '" + missing + "': No such file or directory");
}

}  // namespace
}  // namespace lem
