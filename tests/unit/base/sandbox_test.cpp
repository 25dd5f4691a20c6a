#include "base/sandbox.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/temporary_folder.h"

namespace lem {
namespace {

using namespace std::chrono_literals;
using How = ProcessEnd::How;

/// What a script prints in there, both streams.
std::string prints(Box box) {
  box.keep_output = true;
  BoxEnd ran = run_in_box(box, {}, {});
  EXPECT_TRUE(ran.works) << ran.end.errors;
  return ran.end.output + ran.end.errors;
}
std::string prints(const std::string& script) {
  return prints(Box{.args = {"sh", "-c", script}, .processes = Box::Processes::Many});
}

TEST(Sandbox, EndsAsItsProgramDoes) {
  BoxEnd ran = run_in_box(
      {.args = {"sh", "-c", "echo out; echo err >&2; exit 3"}, .keep_output = true}, {}, {});
  EXPECT_TRUE(ran.works) << ran.end.errors;
  EXPECT_EQ(ran.end.how, How::Exited);
  EXPECT_EQ(ran.end.code, 3);
  EXPECT_EQ(ran.end.output, "out\n");
  EXPECT_EQ(ran.end.errors, "err\n");
  ran = run_in_box({.args = {"sh", "-c", "kill -SEGV $$"}}, {}, {});
  EXPECT_EQ(ran.end.how, How::Signalled);
  EXPECT_EQ(ran.end.code, SIGSEGV);
  ran = run_in_box({.args = {"no-such-program"}}, {}, {});
  EXPECT_TRUE(ran.works);
  EXPECT_EQ(ran.end.how, How::NotStarted);
  EXPECT_FALSE(run_in_box({.args = {"/box/none"}}, {}, {}).works);
}

TEST(Sandbox, HasTheFilesItIsGivenAndNoOthers) {
  TemporaryFolder shown, hidden;
  std::ofstream(shown.path() + "/a.txt") << "shown";
  std::ofstream(hidden.path() + "/b.txt") << "hidden";
  Box box{.args = {"sh", "-c",
                   "cat " + shown.path() + "/a.txt /box/c.txt; cat " + hidden.path() +
                       "/b.txt /etc/passwd 2>/dev/null; echo $(ls /) $(ls /box); pwd; env"},
          .files = {{"/box/c.txt", "given"}},
          .readable = {shown.path()},
          .start_in = "/some/where",
          .processes = Box::Processes::Many};
  std::string text = prints(box);
  EXPECT_TRUE(text.starts_with("showngivenbin box dev")) << text;
  EXPECT_NE(text.find("\n/some/where\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("home"), std::string::npos) << text;
  EXPECT_EQ(text.find("HOME"), std::string::npos) << text;
}

TEST(Sandbox, WritesNothingOutside) {
  TemporaryFolder shown, writable;
  // A name of our own: others may keep a file of any fixed name in /tmp.
  std::string scratch = "/tmp/" + std::filesystem::path(shown.path()).filename().string() + ".x";
  std::string script = "for f in " + shown.path() + "/x " + scratch +
                       " /usr/x /x /dev/x /box/x; do (echo x > $f) 2>/dev/null && "
                       "echo $f; done; echo y > " +
                       writable.path() + "/y";
  EXPECT_EQ(prints({.args = {"sh", "-c", script},
                    .files = {{"/box/c.txt", "given"}},
                    .readable = {shown.path()},
                    .writable = writable.path(),
                    .processes = Box::Processes::Many}),
            scratch + "\n");
  EXPECT_TRUE(std::filesystem::is_empty(shown.path()));
  EXPECT_TRUE(std::filesystem::exists(writable.path() + "/y"));
  EXPECT_FALSE(std::filesystem::exists(scratch));
}

TEST(Sandbox, ScratchSpaceIsBounded) {
  BoxEnd ran = run_in_box({.args = {"sh", "-c", "head -c 3000000 /dev/zero > /tmp/x"},
                           .scratch_mb = 1,
                           .processes = Box::Processes::Many},
                          {}, {});
  EXPECT_NE(ran.end.code, 0);
}

TEST(Sandbox, HasNoCapabilitiesAndGetsNoNew) {
  std::string text = prints("grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status");
  EXPECT_EQ(text,
            "CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n");
}

TEST(Sandbox, ForbidsSystemCalls) {
  // Perl is part of every Debian and can make any system call; numbers are those of x86-64.
  auto call = [](const std::string& numbers) {
    return prints(Box{.args = {"perl", "-e", "$!=0; syscall(" + numbers + "); print $!+0"}});
  };
  EXPECT_EQ(call("101, 0, 0, 0, 0"), "1") << "ptrace";
  EXPECT_EQ(call("41, 2, 1, 0"), "1") << "socket";
  EXPECT_EQ(call("165, 0, 0, 0, 0, 0"), "1") << "mount";
  EXPECT_EQ(call("272, 0x10000000"), "1") << "unshare";
  EXPECT_EQ(call("321, 0, 0, 0"), "1") << "bpf";
  EXPECT_EQ(call("298, 0, 0, 0, 0, 0"), "1") << "perf_event_open";
  EXPECT_EQ(call("323, 0"), "1") << "userfaultfd";
  EXPECT_EQ(call("250, 0, 0"), "1") << "keyctl";
  EXPECT_EQ(call("57"), "1") << "fork";
  EXPECT_EQ(call("56, 17, 0"), "1") << "clone";
  EXPECT_EQ(call("435, 0, 0"), "38") << "clone3";
  EXPECT_EQ(call("39"), "0") << "getpid";
}

TEST(Sandbox, CompilersForkButMakeNoNamespaces) {
  auto call = [](const std::string& numbers) {
    return prints(
        Box{.args = {"perl", "-e", "$!=0; $p=syscall(" + numbers + "); exit if !$p; print $!+0"},
            .processes = Box::Processes::Many});
  };
  EXPECT_EQ(call("57"), "0") << "fork";
  EXPECT_EQ(call("56, 0x10000011, 0"), "1") << "clone into a user namespace";
}

TEST(Sandbox, NothingOutlivesIt) {
  TemporaryFolder folder;
  // A daemon in a session of its own: the pid namespace ends it.
  std::string script = "setsid sh -c 'sleep 0.5; echo late > " + folder.path() +
                       "/late' >/dev/null 2>&1 & sleep 0.1; exit 0";
  BoxEnd ran = run_in_box(
      {.args = {"sh", "-c", script}, .writable = folder.path(), .processes = Box::Processes::Many},
      {}, {});
  EXPECT_TRUE(ran.works) << ran.end.errors;
  ran = run_in_box({.args = {"sh", "-c", script + "; sleep 100"},
                    .writable = folder.path(),
                    .processes = Box::Processes::Many},
                   {.time = 200ms}, {});
  std::this_thread::sleep_for(1s);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Sandbox, IsKilledWhenLateOrStopped) {
  Box box{.args = {"sh", "-c", "sleep 100"}, .processes = Box::Processes::Many};
  BoxEnd late = run_in_box(box, {.time = 100ms}, {});
  EXPECT_TRUE(late.works);
  EXPECT_EQ(late.end.how, How::TimedOut);
  std::stop_source source;
  std::jthread later([&] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  BoxEnd stopped = run_in_box(box, {.time = 60s}, source.get_token());
  EXPECT_EQ(stopped.end.how, How::Stopped);
}

TEST(Sandbox, ShowsAFolderButNeverAHome) {
  TemporaryFolder home;
  std::string own = home.path() + "/project";
  std::filesystem::create_directory(own);
  for (const char* name : {"/a.c", "/b.h", "/secret.txt", "/project/c.c"})
    std::ofstream(home.path() + name) << "x";
  const char* before = std::getenv("HOME");
  std::string kept = before == nullptr ? "" : before;
  setenv("HOME", home.path().c_str(), 1);
  EXPECT_EQ(readable_beside(own + "/c.c"), std::vector<std::string>{own});
  std::vector<std::string> beside = {home.path() + "/a.c", home.path() + "/b.h"};
  EXPECT_EQ(readable_beside(home.path() + "/a.c"), beside);
  setenv("HOME", kept.c_str(), 1);
  EXPECT_EQ(readable_beside("/tmp/none.c").front(), "/tmp/none.c");
  std::filesystem::create_symlink(home.path() + "/a.c", own + "/link.c");
  EXPECT_EQ(readable_beside(own + "/link.c").front(), own + "/link.c") << "by itself";
}

TEST(Sandbox, FollowsNoLinkOutOfASharedFolder) {
  TemporaryFolder home, other;
  std::ofstream(other.path() + "/secret.h") << "x";
  std::ofstream(home.path() + "/own.h") << "x";
  namespace fs = std::filesystem;
  fs::create_symlink(other.path() + "/secret.h", home.path() + "/out.h");
  fs::create_symlink("own.h", home.path() + "/alias.h");
  fs::create_symlink(home.path(), other.path() + "/way");
  const char* before = std::getenv("HOME");
  std::string kept = before == nullptr ? "" : before;
  setenv("HOME", home.path().c_str(), 1);
  for (const std::string& folder : {home.path(), home.path() + "/", other.path() + "/way"}) {
    std::vector<std::string> seen = readable_in(folder);
    auto sees = [&](const char* name) {
      return std::any_of(seen.begin(), seen.end(),
                         [&](const std::string& one) { return one.ends_with(name); });
    };
    EXPECT_TRUE(sees("/own.h") && sees("/alias.h")) << folder;
    EXPECT_FALSE(sees("/out.h")) << folder;
  }
  setenv("HOME", kept.c_str(), 1);
}

TEST(Sandbox, KnowsHomesWithoutTheEnvironment) {
  const char* before = std::getenv("HOME");
  std::string kept = before == nullptr ? "" : before;
  unsetenv("HOME");
  for (const char* home : {"/root", "/home/someone", "/home", "/", "/tmp", "/etc"})
    EXPECT_NE(readable_in(home), std::vector<std::string>{home});
  EXPECT_EQ(readable_in("/home/someone/project"),
            std::vector<std::string>{"/home/someone/project"});
  EXPECT_TRUE(readable_in("/usr/include").empty());
  setenv("HOME", kept.c_str(), 1);
}

TEST(Sandbox, DoesWithoutFilesThatAreNotThere) {
  Box box{.args = {"/usr/bin/true"}, .readable = {"/nowhere/at/all"}};
  BoxEnd end = run_in_box(box, {}, {});
  EXPECT_TRUE(end.works);
  EXPECT_TRUE(end.end.fine());
  EXPECT_TRUE(has_sandbox({}));
}

}  // namespace
}  // namespace lem
