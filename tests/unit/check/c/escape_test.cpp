// Programs under analysis that do more than compute, run natively: they do it all in the sandbox.
// Each really runs, which its end in the error shows, and leaves nothing outside. The front end may
// refuse such programs; here their code takes the place of a harmless one's.
#include <arpa/inet.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <thread>

#include "ctext/compiler.h"
#include "evidence_support.h"

namespace lem::check {
namespace {

using Outcome = NativeRun::Outcome;
constexpr uid_t kNobody = 65534;

std::string read_all(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Escape : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(chmod(outside_.path().c_str(), 0777), 0);
    setenv("LEMMATA_TEST_SECRET", "xyzzy", 1);
    setenv("OUTSIDE", outside_.path().c_str(), 1);
  }

  /// Runs natively with `attack` executed before main; the program then reaches its error. FOLDER
  /// in the text is a folder that anyone may write to. As we are, and as nobody.
  void run(const std::string& attack, const std::function<void()>& look) {
    in_child("as we are", [&] { return reaches(attack); });
    look();
    if (getuid() != 0) return;
    in_child("as nobody", [&] {
      if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0) return false;
      return reaches(attack);
    });
    look();
  }
  void run_and_find_nothing(const std::string& attack) {
    run(attack, [&] {
      EXPECT_TRUE(std::filesystem::is_empty(outside_.path())) << attack;
      EXPECT_FALSE(std::filesystem::exists("/tmp/lemmata_escape"));
    });
  }

  TemporaryFolder outside_;

 private:
  static void in_child(const std::string& who, const std::function<bool()>& work) {
    pid_t child = fork();
    if (child == 0) _exit(work() ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << who;
  }

  bool reaches(std::string attack) {
    for (std::size_t at = 0; (at = attack.find("FOLDER")) != std::string::npos;)
      attack.replace(at, 6, outside_.path());
    std::string rest =
        "extern void reach_error(void); int main(void) { reach_error(); return 0; }\n";
    c::COptions wide;
    wide.pointer_bits = 64;  // with a C library
    TestProgram program(rest, wide);
    std::optional<CfaTrace> trace = program.find_run();
    if (!program.ok() || !trace) return false;
    SourceFile hostile(program.path() + ".escape.c",
                       "#define _GNU_SOURCE\n#include <stdlib.h>\n#include <stdio.h>\n"
                       "#include <string.h>\n#include <unistd.h>\n"
                       "__attribute__((constructor)) static void escape(void) {" +
                           attack + "}\n" + rest);
    BoxEnd code =
        ctext::run_clang({.pointer_bits = 64, .path = hostile.path}, ctext::Unboxed::Refuse, {});
    if (!code.works || !code.end.fine()) {
      std::fprintf(stderr, "%s\n", code.end.errors.c_str());
      return false;
    }
    CSource source = program.source();
    source.module = std::make_shared<std::string>(code.end.output);
    NativeOptions options;
    options.seconds = 5;
    options.second = "";
    NativeRun ran = run_natively(program.cfa(), source, *trace, program.path(), options, {});
    if (ran.outcome != Outcome::Reached)
      std::fprintf(stderr, "%s\n%s\n", attack.c_str(), ran.reason.c_str());
    return ran.outcome == Outcome::Reached;
  }

  struct SourceFile {
    SourceFile(std::string where, const std::string& text) : path(std::move(where)) {
      std::ofstream(path) << text;
    }
    std::string path;
  };
};

TEST_F(Escape, CommandsAndFiles) {
  run_and_find_nothing("system(\"touch FOLDER/a /tmp/lemmata_escape $HOME/lemmata_escape\");");
  run_and_find_nothing(
      "FILE *f = fopen(\"FOLDER/b\", \"w\"); if (f) { fputs(\"b\", f); fclose(f); }"
      "f = fopen(\"/tmp/lemmata_escape\", \"w\"); if (f) { fputs(\"b\", f); fclose(f); }"
      "f = fopen(\"lemmata_escape\", \"w\"); if (f) { fputs(\"b\", f); fclose(f); }");
  EXPECT_FALSE(std::filesystem::exists("lemmata_escape")) << "in the current folder";
}

TEST_F(Escape, ReadsNothingOfTheUser) {
  std::ofstream(outside_.path() + "/secret") << "plugh";
  // A program that finds one of these never reaches its error.
  run("if (getenv(\"LEMMATA_TEST_SECRET\") || getenv(\"HOME\")) _exit(3);"
      "if (fopen(\"FOLDER/secret\", \"r\") || fopen(\"/etc/passwd\", \"r\")) _exit(4);"
      "if (access(\"/home\", 0) == 0 || access(\"/root\", 0) == 0 || access(\"/proc/1\", 0) == 0)"
      "  _exit(5);",
      [&] { EXPECT_EQ(read_all(outside_.path() + "/secret"), "plugh"); });
}

TEST_F(Escape, Network) {
  int server = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(server, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(server, 5), 0);
  getsockname(server, reinterpret_cast<sockaddr*>(&address), &size);
  std::string port = std::to_string(ntohs(address.sin_port));
  run("extern int socket(int, int, int), connect(int, void *, unsigned);"
      "unsigned char to[16] = {2, 0, " +
          port + " >> 8, " + port +
          " & 255, 127, 0, 0, 1};"
          "int s = socket(2, 1, 0); if (s >= 0 && connect(s, to, 16) == 0) _exit(3);",
      [] {});
  close(server);
}

TEST_F(Escape, DaemonsEndWithIt) {
  run_and_find_nothing(
      "if (fork() == 0) { setsid(); if (fork() == 0) { close(1); close(2); usleep(300000);"
      "system(\"touch FOLDER/late\"); _exit(0); } _exit(0); }");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_TRUE(std::filesystem::is_empty(outside_.path()));
}

TEST_F(Escape, BombsOfProcessesAndMemory) {
  run_and_find_nothing("for (int i = 0; i < 100000; i++) if (fork() >= 0) _exit(3);");
  run_and_find_nothing(
      "for (int i = 0; i < 40; i++) { char *p = malloc(1 << 28); if (!p) return;"
      "for (long j = 0; j < 1 << 28; j += 4096) p[j] = 1; } _exit(3);");
  run_and_find_nothing(
      "FILE *f = fopen(\"/tmp/big\", \"w\"); static char block[1 << 20];"
      "for (int i = 0; i < 100; i++) if (!f || fwrite(block, sizeof block, 1, f) != 1) return;"
      "_exit(3);");
}

TEST_F(Escape, RawSystemCalls) {
  // mount, ptrace, unshare, bpf, keyctl, socket, clone into namespaces: each is refused.
  for (const char* call : {"165, 0, \"/\", 0, 0, 0", "101, 0, 0, 0, 0", "272, 0x10000000",
                           "321, 0, 0, 0", "250, 0, 0", "41, 2, 1, 0", "56, 0x10000011, 0"})
    run_and_find_nothing("if (syscall(" + std::string(call) + ") != -1) _exit(3);");
}

}  // namespace
}  // namespace lem::check
