#include "app/console.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

namespace lem::app {
namespace {

/// Standard output is another file as long as this lives.
class Redirected {
 public:
  explicit Redirected(int fd) : before_(dup(STDOUT_FILENO)) { dup2(fd, STDOUT_FILENO); }
  ~Redirected() {
    dup2(before_, STDOUT_FILENO);
    close(before_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int before_;
};

TEST(Console, WhatIsWrittenArrives) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::string text(200'000, 'x');
  std::string got;
  std::thread reader([&] {
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;)
      got.append(buffer.data(), static_cast<std::size_t>(n));
  });
  {
    Redirected output(ends[1]);
    Console console;
    console.out(text);
    EXPECT_FALSE(console.output_lost());
    EXPECT_EQ(console.conclude(ExitCode::Unsafe), ExitCode::Unsafe);
  }
  close(ends[1]);
  reader.join();
  EXPECT_EQ(got, text);
  close(ends[0]);
}

TEST(Console, AFullDeviceIsAnInternalError) {
  int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  Redirected output(full);
  Console console;
  console.out("safe p\n");
  EXPECT_TRUE(console.output_lost());
  testing::internal::CaptureStderr();
  EXPECT_EQ(console.conclude(ExitCode::Safe), ExitCode::Internal);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "error: cannot write to standard output: No space left on device\n");
  close(full);
}

TEST(Console, AReaderWhoTakesNothingIsNotWaitedForInAHurry) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  Redirected output(ends[1]);
  Console console;
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    console.hurry();
  });
  console.out(std::string(200'000, 'x'));
  late.join();
  EXPECT_TRUE(console.output_lost());
  for (int end : ends) close(end);
}

}  // namespace
}  // namespace lem::app
