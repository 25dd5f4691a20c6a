#include "run/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <fstream>
#include <optional>
#include <string>

namespace lem::run {

Worker::Worker(const Work& work, const Problem& problem, const Options& options, Sampling sampling)
    : process_(fork_with_pipe([&](int end) { run(work, problem, options, sampling, end); })),
      at_end_(!alive()),
      reader_(problem.store()) {
  if (alive()) fcntl(pipe(), F_SETFL, O_NONBLOCK);
}

/// A progress line is dropped rather than waited with: POLLOUT promises room for PIPE_BUF bytes.
static void write_if_room(int fd, const std::string& bytes) {
  pollfd room{fd, POLLOUT, 0};
  if (bytes.size() <= PIPE_BUF && poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0)
    write_all(fd, bytes);
}

static Progress make_progress(int write_end, const Stats& stats, Sampling sampling) {
  return Progress([write_end, &stats, sampling](const std::string& line) {
    write_if_room(write_end, sampling == Sampling::Off
                                 ? frame_status(line)
                                 : frame_sample(line, stats, resident_bytes_of_self()));
  });
}

/// The child: no thread but this one lives on, so it uses nothing of the parent's context but data.
/// Foreign code and a full memory throw; the parent then sees a crash.
void Worker::run(const Work& work, const Problem& problem, const Options& options,
                 Sampling sampling, int write_end) {
  Stats stats;
  Log log;
  Progress progress = make_progress(write_end, stats, sampling);
  Context ctx{options, stats, log, progress, {}};
  const TermStore* terms = problem.store();
  SharedTerms shared{terms, terms == nullptr ? 0 : terms->size()};
  auto found = [&](const Found& what) { write_all(write_end, frame_claim(what, stats, shared)); };
  Reason reason = work(found, ctx);
  write_all(write_end, frame_final(reason, stats));
}

void Worker::pause() const {
  process_.send(SIGSTOP);
}

void Worker::resume() const {
  process_.send(SIGCONT);
}

void Worker::terminate() const {
  process_.send(SIGKILL);
}

std::vector<Message> Worker::collect() {
  std::vector<Message> messages;
  std::array<char, 65536> buffer{};
  while (!at_end_) {
    ssize_t got = read(pipe(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (got <= 0) {
      at_end_ = true;
      break;
    }
    reader_.feed({buffer.data(), static_cast<std::size_t>(got)});
  }
  while (std::optional<Message> message = reader_.take()) messages.push_back(std::move(*message));
  if (reader_.damaged()) at_end_ = true;
  return messages;
}

double Worker::processor_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (!alive() || clock_getcpuclockid(process_.pid(), &clock) != 0 ||
      clock_gettime(clock, &time) != 0)
    return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::uint64_t Worker::resident_bytes() const {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (alive())
    std::ifstream("/proc/" + std::to_string(process_.pid()) + "/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t Worker::proportional_bytes() const {
  if (!alive()) return 0;
  std::ifstream rollup("/proc/" + std::to_string(process_.pid()) + "/smaps_rollup");
  for (std::string word; rollup >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "Pss:" && rollup >> kilobytes) return kilobytes << 10;
  }
  return resident_bytes();
}

}  // namespace lem::run
