#include "writer/file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace lem::writer {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "lem_writer_" + std::to_string(::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string content(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  std::string folder_;
};

TEST_F(AtomicFile, WritesAndReplacesAndLeavesNothingBeside) {
  std::string path = folder_ + "/out";
  ASSERT_TRUE(write_file_atomically(path, "one").ok());
  ASSERT_TRUE(write_file_atomically(path, "two").ok());
  EXPECT_EQ(content(path), "two");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, FollowsLinksAndKeepsDevices) {
  ASSERT_TRUE(write_file_atomically(folder_ + "/real", "old").ok());
  fs::create_symlink(folder_ + "/real", folder_ + "/link");
  ASSERT_TRUE(write_file_atomically(folder_ + "/link", "new").ok());
  EXPECT_EQ(content(folder_ + "/real"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_ + "/link"));
  ASSERT_TRUE(write_file_atomically("/dev/null", "x").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFile, ReportsPlacesThatCannotBeWritten) {
  auto missing = write_file_atomically(folder_ + "/none/out", "x");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::NotFound);
  EXPECT_FALSE(write_file_atomically(folder_, "x").ok());
  EXPECT_EQ(files(), 0U);
}

TEST_F(AtomicFile, FullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no device that is always full";
  EXPECT_FALSE(write_file_atomically("/dev/full", std::string(1 << 16, 'x')).ok());
}

TEST_F(AtomicFile, KilledWriterLeavesOldOrNewContent) {
  std::string path = folder_ + "/out";
  const std::string old_text(1 << 20, 'a');
  const std::string new_text(1 << 20, 'b');
  for (int round = 0; round < 10; ++round) {
    ASSERT_TRUE(write_file_atomically(path, old_text).ok());
    pid_t child = ::fork();
    if (child == 0) {
      while (true) static_cast<void>(write_file_atomically(path, new_text));
    }
    ASSERT_GT(child, 0);
    ::usleep(static_cast<useconds_t>(500 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    std::string seen = content(path);
    ASSERT_TRUE(seen == old_text || seen == new_text) << round;
  }
}

TEST_F(AtomicFile, KilledWriterLeavesNothingBeside) {
  std::string path = folder_ + "/out";
  for (int round = 0; round < 10; ++round) {
    pid_t child = ::fork();
    if (child == 0) {
      const std::string text(64 << 20, 'b');
      while (true) {
        static_cast<void>(write_file_atomically(path, text));
        ::unlink(path.c_str());
      }
    }
    ASSERT_GT(child, 0);
    ::usleep(static_cast<useconds_t>(20'000 + 3'000 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::unlink(path.c_str());
    ASSERT_EQ(files(), 0U) << round;
  }
}

TEST_F(AtomicFile, AFileSizeLimitIsAnErrorAndLeavesNothing) {
  pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit little{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &little);
    Status written = write_file_atomically(folder_ + "/out", std::string(5000, 'x'));
    ::_exit(!written.ok() && written.error().kind == ErrorKind::Internal ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace lem::writer
