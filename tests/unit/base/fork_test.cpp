#include "base/fork.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace lem {
namespace {

std::string read_all(int fd) {
  std::string text;
  std::array<char, 256> buffer{};
  for (ssize_t got = 0; (got = read(fd, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

TEST(Fork, TheCopyReportsOverThePipe) {
  Forked forked = fork_with_pipe([](int fd) { EXPECT_EQ(write(fd, "word", 4), 4); });
  ASSERT_TRUE(forked.started());
  EXPECT_EQ(forked.read_all({}), "word");
  EXPECT_EQ(forked.join(), 0);
}

TEST(Fork, AnExceptionEndsTheCopyAlone) {
  Forked forked = fork_with_pipe([](int) { throw 1; });
  EXPECT_EQ(forked.read_all({}), "");
  EXPECT_EQ(WEXITSTATUS(forked.join()), 1);
}

TEST(Fork, TheCopyKeepsNoDescriptorOfItsParent) {
  std::array<int, 2> outer{};
  ASSERT_EQ(pipe2(outer.data(), 0), 0);
  Forked forked = fork_with_pipe([](int) { pause(); });
  close(outer[1]);
  pollfd end{outer[0], POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, 2000), 1) << "the copy holds the other end";
  close(outer[0]);
}

TEST(Fork, TheCopyPrintsNothing) {
  std::array<int, 2> outer{};
  ASSERT_EQ(pipe2(outer.data(), O_CLOEXEC), 0);
  int before = dup(STDOUT_FILENO);
  dup2(outer[1], STDOUT_FILENO);
  Forked forked = fork_with_pipe([](int) { EXPECT_EQ(write(STDOUT_FILENO, "x", 1), 1); });
  dup2(before, STDOUT_FILENO);
  close(before);
  close(outer[1]);
  EXPECT_EQ(read_all(outer[0]), "");
  EXPECT_EQ(forked.join(), 0);
  close(outer[0]);
}

TEST(Fork, ACopyThatTakesTooLongIsGivenUpAndEndsWithItsObject) {
  pid_t pid = -1;
  {
    Forked forked = fork_with_pipe([](int fd) {
      write_all(fd, "half");
      pause();
    });
    pid = forked.pid();
    EXPECT_EQ(forked.read_all({}, std::chrono::milliseconds(50)), std::nullopt);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(forked.read_all(stop.get_token()), std::nullopt);
  }
  EXPECT_EQ(waitpid(pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "it was not reaped";
}

TEST(Fork, MoreThanAPipeHoldsArrivesWhole) {
  std::string large(1'000'000, 'x');
  Forked forked = fork_with_pipe([&](int fd) { write_all(fd, large); });
  EXPECT_EQ(forked.read_all({}), large);
}

// Stopped as early as anybody could: before the death signal was asked for it would stay for ever.
TEST(Fork, ACopyThatIsStoppedAtOnceEndsWithItsParent) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // so that the orphan can be waited for
  for (int round = 0; round < 50; ++round) {
    std::array<int, 2> told{};
    ASSERT_EQ(pipe2(told.data(), O_CLOEXEC), 0);
    pid_t parent = fork();
    if (parent == 0) {
      Forked forked = fork_with_pipe([](int) { pause(); });
      forked.send(SIGSTOP);
      pid_t pid = forked.pid();
      if (write(told[1], &pid, sizeof(pid_t)) < 0) _exit(1);
      _exit(0);
    }
    pid_t orphan = 0;
    ASSERT_EQ(read(told[0], &orphan, sizeof(pid_t)), static_cast<ssize_t>(sizeof(pid_t)));
    waitpid(parent, nullptr, 0);
    pid_t done = 0;
    int status = 0;
    for (int nap = 0; nap < 2000 && done == 0; ++nap) {
      done = waitpid(orphan, &status, WNOHANG);
      if (done == 0) usleep(1000);
    }
    if (done == 0) kill(orphan, SIGKILL);
    ASSERT_EQ(done, orphan) << "left behind in round " << round;
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    for (int end : told) close(end);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(Fork, WithoutDescriptorsThereIsNoCopy) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few{3, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  Forked forked = fork_with_pipe([](int) {});
  int failed = errno;
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(forked.started());
  EXPECT_EQ(forked.read_all({}), std::nullopt);
  EXPECT_EQ(failed, EMFILE);
}

}  // namespace
}  // namespace lem
