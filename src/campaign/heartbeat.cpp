#include "campaign/heartbeat.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <stop_token>

#include "writer/file.h"

namespace lem::campaign {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBetweenBeats{5000};
// How long a silence means the end is in the file as well: it is up to the one who beats.
constexpr double kSilence = 60;
constexpr double kLeastSilence = 1, kMostSilence = 3600;  // whatever the file says

std::string path_in(const std::string& folder) {
  return folder + "/alive";
}

/// Waits that long, or until the thread is to end.   ensure: false if it is
bool wait(const std::stop_token& stop, std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable_any condition;
  std::unique_lock lock(mutex);
  condition.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

struct Beat {
  std::uint64_t number = 0;
  double silence = kSilence;  // seconds
};

std::optional<Beat> read(const std::string& folder) {
  std::ifstream file(path_in(folder));
  Beat beat;
  if (!(file >> beat.number >> beat.silence)) return {};
  beat.silence = std::clamp(beat.silence, kLeastSilence, kMostSilence);
  return beat;
}

void write(const std::string& folder, std::uint64_t number) {
  std::string text = std::to_string(number) + " " + std::to_string(kSilence) + "\n";
  // A beat that cannot be written is one of twelve that may be missing.
  static_cast<void>(writer::write_file_atomically(path_in(folder), text));
}

}  // namespace

Heartbeat::Heartbeat(const std::string& folder) {
  write(folder, 0);
  thread_ = std::jthread([folder](const std::stop_token& stop) {
    for (std::uint64_t number = 1; wait(stop, kBetweenBeats); ++number) write(folder, number);
  });
}

HeartbeatWatch::HeartbeatWatch(const std::string& folder, std::function<void()> silence) {
  std::error_code failed;
  if (!std::filesystem::exists(path_in(folder), failed)) return;
  Beat first = read(folder).value_or(Beat{});
  thread_ = std::jthread(
      [folder, silence = std::move(silence), last = first](const std::stop_token& stop) mutable {
        Clock::time_point changed = Clock::now();
        while (true) {
          auto patience = std::chrono::duration<double>(last.silence);
          auto pause = std::chrono::duration_cast<std::chrono::milliseconds>(patience / 8);
          if (!wait(stop, std::clamp(pause, std::chrono::milliseconds{100}, kBetweenBeats))) return;
          // A file that cannot be read counts as one that has not changed: the file system may be
          // slow.
          if (std::optional<Beat> now = read(folder)) {
            if (now->number != last.number) changed = Clock::now();
            last = *now;
          }
          if (Clock::now() - changed >= std::chrono::duration<double>(last.silence))
            return silence();
        }
      });
}

}  // namespace lem::campaign
