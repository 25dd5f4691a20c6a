// What all libFuzzer targets share. A target must end normally on every input; what it finds out
// beyond that it states with must(), which ends the process with the reason.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace lem::fuzz {

inline void must(bool fact, const std::string& what) {
  if (fact) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A file of the source tree.
inline std::string project_file(const std::string& name) {
  std::ifstream in(std::string(LEM_SOURCE_DIR) + "/" + name, std::ios::binary);
  must(in.is_open(), "no file " + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Asks for a stop when its time is over: what an input makes solvers do has an end.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds time)
      : timer_([this, time](std::stop_token over) {
          std::unique_lock lock(mutex_);
          waiting_.wait_for(lock, over, time, [] { return false; });
          if (!over.stop_requested()) stop_.request_stop();
        }) {}
  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable_any waiting_;
  std::jthread timer_;  // last: it uses the others
};

}  // namespace lem::fuzz
