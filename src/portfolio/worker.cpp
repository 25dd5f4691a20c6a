#include "portfolio/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>
#include <fstream>
#include <optional>

#include "transform/cfa/program_slice.h"

namespace lem::portfolio {

Options member_options(const Member& member, const Options& base) {
  Options options = base;
  std::vector<OptionRow> known = base.rows();
  for (const OptionRow& row : member.engine->options) {
    bool declared = std::any_of(known.begin(), known.end(),
                                [&](const OptionRow& other) { return other.name == row.name; });
    if (!declared) options.declare(std::span(&row, 1));
  }
  [[maybe_unused]] Status suits = options.set_all(member.engine->settings);
  assert(suits.ok() && "an engine names options that do not exist");
  [[maybe_unused]] Status set = options.set_all(member.settings);
  assert(set.ok() && "a portfolio member names options that do not exist");
  return options;
}

TermStore* store_of(const Problem& problem) {
  if (problem.is_bits()) return nullptr;
  return problem.is_program() ? problem.cfa().store().get() : problem.system().store().get();
}

Worker::Worker(const Member& member, const Problem& problem, const Options& options,
               Sampling sampling)
    : process_(fork_with_pipe([&](int end) { run(member, problem, options, sampling, end); })),
      at_end_(!alive()),
      reader_(store_of(problem)) {
  if (alive()) fcntl(pipe(), F_SETFL, O_NONBLOCK);
}

Worker::Worker(const Work& work, const Problem& problem, const Options& options, Sampling sampling)
    : process_(fork_with_pipe([&](int end) { run(work, problem, options, sampling, end); })),
      at_end_(!alive()),
      reader_(store_of(problem)) {
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

static Verdict run_whole(const Member& member, const Problem& problem, const Context& ctx) {
  auto check_on = [&](const transform::Pipeline& pipeline) {
    return pipeline.back(member.engine->make()->check(pipeline.problem(), ctx));
  };
  if (member.prepared != nullptr) return check_on(*member.prepared);
  if (!member.rung) return member.engine->make()->check(problem, ctx);
  transform::Pipeline pipeline(problem, ctx, *member.rung);
  if (!pipeline.obstacle().empty() || ctx.stopped()) return Unknown{Reason::GaveUp};
  return check_on(pipeline);
}

/// What the error depends on, alone. Nothing if that is the whole program, or if it does not tell:
/// a run of the slice need not be one of the program.
static std::optional<Verdict> run_slice(const Member& member, const Problem& problem,
                                        const Context& ctx) {
  LocationId error = problem.cfa().error();
  transform::Dependence dependence(problem.cfa(), {&error, 1},
                                   transform::Dependence::Assumptions::All);
  transform::ProgramSlice slice(problem, dependence, {0});
  if (slice.size() == problem.cfa().variables().size()) return {};
  Verdict verdict = run_whole(member, slice.problem(), ctx);
  if (std::holds_alternative<Unknown>(verdict)) return verdict;
  const auto* safe = std::get_if<Safe>(&verdict);
  if (safe == nullptr) return {};
  auto certificate = slice.certificate(std::get<LocationInvariants>(safe->certificate));
  if (!certificate) return {};
  return Safe{*std::move(certificate)};
}

/// Members that bring a program to another form look for a proof of its slice first.
Verdict run_member(const Member& member, const Problem& problem, const Context& ctx) {
  if (problem.is_program() && member.rung && ctx.options.on("portfolio.slice"))
    if (std::optional<Verdict> verdict = run_slice(member, problem, ctx)) return *verdict;
  return run_whole(member, problem, ctx);
}

/// The child: no thread but this one lives on, so it uses nothing of the parent's context but data.
/// Foreign code and a full memory throw; the parent then sees a crash.
void Worker::run(const Member& member, const Problem& problem, const Options& options,
                 Sampling sampling, int write_end) {
  Options own = member_options(member, options);
  Stats stats;
  Log log;
  Progress progress = make_progress(write_end, stats, sampling);
  Context ctx{own, stats, log, progress, {}};
  const TermStore* terms = store_of(problem);
  SharedTerms shared{terms, terms == nullptr ? 0 : terms->size()};
  Verdict verdict = run_member(member, problem, ctx);
  write_all(write_end, frame_final(verdict, stats, shared));
}

void Worker::run(const Work& work, const Problem& problem, const Options& options,
                 Sampling sampling, int write_end) {
  Stats stats;
  Log log;
  Progress progress = make_progress(write_end, stats, sampling);
  Context ctx{options, stats, log, progress, {}};
  const TermStore* terms = store_of(problem);
  SharedTerms shared{terms, terms == nullptr ? 0 : terms->size()};
  auto found = [&](const Found& what) { write_all(write_end, frame_found(what, shared)); };
  Reason reason = work(found, ctx);
  write_all(write_end, frame_final(Unknown{reason}, stats, shared));
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

}  // namespace lem::portfolio
