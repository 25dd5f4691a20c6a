#include "base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "base/temporary_folder.h"

namespace lem {
namespace {

using namespace std::chrono_literals;
using How = ProcessEnd::How;

ProcessEnd shell(const std::string& script, const ProcessLimits& limits = {},
                 const std::stop_token& stop = {}) {
  return run_process({.args = {"sh", "-c", script}, .keep_output = true}, limits, stop);
}

/// A process that is dead and not yet reaped counts as gone.
bool lives(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return stat >> number >> name >> state && state != "Z";
}

bool gone_within(pid_t process, std::chrono::milliseconds patience) {
  auto end = std::chrono::steady_clock::now() + patience;
  while (lives(process) && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(5ms);
  return !lives(process);
}

TEST(Process, EndsAsItsProgramDoes) {
  ProcessEnd end = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(end.how, How::Exited);
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.output, "out\n");
  EXPECT_EQ(end.errors, "err\n");
  end = shell("kill -ABRT $$");
  EXPECT_EQ(end.how, How::Signalled);
  EXPECT_EQ(end.code, SIGABRT);
  end = shell("exit 127");
  EXPECT_EQ(end.how, How::Exited);
  EXPECT_EQ(run_process({{"/no/such/program"}}, {}, {}).how, How::NotStarted);
  EXPECT_EQ(run_process({{"no-such-program"}}, {}, {}).how, How::NotStarted);
  TemporaryFolder folder;
  std::string junk = folder.path() + "/junk";
  std::ofstream(junk) << "no program";
  chmod(junk.c_str(), 0700);
  EXPECT_EQ(run_process({{junk}}, {}, {}).how, How::NotStarted);
}

TEST(Process, ReadsWhatItIsGivenAndNothingElse) {
  std::string much(1 << 20, 'x');
  ProcessEnd end = run_process({.args = {"cat"}, .input = much, .keep_output = true}, {}, {});
  EXPECT_EQ(end.output, much);
  EXPECT_EQ(shell("cat; echo end").output, "end\n");
}

TEST(Process, InheritsNoDescriptor) {
  int open_here = open("/dev/null", O_RDONLY);  // not close-on-exec
  ASSERT_GT(open_here, 2);
  ProcessEnd end = shell("[ -e /proc/self/fd/" + std::to_string(open_here) + " ] && echo leaks");
  EXPECT_EQ(end.output, "");
  close(open_here);
  Descriptor given = file_in_memory("hello");
  end = run_process({.args = {"sh", "-c", "cat <&" + std::to_string(given.fd())},
                     .keep_output = true,
                     .descriptors = {given.fd()}},
                    {}, {});
  EXPECT_EQ(end.output, "hello");
}

TEST(Process, KeepsStartAndEndOfManyErrors) {
  ProcessEnd end = shell("echo first >&2; head -c 1000000 /dev/zero >&2; echo last >&2");
  EXPECT_TRUE(end.errors.starts_with("first\n"));
  EXPECT_TRUE(end.errors.ends_with("last\n"));
  EXPECT_LE(end.errors.size(), std::size_t{1} << 17);
}

TEST(Process, HasItsLimitsBeforeItStarts) {
  ProcessEnd end = shell("ulimit -c; ulimit -v; ulimit -f; ulimit -t", {2s, 256, 1, 1});
  EXPECT_EQ(end.output, "0\n262144\n2048\n16\n");
  end = shell("head -c 3000000 /dev/zero", {.output_mb = 1});
  EXPECT_EQ(end.how, How::TooMuchOutput);
}

TEST(Process, DefaultSignalsAndNoneBlocked) {
  signal(SIGPIPE, SIG_IGN);
  sigset_t interrupt, before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, &before);
  ProcessEnd end = shell("grep -E 'SigBlk|SigIgn' /proc/self/status");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  signal(SIGPIPE, SIG_DFL);
  unsigned long long blocked = 1, ignored = 1;
  ASSERT_EQ(std::sscanf(end.output.c_str(), "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
  EXPECT_EQ(blocked, 0U);
  // 32 and 33 are the C library's own: whoever starts us by posix_spawn (make does) has us ignore
  // them, and no program can undo that.
  EXPECT_EQ(ignored & ~0x180000000ULL, 0U);
}

TEST(Process, TheWholeGroupIsKilledWhenLate) {
  ProcessEnd end = shell("sleep 100 & echo $!; wait", {.time = 200ms});
  EXPECT_EQ(end.how, How::TimedOut);
  EXPECT_TRUE(gone_within(std::stoi(end.output), 2s));
}

TEST(Process, WhatItLeavesInItsGroupIsKilledWhenItEnds) {
  ProcessEnd end = shell("sleep 100 >/dev/null 2>&1 & echo $!");
  EXPECT_EQ(end.how, How::Exited);
  EXPECT_TRUE(gone_within(std::stoi(end.output), 2s));
}

TEST(Process, StopsWhenAskedTo) {
  std::stop_source source;
  std::jthread later([&] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(shell("sleep 100", {.time = 60s}, source.get_token()).how, How::Stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  EXPECT_EQ(shell("true", {}, source.get_token()).how, How::Stopped) << "asked before";
}

TEST(Process, DiesWithItsParent) {
  TemporaryFolder folder;
  std::string told = folder.path() + "/pid";
  pid_t parent = fork();
  if (parent == 0) {
    shell("echo $$ > " + told + "; exec sleep 100", {.time = 100s});
    _exit(0);
  }
  pid_t child = 0;
  for (int i = 0; i < 1000 && !(std::ifstream(told) >> child); ++i)
    std::this_thread::sleep_for(5ms);
  ASSERT_GT(child, 0);
  EXPECT_TRUE(lives(child));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(gone_within(child, 5s));
}

TEST(Process, MemoryOfAllDescendantsCounts) {
  // A grandchild that holds 64 MB; a counting of children alone would miss it.
  TemporaryFolder folder;
  std::string told = folder.path() + "/pid";
  std::string hold =
      "import time; x = bytearray(1 << 26); print('ready', flush=True); time.sleep(100)";
  pid_t child = fork();
  if (child == 0) {
    shell("python3 -c \"" + hold + "\" > " + told + "; true", {.time = 100s});
    _exit(0);
  }
  std::string word;
  for (int i = 0; i < 1000 && !(std::ifstream(told) >> word); ++i)
    std::this_thread::sleep_for(10ms);
  EXPECT_EQ(word, "ready");
  EXPECT_GT(resident_bytes_of_tree(), std::uint64_t{64} << 20);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(Process, FindsProgramsAsTheShellDoes) {
  EXPECT_TRUE(find_program("sh"));
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_FALSE(find_program("no-such-program"));
  EXPECT_FALSE(find_program("/"));
}

}  // namespace
}  // namespace lem
